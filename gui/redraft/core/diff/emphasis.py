"""Changed words of hunks, found line by line when they come into view."""

from __future__ import annotations

from functools import lru_cache

from redraft.core.diff.hunks import Hunk
from redraft.core.diff.words import pair_lines, word_spans

Spans = tuple[tuple[int, int], ...]


class HunkEmphasis:
    """Which words to draw stronger on either side of one hunk."""

    def __init__(self, hunk: Hunk) -> None:
        self._hunk = hunk
        pairs = pair_lines(hunk.old_lines, hunk.new_lines)
        self._new_of = dict(pairs)
        self._old_of = {new: old for old, new in pairs}

    def old(self, index: int) -> Spans:
        """Spans of an old line."""
        other = self._new_of.get(index)
        return () if other is None else spans_of(self._hunk.old_lines[index], self._hunk.new_lines[other])[0]

    def new(self, index: int) -> Spans:
        """Spans of a new line."""
        other = self._old_of.get(index)
        return () if other is None else spans_of(self._hunk.old_lines[other], self._hunk.new_lines[index])[1]


@lru_cache(maxsize=4096)
def spans_of(old: str, new: str) -> tuple[Spans, Spans]:
    """Changed words of a pair of lines."""
    return word_spans(old, new)


@lru_cache(maxsize=256)
def emphasis(hunk: Hunk) -> HunkEmphasis:
    """The emphasis of a hunk; made once for equal hunks."""
    return HunkEmphasis(hunk)
