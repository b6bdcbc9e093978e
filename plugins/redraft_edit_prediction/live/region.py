"""Which rows around a place a model may rewrite, and which more it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.core.review.teacher import REGION_END, REGION_START, USER_CURSOR
from redraft.core.text import TextIndex, without_end
from redraft_edit_prediction.pipeline.ranges import tokens_of


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens that a request may spend.

    Attributes:
        above: Rows above the place that may be rewritten.
        below: The place's row, and those below it that may be rewritten.
        around: Rows shown at either side of that.
        history: The latest edits.
        begins: Whether the answer is begun for the model with the rows above the place: then it cannot change them, but
            knows where it is.
    """

    above: int
    below: int
    around: int
    history: int
    begins: bool = False


SMALL: Final = Budget(above=40, below=140, around=60, history=220, begins=True)
"""For a model on this machine, which reads and writes slowly."""

LARGE: Final = Budget(above=130, below=260, around=300, history=1200)
"""For a server."""

MOST_ROWS: Final = 60


@dataclass(frozen=True, slots=True)
class Region:
    """Rows of a text, half-open: those that may be rewritten, and those that are shown.

    Attributes:
        index: The text.
        caret: The offset of the place.
        start: The first row that may be rewritten.
        end: The row after the last one.
        first: The first row shown.
        last: The row after the last one shown.
    """

    index: TextIndex
    caret: int
    start: int
    end: int
    first: int
    last: int

    @property
    def lines(self) -> list[str]:
        """The rows that may be rewritten, with LF at the end of each."""
        return [f"{line}\n" for line in self._bare(self.start, self.end)]

    @property
    def lines_above_place(self) -> list[str]:
        """Those of them that stand above the place."""
        return self.lines[: self.index.line_at(self.caret) - self.start]

    @property
    def above(self) -> list[str]:
        """The rows shown above, with LF at the end of each."""
        return [f"{line}\n" for line in self._bare(self.first, self.start)]

    @property
    def below(self) -> list[str]:
        """The rows shown below, with LF at the end of each."""
        return [f"{line}\n" for line in self._bare(self.end, self.last)]

    @property
    def end_of_line(self) -> str:
        """The text's own line end."""
        text = self.index.text
        return "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"

    def excerpt(self) -> str:
        """What is shown, with tags around what may be rewritten and a mark at the caret."""
        row = self.index.line_at(self.caret)
        column = self.caret - self.index.line_range(row).start
        inner = self._bare(self.start, self.end)
        marked = inner[row - self.start]
        inner[row - self.start] = marked[:column] + USER_CURSOR + marked[column:]
        above, below = self._bare(self.first, self.start), self._bare(self.end, self.last)
        return "\n".join((*above, REGION_START, *inner, REGION_END, *below))

    def _bare(self, start: int, end: int) -> list[str]:
        return [without_end(self.index.line_range(row).of(self.index.text)) for row in range(start, end)]


def region_at(index: TextIndex, caret: int, budget: Budget) -> Region:
    """The rows around a place that fit a budget; the place's own row is always among them."""
    row = index.line_at(caret)
    # A text that ends with a line end has an empty row after it, which says nothing unless the caret is there.
    count = index.line_count - (index.line_count > row + 1 and index.line_starts[-1] == len(index.text))
    start = row - _fitting(
        [_cost(index, above) for above in range(row - 1, max(row - MOST_ROWS, 0) - 1, -1)], budget.above
    )
    costs = [_cost(index, below) for below in range(row, min(row + MOST_ROWS, count))]
    end = row + max(_fitting(costs, budget.below), 1)
    first = start - _fitting(
        [_cost(index, above) for above in range(start - 1, max(start - MOST_ROWS, 0) - 1, -1)], budget.around
    )
    last = end + _fitting([_cost(index, below) for below in range(end, min(end + MOST_ROWS, count))], budget.around)
    return Region(index, caret, start, end, first, last)


def _cost(index: TextIndex, row: int) -> int:
    return max(1, tokens_of(len(index.line_range(row).of(index.text).encode())))


def _fitting(costs: Sequence[int], budget: int) -> int:
    """How many fit, in order."""
    for count, cost in enumerate(costs):
        budget -= cost
        if budget < 0:
            return count
    return len(costs)
