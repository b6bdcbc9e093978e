"""What stands where: a plain description of an overlay over a document's lines, made anew for every frame."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from redraft.core.diff.hunks import Hunk
from redraft.qt.editor.inline_diff.hidden import hides_something


class LineKind(IntEnum):
    """How a document's line inside the range is drawn."""

    CONTEXT = 0
    REMOVED = 1
    PENDING = 2
    OFFERED = 3


@dataclass(frozen=True, slots=True)
class PlacedHunk:
    """An undecided hunk, where it stands in the document now.

    Attributes:
        id: The hunk's.
        hunk: What it changes.
        line: The first document line it covers; for an insertion, the line it stands before.
        end: The line after the last one it covers.
        needs_review: Whether the lines it covers were changed since.
        is_settled: Whether it can be decided: it no longer grows.
        new_start: Index of its first new line on the new side.
    """

    id: int
    hunk: Hunk
    line: int
    end: int
    needs_review: bool = False
    is_settled: bool = True
    new_start: int = 0

    @property
    def facts(self) -> tuple[int, Hunk, int, int, bool, bool, int]:
        """All of it, in the order of its fields."""
        return self.id, self.hunk, self.line, self.end, self.needs_review, self.is_settled, self.new_start

    @property
    def anchor(self) -> int:
        """The line below which its new lines stand."""
        return max(self.end - 1, 0) if self.end > self.line or self.line == 0 else self.line - 1

    @property
    def can_accept(self) -> bool:
        """Whether its button accepts it: it fits the text, and shows all it brings."""
        return not self.needs_review and not hides_something(self.hunk)

    @property
    def stands_before(self) -> bool:
        """Whether it is an insertion: its rows belong to the line after them."""
        return self.end == self.line and self.line > 0


@dataclass(frozen=True, slots=True)
class Layout:
    """All that an overlay draws.

    Attributes:
        first: The first document line of the range.
        end: The line after the last one.
        hunks: Undecided hunks from top to bottom.
        frontier: The first line not reached yet while the answer is written, else `None`.
        partial: What is known of the line being written.
    """

    first: int
    end: int
    hunks: tuple[PlacedHunk, ...] = ()
    frontier: int | None = None
    partial: str = ""
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Every line in view is looked up several times a frame.
        object.__setattr__(self, "_starts", tuple(placed.line for placed in self.hunks))

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to write or to decide."""
        return self.frontier is None and not self.hunks

    def hunk_at(self, line: int) -> PlacedHunk | None:
        """The hunk that covers a line, or stands right before it."""
        index = bisect_right(self._starts, line) - 1
        if index < 0:
            return None
        placed = self.hunks[index]
        return placed if line < max(placed.end, placed.line + 1) else None

    def number_of(self, placed: PlacedHunk) -> int:
        """Which of the hunks one is, from 1."""
        at = bisect_left(self._starts, placed.line)
        return next(number for number in range(at + 1, len(self.hunks) + 1) if self.hunks[number - 1].id == placed.id)

    def kind_of(self, line: int) -> LineKind:
        """How a line of the range is drawn."""
        if self.frontier is not None and line >= self.frontier:
            return LineKind.PENDING
        placed = self.hunk_at(line)
        if placed is None or line >= placed.end:
            return LineKind.CONTEXT
        return LineKind.OFFERED if placed.needs_review else LineKind.REMOVED

    def between(self, first: int, last: int) -> Sequence[PlacedHunk]:
        """The hunks that may have rows between two lines."""
        start = bisect_right(self.hunks, first, key=lambda placed: max(placed.end, placed.line))
        start = max(start - 1, 0)
        stop = bisect_right(self._starts, last + 1)
        return self.hunks[start:stop]
