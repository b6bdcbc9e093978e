"""The text form of a running edit: old and new lines in one block, with a marker for each.

    <<<<<<< tabby-XXXXXX              header
    lines                             # comment   . waiting   | being written   = unchanged   + inserted   - deleted
    >>>>>>> tabby-XXXXXX [markers]    footer; one marker for every line of the block, `[` and `]` for its two ends

The form is one other tools read and write (Tabby's `previewChanges`). docs/preview-protocol.md says where ours is
different on purpose: what is discarded must be the exact text, so the footer says when a side has no last line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.core.diff.edit_script import Step, edit_script
from redraft.core.diff.patch import patch_lines
from redraft.core.errors import UsageError

PreviewState = Literal["editing", "stopped", "completed"]
ResolveAction = Literal["accept", "discard"]

HEADER: Final = re.compile(r"<<<<<<< (\S+)\r?")
FOOTER: Final = re.compile(r">>>>>>> (\S+) \[([#.|=+-]*)\](?: no newline: (old|new|both))?\r?")
KEPT: Final[dict[ResolveAction, str]] = {"accept": ".|=+", "discard": ".=-"}
COMMENT_BREAKS: Final = re.compile("\n|([^\n\r\u2028\u2029]{1,80})(?:\\s|$)")
"""What comments are split at, kept where it is a piece of at most 80: of a longer word the rest comes first."""
SLASHES: Final = frozenset(
    "c cpp java javascript typescript javascriptreact typescriptreact go rust swift kotlin".split()  # noqa: SIM905 - a list of words reads best
)


@dataclass(frozen=True, slots=True)
class Preview:
    """A rendered edit.

    Attributes:
        lines: Body and footer, without line ends (a CR stays on its line).
        markers: One for each line of the block, in brackets.
        header: The line that stands before.
    """

    lines: list[str]
    markers: str
    header: str


@dataclass(frozen=True, slots=True)
class _Line:
    marker: str
    text: str


def render_preview(
    original: str,
    edited: str,
    *,
    state: PreviewState,
    comments: str = "",
    language_id: str = "",
    edit_id: str,
) -> Preview:
    """Old and new text as one block of marked lines."""
    end = _line_end(original or edited)
    body = _body(original, re.sub(r"\r?\n", end, edited) if end == "\r\n" else edited, state, end)
    marked = [_Line("#", line) for line in _comment_lines(comments, language_id)] + body
    markers = f"[{''.join(line.marker for line in marked)}]"
    footer = f">>>>>>> {edit_id} {markers}{_missing_newlines(body)}"
    return Preview([*(line.text.removesuffix("\n") for line in marked), footer], markers, f"<<<<<<< {edit_id}")


def resolve_preview(lines: Sequence[str], action: ResolveAction) -> str:
    """The text a block stands for, once accepted or discarded; `lines` may begin with the header.

    Only the last line is read as footer, so lines of the text that look like one do no harm.

    Raises:
        UsageError: The last line is no footer, or lines were added or taken away since.
    """
    footer = FOOTER.fullmatch(lines[-1]) if lines else None
    if footer is None:
        raise UsageError("The last line of the preview is not a footer, so there is nothing to resolve.")
    body = lines[:-1]
    if len(body) == len(footer[2]) + 1 and (header := HEADER.fullmatch(body[0])) and header[1] == footer[1]:
        body = body[1:]
    if len(body) != len(footer[2]):
        raise UsageError("Lines of the preview were added or removed; undo that, then accept or discard it.")
    kept = [line for line, marker in zip(body, footer[2], strict=True) if marker in KEPT[action]]
    side = "new" if action == "accept" else "old"
    ends = "" if not kept or footer[3] in {side, "both"} else "\n"
    return "\n".join(kept) + ends


def _line_end(text: str) -> str:
    """CRLF if that is how every line ends."""
    crlf, lf = text.count("\r\n"), text.count("\n")
    return "\r\n" if crlf and crlf == lf else "\n"


def _body(original: str, edited: str, state: PreviewState, end: str) -> list[_Line]:
    steps = edit_script(patch_lines(original), patch_lines(edited)) or [Step("=", ("",))]
    written, waiting = ("|", ".") if state == "editing" else ("+", "=")
    coming, open_steps = _undecided(steps) if state != "completed" else ((), [])
    decided = steps[: len(steps) - len(open_steps) - bool(coming)]
    lines = [line for step in decided for line in _marked(step.kind, step.lines)]
    lines += _marked(written, coming)
    lines += [line for step in open_steps for line in _marked(waiting, step.lines)]
    return [_ended(line, end) if _wants_end(line, original, open_steps) else line for line in lines]


def _wants_end(line: _Line, original: str, open_steps: Sequence[Step]) -> bool:
    """Whether a half line is to end: old lines follow it, or the text it replaces ended, too."""
    return line.marker in "|+" and (bool(open_steps) or not original or original.endswith("\n"))


def _ended(line: _Line, end: str) -> _Line:
    return line if line.text.endswith("\n") else _Line(line.marker, line.text + end)


def _undecided(steps: Sequence[Step]) -> tuple[tuple[str, ...], list[Step]]:
    """What stands at the end of a running edit: new lines still being written, and old ones not reached yet."""
    last = len(steps)
    coming: tuple[str, ...] = ()
    if steps[-1].kind == "+":
        last -= 1
        coming = steps[-1].lines
    first = last
    while first and steps[first - 1].kind == "-":
        first -= 1
    return coming, list(steps[first:last])


def _marked(marker: str, lines: Iterable[str]) -> list[_Line]:
    return [_Line(marker, line) for line in lines]


def _missing_newlines(body: list[_Line]) -> str:
    sides = [
        side
        for side, markers in (("old", KEPT["discard"]), ("new", KEPT["accept"]))
        if (kept := [line for line in body if line.marker in markers]) and not kept[-1].text.endswith("\n")
    ]
    return f" no newline: {'both' if len(sides) == 2 else sides[0]}" if sides else ""


def _comment_lines(comments: str, language_id: str) -> list[str]:
    prefix = "#" if language_id in {"python", "ruby"} else "//" if language_id in SLASHES else ""
    return [prefix + piece for piece in COMMENT_BREAKS.split(comments.strip()) if piece and not piece.isspace()]
