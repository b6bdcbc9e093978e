"""The text form of a running edit: old and new lines in one block, with a marker for each.

    <<<<<<< tabby-XXXXXX              header
    lines                             # comment   . waiting   | being written   = unchanged   + inserted   - deleted
    >>>>>>> tabby-XXXXXX [markers]    footer; one marker for every line of the block, `[` and `]` for its two ends

The form is one other tools read and write (Tabby's `previewChanges`). docs/preview-protocol.md says where ours is
different on purpose: what is resolved must be the exact text, so the footer says when a side ends without a line end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from redraft.core.diff.hunks import Hunk
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.patch import patch_lines
from redraft.core.errors import UsageError

PreviewState = Literal["editing", "stopped", "completed"]
ResolveAction = Literal["accept", "discard"]

HEADER: Final = re.compile(r"<<<<<<< (tabby-[A-Za-z0-9]{6})\r?")
FOOTER: Final = re.compile(r">>>>>>> (tabby-[A-Za-z0-9]{6}) \[([#.|=+-]*)\](?: no newline: (old|new|both))?\r?")
KEPT: Final[dict[ResolveAction, str]] = {"accept": ".|=+", "discard": ".=-"}
COMMENT_WIDTH: Final = 80
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

    lines: tuple[str, ...]
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
    body = _body(original, _with_ends_of(original, edited), state)
    marked = [_Line("#", line) for line in _comment_lines(comments, language_id)] + body
    markers = f"[{''.join(line.marker for line in marked)}]"
    footer = f">>>>>>> {edit_id} {markers}{_missing_newlines(body)}"
    return Preview((*(line.text.removesuffix("\n") for line in marked), footer), markers, f"<<<<<<< {edit_id}")


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


def _with_ends_of(original: str, edited: str) -> str:
    """The edited text with CRLF, if that is how every line of the original ends."""
    crlf, lf = original.count("\r\n"), original.count("\n")
    return re.sub(r"\r?\n", "\r\n", edited) if crlf and crlf == lf else edited


def _body(original: str, edited: str, state: PreviewState) -> list[_Line]:
    old = patch_lines(original)
    hunks = diff_lines(old, patch_lines(edited))
    written, waiting = "", ""
    if state != "completed":
        written, waiting = ("|", ".") if state == "editing" else ("+", "=")
    lines: list[_Line] = []
    done = 0
    for hunk in hunks:
        lines += _marked("=", old[done : hunk.old_start])
        lines += _hunk_lines(hunk, written, waiting) if hunk.old_end == len(old) else _hunk_lines(hunk, "", "")
        done = hunk.old_end
    return lines + _marked("=", old[done:])


def _hunk_lines(hunk: Hunk, written: str, waiting: str) -> list[_Line]:
    """A hunk at the end of a running edit is not decided: its new lines come first, its old ones wait."""
    if written:
        return _marked(written, hunk.new_lines) + _marked(waiting, hunk.old_lines)
    return _marked("-", hunk.old_lines) + _marked("+", hunk.new_lines)


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
    return [prefix + line for paragraph in comments.strip().splitlines() for line in _wrapped(paragraph)]


def _wrapped(paragraph: str) -> list[str]:
    """Lines of at most 80; of a longer word the remainder comes first, as in the protocol."""
    lines: list[str] = []
    current = ""
    for word in paragraph.split():
        if current and len(current) + 1 + len(word) > COMMENT_WIDTH:
            lines.append(current)
            current = ""
        remainder = len(word) % COMMENT_WIDTH if len(word) > COMMENT_WIDTH else 0
        if remainder:
            lines.append(word[:remainder])
            word = word[remainder:]  # noqa: PLW2901 - what is left of the word
        while len(word) > COMMENT_WIDTH:
            lines.append(word[:COMMENT_WIDTH])
            word = word[COMMENT_WIDTH:]  # noqa: PLW2901
        current = f"{current} {word}" if current else word
    return [*lines, current] if current else lines
