"""Reads a judge's answer, and decides whether a prediction deserves a second try."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from redraft.core.review.example import Example, QaResult

CONFIDENCE_THRESHOLD: Final = 2
REVERSAL_LIMIT: Final = 0.9
"""Share of a prediction that takes back the user's own edits, above which it is repaired."""

NOT_JSON: Final = "Could not parse JSON from response"

_BLOCK: Final = re.compile(r"^```[^\n]*\n(.*?)(?:^```|\Z)", re.DOTALL | re.MULTILINE)


def parse_judgement(answer: str) -> QaResult:
    """Read a judgement: JSON in the first block, else the whole answer as JSON.

    A confidence that is no whole number from 1 to 5 counts as absent. What cannot be read is kept as the reasoning,
    with an error; the answer itself is always kept.
    """
    block = _BLOCK.search(answer)
    for text in (block[1] if block else None, answer.strip()):
        if text is None:
            continue
        try:
            said = json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            continue
        return _judgement(said if isinstance(said, dict) else {}, answer)
    return QaResult(reasoning=answer, error=NOT_JSON, response=answer)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _judgement(said: Mapping[str, Any], answer: str) -> QaResult:
    reasoning, reverts, confidence = said.get("reasoning"), said.get("reverts_edits"), said.get("confidence")
    return QaResult(
        # Half of a surrogate pair can be escaped in JSON, but cannot be written to a file.
        reasoning=reasoning.encode(errors="replace").decode() if isinstance(reasoning, str) else None,
        reverts_edits=reverts if isinstance(reverts, bool) else None,
        confidence=confidence if type(confidence) is int and 1 <= confidence <= 5 else None,
        response=answer,
    )


def needs_repair(example: Example, confidence_threshold: int = CONFIDENCE_THRESHOLD) -> bool:
    """Whether the first prediction deserves a second try.

    A judgement that could be read decides alone: the prediction undoes the user's work, or the confidence is at most
    the threshold. Without one the scores decide: a reversal over 0.9, or a region out of step.
    """
    judgement = example.judgement
    if judgement is not None:
        if judgement.reverts_edits:
            return True
        return judgement.confidence is not None and judgement.confidence <= confidence_threshold
    if not example.score:
        return False
    score = example.score[0]
    return score.reversal_ratio > REVERSAL_LIMIT or score.wrong_editable_region is True
