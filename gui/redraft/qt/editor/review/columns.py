"""Old and new side of a proposal as two texts whose rows stand beside each other: what is in each, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.core.diff.hunks import Hunk
from redraft.core.text import split_lines
from redraft.qt.editor.inline_diff.layout import PlacedHunk


@dataclass(frozen=True, slots=True)
class ColumnHunk:
    """A hunk in one column.

    Attributes:
        id: The hunk's.
        hunk: What it changes, as it is shown.
        line: Its first line in the column; for an empty side, the line it stands before.
        count: How many lines it has here.
        filler: Blank rows that make it as long as in the other column.
        needs_review: Whether the text it would replace was changed since.
        is_bare: Whether it has no buttons.
    """

    id: int
    hunk: Hunk
    line: int
    count: int
    filler: int
    needs_review: bool = False
    is_bare: bool = False

    @property
    def end(self) -> int:
        """The line after its last one."""
        return self.line + self.count

    @property
    def has_header(self) -> bool:
        """Whether a row for its buttons can stand above it; above line 0 none can."""
        return self.line > 0 and not self.is_bare


@dataclass(frozen=True, slots=True)
class Column:
    """One side: its text, and its hunks from top to bottom."""

    text: str
    hunks: tuple[ColumnHunk, ...]

    def hunk_at(self, line: int) -> ColumnHunk | None:
        """The hunk that covers a line."""
        return next((hunk for hunk in self.hunks if hunk.line <= line < hunk.end), None)


def make_columns(text: str, hunks: Sequence[PlacedHunk]) -> tuple[Column, Column]:
    """The text as it is, and as it would be with all hunks, row by row beside each other."""
    lines = split_lines(text)
    new_lines: list[str] = []
    left: list[ColumnHunk] = []
    right: list[ColumnHunk] = []
    done = 0
    for placed in hunks:
        start, end, new = _spread(lines, placed)
        start = max(start, done)
        new_lines += lines[done:start]
        hunk = Hunk(start, tuple(lines[start:end]), new)
        removed, added = end - start, len(new)
        longest = max(removed, added)
        stale = placed.needs_review
        left.append(ColumnHunk(placed.id, hunk, start, removed, longest - removed, stale))
        right.append(ColumnHunk(placed.id, hunk, len(new_lines), added, longest - added, stale))
        new_lines += new
        done = end
    new_lines += lines[done:]
    return Column(text, tuple(left)), Column("".join(new_lines), tuple(right))


def _spread(lines: Sequence[str], placed: PlacedHunk) -> tuple[int, int, tuple[str, ...]]:
    """First line, line after the last and new lines; a hunk at the very top takes in a line on its empty side.

    Blank rows stand below lines, so a side that is empty at the top has no place for them.
    """
    start, end, new = placed.line, placed.end, placed.hunk.new_lines
    if start == 0 and (end == 0 or not new) and end < len(lines):
        return 0, end + 1, (*new, lines[end])
    return start, end, new
