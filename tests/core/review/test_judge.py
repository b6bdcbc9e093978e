from __future__ import annotations

import json

import pytest

from redraft.core.review.example import Example, QaResult, Score
from redraft.core.review.judge import NOT_JSON, needs_repair, parse_judgement
from rows import row

SAID = {"reasoning": "fits", "reverts_edits": False, "confidence": 4}


@pytest.mark.parametrize(
    "answer",
    [row(205, f"Here:\n```json\n{json.dumps(SAID)}\n```\n"), row(206, json.dumps(SAID)), f"```\n{json.dumps(SAID)}"],
)
def test_a_judgement_in_a_block_or_bare(answer: str) -> None:
    result = parse_judgement(answer)
    assert (result.reasoning, result.reverts_edits, result.confidence, result.error) == ("fits", False, 4, None)
    assert result.response == answer


@pytest.mark.rows(207)
@pytest.mark.parametrize("confidence", ["4", 4.0, 0, 6, 258, -1, True, None])
def test_a_confidence_that_is_no_whole_number_from_1_to_5_is_absent(confidence: object) -> None:
    result = parse_judgement(json.dumps(SAID | {"confidence": confidence}))
    assert (result.confidence, result.error) == (None, None)


def test_half_a_character_in_the_reasoning_can_still_be_written() -> None:
    result = parse_judgement('{"reasoning": "ends \\ud83d", "confidence": 3}')
    assert (result.reasoning, result.confidence) == ("ends ?", 3)


@pytest.mark.rows(209)
@pytest.mark.parametrize(
    "answer",
    [
        f"```\nprose\n```\n```json\n{json.dumps(SAID)}\n```",
        "I am not sure.",
        "",
        '{"confidence": NaN}',
        "[" * 100_000,
    ],
    ids=["second block", "prose", "empty", "not a number", "deep"],
)
def test_what_is_no_json_is_kept_as_reasoning_with_an_error(answer: str) -> None:
    result = parse_judgement(answer)
    assert (result.reasoning, result.error, result.is_empty) == (answer, NOT_JSON, True)


def example(qa: QaResult | None = None, score: Score | None = None) -> Example:
    return Example(
        repository_url="",
        revision="",
        cursor_path="",
        cursor_position="",
        edit_history="",
        expected_patches=[],
        qa=[qa],
        score=[score] if score else [],
    )


@pytest.mark.parametrize(
    ("qa", "score", "threshold", "repair"),
    [
        row(183, QaResult(reverts_edits=True, confidence=5), None, 2, True),
        row(185, QaResult(reverts_edits=False, confidence=3), Score(reversal_ratio=1.0), 2, False),
        row(186, QaResult(reverts_edits=False, confidence=3), None, 3, True),
        (QaResult(reverts_edits=False, confidence=2), None, 2, True),
        row(189, None, Score(reversal_ratio=0.9), 2, False),
        (None, Score(reversal_ratio=0.91), 2, True),
        row(190, None, Score(wrong_editable_region=True), 2, True),
        row(191, None, Score(discarded_chars=500, exact_lines_fp=50), 2, False),
        (None, None, 2, False),
        row(193, QaResult(reverts_edits=False, confidence=1), None, 0, False),
    ],
)
def test_who_deserves_a_second_try(qa: QaResult | None, score: Score | None, threshold: int, *, repair: bool) -> None:
    assert needs_repair(example(qa, score), threshold) is repair


@pytest.mark.rows(187)
def test_a_judgement_that_could_not_be_read_hides_no_bad_score() -> None:
    unread = QaResult(reasoning="prose", error=NOT_JSON)
    assert needs_repair(example(unread, Score(reversal_ratio=1.0)))
    assert not needs_repair(example(unread, Score(reversal_ratio=0.5)))
