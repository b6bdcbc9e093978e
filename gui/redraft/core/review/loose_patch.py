"""Unified diffs as models and datasets write them: read leniently, applied by their context, made without ceremony.

`redraft.core.diff.patch` is for files and is strict. Here a hunk may lack its counts or its place, and where its
context stands only once in the text, that is where it goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Final

from redraft.core.diff.lines import diff_lines
from redraft.core.errors import PatchError
from redraft.core.review.patch_lines import HUNK_HEADER, LineKind, PatchLine, patch_lines

_PATH: Final = re.compile(r"(?:---|\+\+\+)\s+(?:\"((?:[^\"\\]|\\.)*)\"|(\S+))")
_REVERSED: Final = {LineKind.ADDED: LineKind.DELETED, LineKind.DELETED: LineKind.ADDED}
_SIGNS: Final = {LineKind.ADDED: "+", LineKind.DELETED: "-"}


@dataclass(frozen=True, slots=True)
class LooseHunk:
    """One hunk. Rows count from 0 and are `None` where its header names no place."""

    path: str
    old_start: int | None
    new_start: int | None
    lines: tuple[PatchLine, ...]

    @property
    def old_text(self) -> list[str]:
        """The lines it expects, without their ends."""
        return [line.content for line in self.lines if line.kind is not LineKind.ADDED]

    @property
    def new_text(self) -> list[str]:
        """The lines it leaves, without their ends."""
        return [line.content for line in self.lines if line.kind is not LineKind.DELETED]

    @property
    def growth(self) -> int:
        """Lines it adds less lines it deletes."""
        return len(self.new_text) - len(self.old_text)

    @property
    def has_changes(self) -> bool:
        """Whether it adds or deletes anything."""
        return any(line.is_change for line in self.lines)


def read_hunks(patch: str, *, with_notes: bool = False) -> list[LooseHunk]:
    """All hunks of a patch, in order, each with its file's new name (the old one for a deleted file).

    Args:
        patch: The patch.
        with_notes: Keep lines that are no text of the file, such as comments between hunks, where they stand.
    """
    return list(_hunks(patch, with_notes=with_notes))


@lru_cache(maxsize=16)  # Every metric of an example reads the same few patches.
def _hunks(patch: str, *, with_notes: bool) -> tuple[LooseHunk, ...]:
    hunks: list[LooseHunk] = []
    lines: list[list[PatchLine]] = []
    path = ""
    for line in patch_lines(patch):
        if line.kind is not LineKind.HEADER:
            if lines and (with_notes or line.kind is not LineKind.NOTE):
                lines[-1].append(line)
        elif line.text.startswith("@@"):
            hunks.append(_opened(path, line.text))
            lines.append([])
        else:
            path = _path(line.text) or path
    return tuple(replace(hunk, lines=tuple(own)) for hunk, own in zip(hunks, lines, strict=True) if own)


def _opened(path: str, header: str) -> LooseHunk:
    match = HUNK_HEADER.match(header)
    if match is None:
        return LooseHunk(path, None, None, ())
    return LooseHunk(path, max(int(match[1]) - 1, 0), max(int(match[3]) - 1, 0), ())


def _path(header: str) -> str:
    match = _PATH.match(header)
    if match is None:
        return ""
    path = re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[2]
    return "" if path == "/dev/null" else re.sub(r"^[ab]/", "", path)


def apply_hunks_loosely(text: str, hunks: Iterable[LooseHunk], *, skip_failing: bool = False) -> str:
    """Apply the hunks of one file by their context.

    A context that stands once is taken whatever the header says; of several places the one the header names, moved
    by the growth of the hunks before.

    Raises:
        PatchError: A hunk's place cannot be told; not if failing hunks are to be skipped.
    """
    shift = 0
    for hunk in hunks:
        try:
            text = _apply_one(text, hunk, shift)
        except PatchError:
            if not skip_failing:
                raise
        else:
            shift += hunk.growth
    return text


def _apply_one(text: str, hunk: LooseHunk, shift: int) -> str:
    lines = text.split("\n")
    expected, replacement = hunk.old_text, hunk.new_text
    last = len(lines) - 1 if lines[-1] == "" else len(lines)
    if not expected:
        at = max(0, min((hunk.old_start or 0) + shift, last))
        if at == len(lines):
            return "\n".join([*lines, *replacement])
        return "\n".join([*lines[:at], *replacement, *lines[at:]])
    first, count = expected[0], len(expected)
    places = [at for at in range(last - count + 1) if lines[at] == first and lines[at : at + count] == expected]
    at = _place(places, hunk, shift)
    if at + count == len(lines) and (at or replacement) and _shrinks_at_its_end(hunk):
        replacement = [*replacement, ""]  # The line before keeps the end it has.
    return "\n".join([*lines[:at], *replacement, *lines[at + count :]])


def _shrinks_at_its_end(hunk: LooseHunk) -> bool:
    """Whether the hunk's last lines only go away."""
    last = list(takewhile(lambda line: line.is_change, reversed(hunk.lines)))
    return bool(last) and not any(line.is_added for line in last)


def _place(places: Sequence[int], hunk: LooseHunk, shift: int) -> int:
    if len(places) == 1:
        return places[0]
    where = None if hunk.old_start is None else hunk.old_start + shift
    if where in places:
        return places[places.index(where)]
    if not places:
        raise PatchError("couldn't resolve hunk: its lines are nowhere in the text")
    many = f"in {len(places)} places in the text, and its header does not tell which"
    raise PatchError(f"couldn't resolve hunk: its lines are {many}")


def reversed_hunk(hunk: LooseHunk) -> LooseHunk:
    """The hunk that undoes this one."""
    lines = tuple(
        PatchLine(kind, _SIGNS.get(kind, line.text[:1]) + line.content)
        for line in hunk.lines
        for kind in (_REVERSED.get(line.kind, line.kind),)
    )
    return LooseHunk(hunk.path, hunk.new_start, hunk.old_start, lines)


def cut_to_rows(diff: str, first_row: int, row_count: int) -> tuple[str, int]:
    """The part of a diff that touches some rows of the new text, its places relative to the first of them.

    Lines that were deleted right behind the last row belong to it: most of all, those at the end of a file.

    Returns:
        The cut diff, and by how many lines the diff moved what follows the rows' last touched line.
    """
    parts: list[str] = []
    moved = 0
    end_row = first_row + row_count
    for hunk in read_hunks(diff):
        start = hunk.new_start or 0
        if start >= end_row:
            continue
        moved += hunk.growth
        rows = list(_rows(hunk, start))
        kept = [(row, line) for row, line in rows if first_row <= row < end_row]
        behind = [(row, line) for row, line in rows if row == end_row]
        if not any(line.is_added for _, line in behind):  # else they gave way to a line that is none of these rows
            kept += [(row, line) for row, line in behind if line.kind is LineKind.DELETED]
        if kept:
            parts.append(render_hunk([line for _, line in kept], kept[0][0] - first_row, kept[0][0] - first_row))
    return "".join(parts), moved


def _rows(hunk: LooseHunk, row: int) -> Iterator[tuple[int, PatchLine]]:
    for line in hunk.lines:
        yield row, line
        row += line.kind is not LineKind.DELETED


def render_hunk(lines: Sequence[PatchLine], old_row: int, new_row: int) -> str:
    """A hunk as text; its header names first row + 1 on both sides, also for a side without lines."""
    old_count = sum(line.kind is not LineKind.ADDED for line in lines)
    new_count = sum(line.kind is not LineKind.DELETED for line in lines)
    header = f"@@ -{old_row + 1},{old_count} +{new_row + 1},{new_count} @@\n"
    return header + "".join(f"{line.text}\n" for line in lines)


def make_hunks(old: str, new: str, *, context: int = 3, first_row: int = 0, shift: int = 0) -> str:
    """The hunks from one text to another, without file header; whether the last line has an end does not show.

    The old text begins at `first_row` of its file, the new one `shift` rows after that.
    """
    old_lines, new_lines = _bare_lines(old), _bare_lines(new)
    changes = diff_lines(old_lines, new_lines)
    parts: list[str] = []
    index = 0
    while index < len(changes):
        group = [changes[index]]
        while (index := index + 1) < len(changes) and changes[index].old_start - group[-1].old_end <= 2 * context:
            group.append(changes[index])
        start, end = max(0, group[0].old_start - context), min(len(old_lines), group[-1].old_end + context)
        lines: list[PatchLine] = []
        done = start
        for change in group:
            lines += [PatchLine(LineKind.CONTEXT, f" {line}") for line in old_lines[done : change.old_start]]
            lines += [PatchLine(LineKind.DELETED, f"-{line}") for line in change.old_lines]
            lines += [PatchLine(LineKind.ADDED, f"+{line}") for line in change.new_lines]
            done = change.old_end
        lines += [PatchLine(LineKind.CONTEXT, f" {line}") for line in old_lines[done:end]]
        parts.append(render_hunk(lines, first_row + start, first_row + start + shift))
        shift += sum(len(change.new_lines) - len(change.old_lines) for change in group)
    return "".join(parts)


def _bare_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines
