"""Shortest edit scripts between two sequences of tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel


@dataclass(frozen=True, slots=True)
class Span:
    """One step of an edit script: old tokens and the new ones in their place; equal if `is_equal`."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    is_equal: bool


def spans(old: Sequence[str], new: Sequence[str]) -> Iterator[Span]:
    """A shortest edit script (fewest tokens deleted and inserted), equal and changed spans in turn."""
    old_at = new_at = 0
    for block in Indel.editops(old, new).as_matching_blocks():
        if old_at < block.a or new_at < block.b:
            yield Span(old_at, block.a, new_at, block.b, is_equal=False)
        old_at, new_at = block.a + block.size, block.b + block.size
        if block.size:
            yield Span(block.a, old_at, block.b, new_at, is_equal=True)
