"""Delta-chrF: do the changes match, character by character?

Plain chrF (Popović 2015) of two whole files is close to 100 whatever the edit did. This compares only what each
edit changed: the n-grams it added and took away, relative to the original.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from redraft.core.diff.common_ends import common_ends
from redraft.core.review.metrics.counts import Counts, f_score

MAX_N: Final = 6
BETA: Final = 0.5
"""Precision counts twice as much as recall: a wrong edit costs the user more than a missing one."""
MARGIN: Final = 5
"""Characters of unchanged text seen on each side of the change."""

_BLANKS: Final = re.compile(r"[^\S\r\n]+")
_LINE_ENDS: Final = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class DeltaChrf:
    """A score from 0 to 100 and what it is made of; scores of different `beta` must not be mixed."""

    score: float
    true_positives: int
    false_positives: int
    false_negatives: int
    precision: float
    recall: float
    beta: float = BETA


def delta_chrf(original: str, expected: str, actual: str, *, beta: float = BETA) -> DeltaChrf:
    """Compare the change from `original` to `actual` with the change from `original` to `expected`.

    Runs of white space count as one. For each n from 1 to 6 the n-grams added and removed by both changes are
    compared as multisets; precision and recall are the means over n, where an n too long for either change counts
    as 1; the score is their F-measure times 100.
    """
    if original == expected == actual:
        return DeltaChrf(100.0, 0, 0, 0, 1.0, 1.0, beta)
    original, expected, actual = (_collapse_space(text) for text in (original, expected, actual))
    wanted, made = _changed_windows(original, expected), _changed_windows(original, actual)
    total, precisions, recalls = Counts(), [], []
    for n in range(1, MAX_N + 1):
        if all(len(window) < n for window in (*wanted, *made)):
            precisions.append(1.0)
            recalls.append(1.0)
            continue
        counts = Counts.compare(_changed_ngrams(*wanted, n), _changed_ngrams(*made, n))
        total += counts
        precisions.append(counts.precision)
        recalls.append(counts.recall)
    precision, recall = fmean(precisions), fmean(recalls)
    return DeltaChrf(
        100 * f_score(precision, recall, beta=beta),
        total.true_positives,
        total.false_positives,
        total.false_negatives,
        precision,
        recall,
        beta,
    )


def ngrams(text: str, n: int) -> Counter[str]:
    """How often each run of `n` characters occurs."""
    return Counter([text[start : start + n] for start in range(len(text) - n + 1)])


def _collapse_space(text: str) -> str:
    return _LINE_ENDS.sub("\n", _BLANKS.sub(" ", text))


def _changed_windows(before: str, after: str) -> tuple[str, str]:
    """The part of each text that differs, with a margin; both empty if nothing does."""
    if before == after:
        return "", ""
    prefix, suffix = common_ends(before, after)
    start = max(0, prefix - MARGIN)
    return (
        before[start : len(before) - suffix + MARGIN],
        after[start : len(after) - suffix + MARGIN],
    )


def _changed_ngrams(before: str, after: str, n: int) -> Counter[str]:
    """N-grams that became more, and under another name (a leading NUL) those that became fewer."""
    old, new = ngrams(before, n), ngrams(after, n)
    changed = {gram: new[gram] - old[gram] for gram, _ in new.items() ^ old.items()}
    return Counter({gram if count > 0 else f"\0{gram}": abs(count) for gram, count in changed.items()})
