"""Edits in several places: code tagged at the boundaries of its pieces, and answers that rewrite spans between tags."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from redraft.core.diff.lines import diff_lines
from redraft.core.diff.patch import patch_lines
from redraft.core.errors import AnswerError
from redraft.core.review.code_blocks import code_blocks
from redraft.core.review.cursor_marks import take_patch_cursor
from redraft.core.review.example import Cursor, PromptInputs
from redraft.core.review.loose_patch import make_hunks
from redraft.core.review.teacher import USER_CURSOR, ParsedPrediction, refuse_sentinels, says_no_edits

TAG: Final = re.compile(r"<\|marker_([\w-]{4})\|>")
SHORT_PIECE: Final = 6
LONG_PIECE: Final = 24
TRUNCATED_LINES: Final = 3
CONTEXT_LINES: Final = 3


@dataclass(frozen=True, slots=True)
class Snippet:
    """Whole rows of a file that a model is shown."""

    path: str
    start_row: int
    text: str
    is_cursor_file: bool = False

    @property
    def lines(self) -> list[str]:
        """Its lines with their ends."""
        return patch_lines(self.text)

    @property
    def end_row(self) -> int:
        """The row after its last one."""
        return self.start_row + len(self.lines)


@dataclass(frozen=True, slots=True)
class Marker:
    """A tag's place: before a line of a snippet, or after its last one."""

    name: str
    snippet: int
    line: int

    @property
    def tag(self) -> str:
        """As it stands in the text."""
        return f"<|marker_{self.name}|>"


@dataclass(frozen=True, slots=True)
class _Edit:
    """Lines of a run of touching snippets that give way to others."""

    start: int
    end: int
    lines: tuple[str, ...]
    run: int


@dataclass(frozen=True, slots=True)
class _Run:
    """Snippets of a file that touch, as one stretch of rows."""

    path: str
    start_row: int
    lines: tuple[str, ...]
    snippets: tuple[int, ...]
    offsets: tuple[int, ...]
    is_cursor_file: bool


def place_markers(snippets: Sequence[Snippet]) -> list[Marker]:
    """Tags for all snippets: at their beginning, between pieces, and at their end; each name is used once."""
    markers: list[Marker] = []
    used: set[str] = set()
    for index, snippet in enumerate(snippets):
        boundaries = _boundaries(snippet.lines)
        for line, following in zip(boundaries, [*boundaries[1:], None], strict=True):
            piece = "".join(snippet.lines[line:following])
            name = next(name for seed in range(1 << 16) if (name := _name(seed, piece)) not in used)
            used.add(name)
            markers.append(Marker(name, index, line))
    return markers


def tagged(snippet: Snippet, index: int, markers: Iterable[Marker], *, cursor: int | None = None) -> str:
    """A snippet with its tags on lines of their own, and the cursor at a byte offset of its text."""
    text = snippet.text
    if cursor is not None:
        encoded = text.encode()
        text = encoded[:cursor].decode(errors="ignore") + USER_CURSOR + encoded[cursor:].decode(errors="ignore")
    lines = replace(snippet, text=text).lines
    parts: list[str] = []
    done = 0
    for marker in (marker for marker in markers if marker.snippet == index):
        parts += lines[done : marker.line]
        if parts and not parts[-1].endswith("\n"):
            parts.append("\n")
        parts.append(f"{marker.tag}\n")
        done = marker.line
    return "".join([*parts, *lines[done:]])


def snippets_of(inputs: PromptInputs, related: Iterable[Snippet]) -> list[Snippet]:
    """What the model is shown: the file around the cursor first, then related rows that are not in it already.

    Raises:
        AnswerError: The cursor is not inside its excerpt.
    """
    if not 0 <= inputs.cursor_offset_in_excerpt <= len(inputs.cursor_excerpt.encode()):
        raise AnswerError("the cursor is not inside any excerpt of its file")
    main = Snippet(inputs.cursor_path, inputs.excerpt_start_row or 0, inputs.cursor_excerpt, is_cursor_file=True)
    return [main, *(snippet for snippet in related if not _overlaps(snippet, main))]


def parse_jumps(answer: str, snippets: Sequence[Snippet]) -> ParsedPrediction:
    """Read an answer to the jumps prompt.

    Args:
        answer: The model's words.
        snippets: What the model was shown.

    Raises:
        AnswerError: A tag is unknown, a span runs over a gap or backwards, or a replacement looks cut off.
    """
    if says_no_edits(answer):
        return ParsedPrediction("")
    blocks = [block for block in code_blocks(answer) if TAG.search(block)]
    if not blocks:
        raise AnswerError("the answer has no block with marker tags", words=answer)
    runs = _runs(snippets)
    markers = {marker.name: marker for marker in place_markers(snippets)}
    edits: list[_Edit] = []
    for block in blocks:
        edit = _edit(block, markers, runs)
        if not any(_collide(edit, other) for other in edits):
            edits.append(edit)
    return _prediction(runs, edits)


def _prediction(runs: Sequence[_Run], edits: Sequence[_Edit]) -> ParsedPrediction:
    marked = _patch(runs, edits, with_cursor=True)
    patch = _patch(runs, edits, with_cursor=False)
    refuse_sentinels(patch)
    clean, offset = take_patch_cursor(marked)
    return ParsedPrediction(patch, _cursor(runs, edits, offset if clean == patch else None))


def _boundaries(lines: Sequence[str]) -> list[int]:
    """Lines before which a tag stands: after blank lines, once a piece has some length, and at the end."""
    boundaries = [0]
    for index in range(1, len(lines)):
        length = index - boundaries[-1]
        after_blank = not lines[index - 1].strip() and bool(lines[index].strip())
        if length >= LONG_PIECE or (length >= SHORT_PIECE and after_blank):
            boundaries.append(index)
    return [*boundaries, len(lines)]


def _name(seed: int, piece: str) -> str:
    """Four characters of a 64-bit FNV-1a hash."""
    value = 0xCBF29CE484222325
    for byte in seed.to_bytes(2, "little") + piece.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return base64.urlsafe_b64encode(value.to_bytes(8, "little")).decode()[:4]


def _overlaps(snippet: Snippet, main: Snippet) -> bool:
    is_same = main.path in {snippet.path, snippet.path.partition("/")[2]}
    return is_same and snippet.start_row < main.end_row and main.start_row < snippet.end_row


def _runs(snippets: Sequence[Snippet]) -> list[_Run]:
    order = sorted(
        range(len(snippets)), key=lambda i: (not snippets[i].is_cursor_file, snippets[i].path, snippets[i].start_row)
    )
    runs: list[_Run] = []
    for index in order:
        snippet = snippets[index]
        last = runs[-1] if runs else None
        touches = (
            last is not None and last.path == snippet.path and last.start_row + len(last.lines) == snippet.start_row
        )
        if last is None or not touches:
            own = (snippet.path, snippet.start_row, tuple(snippet.lines), (index,), (0,), snippet.is_cursor_file)
            runs.append(_Run(*own))
        else:
            runs[-1] = replace(
                last,
                lines=(*last.lines, *snippet.lines),
                snippets=(*last.snippets, index),
                offsets=(*last.offsets, len(last.lines)),
            )
    return runs


def _edit(block: str, markers: dict[str, Marker], runs: Sequence[_Run]) -> _Edit:
    found = list(TAG.finditer(block))
    for match in found:
        if match[1] not in markers:
            raise AnswerError(f"the answer names an unknown marker {match[0]}", words=block)
    if len(found) < 2:
        raise AnswerError("a block needs two marker tags, before and after the span", words=block)
    (run, start), (other, end) = (_place(markers[match[1]], runs) for match in (found[0], found[-1]))
    if run != other:
        raise AnswerError("a span's two markers stand in different context snippets", words=block)
    if start > end:
        raise AnswerError("a span's first marker stands after its last one", words=block)
    text = TAG.sub("", block[found[0].end() : found[-1].start()])
    lines = tuple(Snippet("", 0, text.removeprefix("\n")).lines)
    if lines and not lines[-1].endswith("\n"):
        lines = (*lines[:-1], f"{lines[-1]}\n")
    edit = _Edit(start, end, lines, run)
    if _looks_truncated(runs[run].lines[start:end], lines):
        raise AnswerError("the replacement looks truncated: it ends before its span does", words=block)
    return edit


def _place(marker: Marker, runs: Sequence[_Run]) -> tuple[int, int]:
    run = next(index for index, run in enumerate(runs) if marker.snippet in run.snippets)
    return run, runs[run].offsets[runs[run].snippets.index(marker.snippet)] + marker.line


def _looks_truncated(old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether the end of the span was left out without a word; leaving out all of it is said clearly enough."""
    if not new:
        return False
    hunks = diff_lines([line.rstrip("\n") for line in old], [line.rstrip("\n") for line in new])
    if not hunks or hunks[-1].new_lines or hunks[-1].old_end < len(old):
        return False
    return sum(bool(line.strip()) for line in hunks[-1].old_lines) > TRUNCATED_LINES


def _collide(edit: _Edit, other: _Edit) -> bool:
    if edit.run != other.run:
        return False
    return (edit.start < other.end and other.start < edit.end) or (edit.start, edit.end) == (other.start, other.end)


def _patch(runs: Sequence[_Run], edits: Sequence[_Edit], *, with_cursor: bool) -> str:
    """One file section a file, its rows counted in the file."""
    parts: list[str] = []
    path, shift = None, 0
    for index, run in enumerate(runs):
        new = _new_lines(run, [edit for edit in edits if edit.run == index])
        old_text, new_text = "".join(run.lines), "".join(new)
        if not with_cursor:
            new_text = new_text.replace(USER_CURSOR, "")
        shift = shift if path == run.path else 0
        hunks = make_hunks(old_text, new_text, context=CONTEXT_LINES, first_row=run.start_row, shift=shift)
        if hunks and path != run.path:
            parts.append(f"--- a/{run.path}\n+++ b/{run.path}\n")
            path = run.path
        parts.append(hunks)
        shift += len(new) - len(run.lines)
    return "".join(parts)


def _new_lines(run: _Run, edits: Iterable[_Edit]) -> list[str]:
    lines = list(run.lines)
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end), reverse=True):
        lines[edit.start : edit.end] = edit.lines
    return lines


def _cursor(runs: Sequence[_Run], edits: Sequence[_Edit], patch_offset: int | None) -> Cursor | None:
    for index, run in enumerate(runs):
        text = "".join(_new_lines(run, [edit for edit in edits if edit.run == index]))
        at = text.find(USER_CURSOR)
        if at >= 0:
            before = text[:at]
            return Cursor(
                path=run.path,
                row=run.start_row + before.count("\n"),
                column=len(before[before.rfind("\n") + 1 :].encode()),
                offset=len(before.encode()),
                editable_region_offset=patch_offset,
            )
    return None
