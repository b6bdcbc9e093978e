"""How much of a prediction the user would keep, and how much of what the user wants it brings.

All lengths are UTF-8 bytes, so that numbers compare with other tools of the field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import compress
from typing import Final

from redraft.core.review.metrics.common_lines import without_common_lines
from redraft.core.review.metrics.subsequence import common_mask
from redraft.core.review.tokens import tokenize_code, tokenize_units

GUARD_BYTES: Final = 512
"""Past this difference in growth the texts are about different things, and aligning them would tell nothing."""


class Label(Enum):
    """What becomes of a token of a prediction."""

    CONTEXT = "context"
    KEPT = "kept"
    DISCARDED = "discarded"


_LABELS: Final = {True: Label.KEPT, False: Label.DISCARDED}


@dataclass(frozen=True, slots=True)
class KeptRate:
    """The rates, 0 to 1, and the bytes they are made of."""

    kept_rate: float
    recall_rate: float
    candidate_new: int = 0
    kept: int = 0
    discarded: int = 0
    candidate_deleted: int = 0
    correctly_deleted: int = 0
    reference_new: int = 0
    reference_deleted: int = 0


def kept_rate(base: str, candidate: str, reference: str) -> KeptRate:
    """Compare a prediction with what was wanted, both as changes of `base`.

    `kept_rate` is the share of the candidate's new and deleted bytes that the reference has too, `recall_rate` the
    share of the reference's that the candidate has; a side that changes nothing has rate 1 if the other changes
    nothing either, else 0.
    """
    if base == candidate == reference:
        return KeptRate(1.0, 1.0)
    growth, wanted_growth = (abs(_size(text) - _size(base)) for text in (candidate, reference))
    if abs(growth - wanted_growth) > GUARD_BYTES:
        return KeptRate(0.0, 0.0, candidate_new=growth, discarded=growth, reference_new=wanted_growth)
    # Lines that all three have in common at their ends count for nothing, and most of a file is such lines.
    old, made, wanted = without_common_lines(base, candidate, reference)
    return _compare(tokenize_units(old), tokenize_units(made), tokenize_units(wanted))


def kept_labels(base: str, candidate: str, reference: str) -> list[tuple[str, Label]]:
    """For display: each code token of the candidate, and whether it was there before, would be kept, or discarded."""
    units, wanted = tokenize_units(candidate), tokenize_units(reference)
    old = tokenize_units(base)
    was_there = common_mask(units, old)
    kept = iter(common_mask(_without(units, was_there), _without(wanted, common_mask(wanted, old))))
    labels: list[tuple[str, Label]] = []
    for unit, is_old in zip(units, was_there, strict=True):
        label = Label.CONTEXT if is_old else _LABELS[next(kept)]
        labels += ((token, label) for token in tokenize_code(unit))
    return labels


def _compare(base: list[str], candidate: list[str], reference: list[str]) -> KeptRate:
    new = _without(candidate, common_mask(candidate, base))
    wanted = _without(reference, common_mask(reference, base))
    survives, should_survive = common_mask(base, candidate), common_mask(base, reference)
    kept = _bytes(compress(new, common_mask(new, wanted)))
    correctly_deleted = _bytes(
        unit
        for unit, stays, should_stay in zip(base, survives, should_survive, strict=True)
        if not stays and not should_stay
    )
    made = (_bytes(new), _bytes(_without(base, survives)))
    asked = (_bytes(wanted), _bytes(_without(base, should_survive)))
    return KeptRate(
        _rate(kept + correctly_deleted, sum(made), sum(asked)),
        _rate(kept + correctly_deleted, sum(asked), sum(made)),
        made[0],
        kept,
        made[0] - kept,
        made[1],
        correctly_deleted,
        *asked,
    )


def _rate(right: int, changed: int, changed_by_other: int) -> float:
    if changed:
        return right / changed
    return 0.0 if changed_by_other else 1.0


def _without(units: list[str], mask: Sequence[bool]) -> list[str]:
    return [unit for unit, matched in zip(units, mask, strict=True) if not matched]


def _bytes(units: Iterable[str]) -> int:
    return _size("".join(units))


def _size(text: str) -> int:
    return len(text.encode())
