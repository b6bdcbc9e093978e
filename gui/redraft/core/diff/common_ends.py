"""What two texts or sequences begin and end with alike, found by halving: comparing slices runs at memory speed."""

from __future__ import annotations

from collections.abc import Sequence


def common_ends(one: Sequence[object], other: Sequence[object]) -> tuple[int, int]:
    """How many items (of texts, characters) both begin with, and how many of what is left both end with."""
    head = common_head(one, other)
    return head, common_tail(one, other, min(len(one), len(other)) - head)


def common_head(one: Sequence[object], other: Sequence[object]) -> int:
    """How many items both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_tail(one: Sequence[object], other: Sequence[object], limit: int | None = None) -> int:
    """How many items both end with, at most `limit`."""
    low, high = 0, min(len(one), len(other)) if limit is None else limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
