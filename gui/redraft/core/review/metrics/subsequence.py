"""The longest common subsequence of two token sequences, by bit-parallel rows and a walk back.

One row is one Python integer (Hyyrö 2004), so a thousand tokens against a thousand take milliseconds.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

from redraft.core.diff.common_ends import common_ends

T = TypeVar("T", bound=Hashable)


def common_mask(items: Sequence[T], other: Sequence[T]) -> list[bool]:
    """For each of `items`, whether it lies on a longest common subsequence with `other`.

    Common ends are matched first. Where several subsequences are longest, `items` gives up its own first, from the end.
    """
    head, tail = common_ends(items, other)
    middle = _middle_mask(items[head : len(items) - tail], other[head : len(other) - tail])
    return [True] * head + middle + [True] * tail


def _middle_mask(items: Sequence[T], other: Sequence[T]) -> list[bool]:
    mask = [False] * len(items)
    if not items or not other:
        return mask
    rows = _rows(items, other)
    row, column = len(items), len(other)
    while row and column:
        if items[row - 1] == other[column - 1]:
            row, column = row - 1, column - 1
            mask[row] = True
        elif _length(rows[row - 1], column) >= _length(rows[row], column - 1):
            row -= 1
        else:
            column -= 1
    return mask


def _rows(items: Sequence[T], other: Sequence[T]) -> list[int]:
    """Row i as bits: bit j is set where the length of row i grows from column j to j + 1."""
    places: dict[T, int] = {}
    for column, item in enumerate(other):
        places[item] = places.get(item, 0) | (1 << column)
    full = (1 << len(other)) - 1
    flat, rows = full, [0]
    for item in items:
        matches = flat & places.get(item, 0)
        flat = ((flat + matches) | (flat - matches)) & full
        rows.append(full & ~flat)
    return rows


def _length(row: int, columns: int) -> int:
    return (row & ((1 << columns) - 1)).bit_count()
