"""Which rows around the cursor a model may rewrite, and which more it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

EDITABLE_TOKENS: Final = 350
CONTEXT_TOKENS: Final = 150
BYTES_PER_TOKEN: Final = 3

Span = tuple[int, int]
"""A half-open range, of rows or of bytes."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Byte ranges in an excerpt; the end of neither includes the last row's line end."""

    editable: Span
    context: Span


def choose_ranges(
    excerpt: str,
    cursor: int,
    syntax: Sequence[Span],
    *,
    editable_tokens: int = EDITABLE_TOKENS,
    context_tokens: int = CONTEXT_TOKENS,
) -> Ranges:
    """Choose rows around the cursor: first evenly, then whole syntax nodes, then row by row while the budget lasts.

    Args:
        excerpt: The text.
        cursor: The cursor's byte offset in it.
        syntax: Byte ranges of the syntax nodes around the cursor, innermost first.
        editable_tokens: How much may be rewritten.
        context_tokens: How much more is shown.
    """
    rows = _Rows(excerpt)
    editable = rows.around(rows.row_of(cursor), editable_tokens, syntax)
    context = rows.context_of(editable, context_tokens, syntax)
    return Ranges(rows.bytes_of(editable), rows.bytes_of(context))


def tokens_of(size: int) -> int:
    """Tokens in so many bytes, estimated."""
    return size // BYTES_PER_TOKEN


class _Rows:
    """The rows of an excerpt with their places and costs."""

    def __init__(self, excerpt: str) -> None:
        sizes = [len(line.encode()) for line in excerpt.split("\n")]
        if len(sizes) > 1 and sizes[-1] == 0:
            sizes.pop()
        self.starts = [0]
        for size in sizes:
            self.starts.append(self.starts[-1] + size + 1)
        self.sizes = sizes
        self.costs = [max(1, tokens_of(size)) for size in sizes]

    def row_of(self, offset: int) -> int:
        """The row of a byte offset."""
        return next(
            (row for row, size in enumerate(self.sizes) if offset <= self.starts[row] + size), len(self.sizes) - 1
        )

    def bytes_of(self, span: Span) -> Span:
        """The bytes of rows, without the last one's line end."""
        return self.starts[span[0]], self.starts[span[1] - 1] + self.sizes[span[1] - 1]

    def around(self, row: int, limit: int, syntax: Sequence[Span]) -> Span:
        """The editable rows."""
        first_budget = limit * 3 // 4
        span, left = self._evenly(row, max(0, first_budget - self.costs[row]))
        evenly = span
        span, left, _ = self._to_nodes(span, left + limit - first_budget, syntax)
        grown_up, grown_down = evenly[0] - span[0], span[1] - evenly[1]
        return self._row_by_row(span, left, up_first=grown_up <= grown_down)

    def context_of(self, span: Span, limit: int, syntax: Sequence[Span]) -> Span:
        """The rows shown around the editable ones."""
        wider, left, took_node = self._to_nodes(span, limit, syntax)
        return wider if took_node else self._row_by_row(wider, left, up_first=True)

    def _evenly(self, row: int, budget: int) -> tuple[Span, int]:
        start, end = row, row + 1
        while budget > 0 and (start > 0 or end < len(self.costs)):
            if end < len(self.costs):
                if self.costs[end] > budget:
                    break
                budget -= self.costs[end]
                end += 1
            if start > 0:
                if self.costs[start - 1] > budget:
                    break
                start -= 1
                budget -= self.costs[start]
        return (start, end), budget

    def _to_nodes(self, span: Span, budget: int, syntax: Sequence[Span]) -> tuple[Span, int, bool]:
        took = False
        for node in syntax:
            start = min(span[0], self.row_of(node[0]))
            end = max(span[1], self.row_of(max(node[0], node[1] - 1)) + 1)
            if (start, end) == span:
                continue
            cost = sum(self.costs[start : span[0]]) + sum(self.costs[span[1] : end])
            if cost > budget:
                break
            span, budget, took = (start, end), budget - cost, True
        return span, budget, took

    def _row_by_row(self, span: Span, budget: int, *, up_first: bool) -> Span:
        start, end = span
        is_growing = True
        while is_growing:
            is_growing = False
            for is_up in (up_first, not up_first):
                row = start - 1 if is_up else end
                if not 0 <= row < len(self.costs) or self.costs[row] > budget:
                    continue
                budget -= self.costs[row]
                start, end = (row, end) if is_up else (start, row + 1)
                is_growing = True
        return start, end
