"""Which words of a changed line changed, for emphasis inside a hunk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import cdist

from redraft.core.diff.graphemes import boundary_after, boundary_before, is_boundary
from redraft.core.text import without_end

Span = tuple[int, int]
"""Code points of a line, start included and end not."""

LEAST_SIMILAR: Final = 0.45
"""Share of common characters below which two lines are simply different."""

LONGEST_LINE: Final = 400
"""Characters above which a line is compared by its two ends only."""

MOST_PAIRINGS: Final = 4_096
"""Pairs of lines of one hunk that are tried; a larger hunk pairs line by line."""

# One ideograph or kana is a word; other letters and digits run together; spaces run together; the rest stands alone.
WORD: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+|\s+|."
)


def word_spans(old_line: str, new_line: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The changed words of either line; none where less than 45 % is common, or nothing differs.

    Spans never cut a grapheme cluster, and leave the line ends out.
    """
    old, new = without_end(old_line), without_end(new_line)
    if old == new:
        return (), ()
    if max(len(old), len(new)) > LONGEST_LINE:
        return _by_ends(old, new)
    old_words, new_words = _words(old), _words(new)
    kept_old, kept_new = _kept([old[a:b] for a, b in old_words], [new[a:b] for a, b in new_words])
    common = sum(old_words[index][1] - old_words[index][0] for index in kept_old)
    if 2 * common < LEAST_SIMILAR * (len(old) + len(new)):
        return (), ()
    return _changed(old, old_words, kept_old), _changed(new, new_words, kept_new)


def pair_lines(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Which old line became which new one: pairs rising on both sides, with the greatest likeness in sum."""
    if not old or not new:
        return []
    if len(old) * len(new) > MOST_PAIRINGS:
        return [(index, index) for index in range(min(len(old), len(new)))]
    likeness = cdist([line[:LONGEST_LINE] for line in old], [line[:LONGEST_LINE] for line in new], scorer=ratio) / 100
    likeness[likeness < LEAST_SIMILAR] = 0
    best = np.zeros((len(old) + 1, len(new) + 1))
    for i in range(len(old)):
        best[i + 1, 1:] = np.maximum.accumulate(np.maximum(best[i, 1:], best[i, :-1] + likeness[i]))
    pairs: list[tuple[int, int]] = []
    i, j = len(old), len(new)
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def _words(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in WORD.finditer(text):
        if spans and not is_boundary(text, match.start()):
            spans[-1] = (spans[-1][0], match.end())
        else:
            spans.append(match.span())
    return spans


def _kept(old: list[str], new: list[str]) -> tuple[set[int], set[int]]:
    numbers: dict[str, int] = {}
    steps = LCSseq.opcodes(
        [numbers.setdefault(word, len(numbers)) for word in old],
        [numbers.setdefault(word, len(numbers)) for word in new],
    )
    kept_old: set[int] = set()
    kept_new: set[int] = set()
    for step in steps:
        if step.tag == "equal":
            kept_old.update(range(step.src_start, step.src_end))
            kept_new.update(range(step.dest_start, step.dest_end))
    return kept_old, kept_new


def _changed(text: str, words: list[Span], kept: set[int]) -> tuple[Span, ...]:
    """The words that are not kept; neighbours with nothing but spaces between them become one span."""
    spans: list[Span] = []
    for index, (start, end) in enumerate(words):
        if index in kept:
            continue
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return tuple(spans)


def _by_ends(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    shorter = min(len(old), len(new))
    head = _common_length(old, new, shorter)
    tail = _common_length(old[::-1], new[::-1], shorter - head)
    if 2 * (head + tail) < LEAST_SIMILAR * (len(old) + len(new)):
        return (), ()
    head = min(boundary_before(old, head), boundary_before(new, head))
    spans = [((head, end),) if (end := boundary_after(line, len(line) - tail)) > head else () for line in (old, new)]
    return spans[0], spans[1]


def _common_length(one: str, other: str, limit: int) -> int:
    """Length of the common prefix, by halving: comparing slices runs at memory speed."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
