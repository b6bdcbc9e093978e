"""What is right, wrong and missing, and the rates made of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Counts:
    """A classification: what was found, what was found wrongly, what was missed."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0

    @classmethod
    def compare(cls, expected: Counter[str], actual: Counter[str]) -> Self:
        """Compare two multisets."""
        right = sum(min(number, actual[item]) for item, number in expected.items() if item in actual)
        return cls(right, actual.total() - right, expected.total() - right)

    @property
    def precision(self) -> float:
        """The right share of what was found; 0 if nothing was found."""
        return _share(self.true_positives, self.false_positives)

    @property
    def recall(self) -> float:
        """The found share of what was right; 0 if nothing was right."""
        return _share(self.true_positives, self.false_negatives)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 where both are 0."""
        return f_score(self.precision, self.recall, beta=1.0)

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.true_positives + other.true_positives,
            self.false_positives + other.false_positives,
            self.false_negatives + other.false_negatives,
        )


def f_score(precision: float, recall: float, *, beta: float) -> float:
    """The F-measure (van Rijsbergen 1979): recall weighs `beta` times as much as precision; 0 where both are 0."""
    if precision + recall == 0:
        return 0.0
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def _share(right: int, wrong: int) -> float:
    return right / (right + wrong) if right + wrong else 0.0
