from __future__ import annotations

import pytest

from redraft.core.errors import UsageError
from redraft.core.review.example import Cursor, Example, Prediction, QaResult, Score
from redraft.core.review.repair import build_repair_message, parse_repair, quality_feedback, token_change_info
from redraft.core.review.teacher import ParsedPrediction
from rows import row

FIVE = "`" * 5


def example(**fields: object) -> Example:
    blank: dict[str, object] = {
        "repository_url": "",
        "revision": "",
        "cursor_path": "",
        "cursor_position": "",
        "edit_history": "",
        "expected_patches": [],
    }
    return Example.model_validate(blank | fields)


def render(name: str, **values: object) -> str:
    assert name == "repair"
    return "\n".join(f"<{key}>{value}</{key}>" for key, value in values.items())


@pytest.mark.rows(194)
def test_the_judges_word_comes_first() -> None:
    qa = [QaResult(reverts_edits=True, confidence=2, reasoning="x")]
    assert quality_feedback(example(qa=qa, score=[Score(reversal_ratio=1)])) == (
        "- **Reverts user edits**: yes\n- **Confidence score**: 2/5\n- **Reasoning**: x"
    )


@pytest.mark.rows(195)
def test_what_the_judge_left_out_is_unknown() -> None:
    assert quality_feedback(example(qa=[QaResult()])) == (
        "- **Reverts user edits**: unknown\n- **Confidence score**: unknown/5\n- **Reasoning**: No reasoning provided"
    )


def test_a_judgement_without_a_word_gives_way_to_scores_that_have_one() -> None:
    flagged, fine = Score(reversal_ratio=1.0), Score()
    assert "1.00" in str(quality_feedback(example(qa=[QaResult()], score=[flagged])))
    assert "unknown/5" in str(quality_feedback(example(qa=[QaResult()], score=[fine])))


@pytest.mark.rows(197)
def test_scores_speak_in_order_when_nobody_judged() -> None:
    score = Score(reversal_ratio=0.95, wrong_editable_region=True, discarded_chars=81, exact_lines_fp=6)
    feedback = quality_feedback(example(score=[score]))
    assert feedback is not None
    assert feedback.index("0.95") < feedback.index("outside the editable region") < feedback.index("too large")
    assert feedback.endswith("answer NO_EDITS.")
    assert feedback.index("KEEP_PREVIOUS") < feedback.index("NO_EDITS")


@pytest.mark.parametrize(("discarded", "extra"), [row(198, 80, 6), row(199, 81, 5)])
def test_size_alone_is_flagged_only_past_both_limits(discarded: int, extra: int) -> None:
    assert quality_feedback(example(score=[Score(discarded_chars=discarded, exact_lines_fp=extra)])) is None


@pytest.mark.parametrize(
    ("deleted", "inserted", "noted"), [row(201, 100, 100, False), row(202, 101, 0, True), (0, 101, True)]
)
def test_a_very_large_change_is_noted(deleted: int, inserted: int, *, noted: bool) -> None:
    patch = "@@ ... @@\n" + "".join(f"-{'.' * 1}\n" for _ in range(0)) + _tokens("-", deleted) + _tokens("+", inserted)
    info = token_change_info(patch)
    assert f"- **Deleted tokens**: {deleted}\n- **Inserted tokens**: {inserted}\n" in info
    assert ("narrower edit" in info) is noted


def _tokens(sign: str, count: int) -> str:
    letter = "d" if sign == "-" else "i"
    words = [f"{letter}{number}" for number in range((count + 1) // 2)]
    line = ".".join(words) + ("." if count and count % 2 == 0 else "")
    # Old and new share the full stops; keep them apart by using another mark.
    return f"{sign}{line.replace('.', '.' if sign == '-' else ',')}\n" if count else ""


def test_the_message_shows_the_first_prediction_as_words() -> None:
    first = Prediction(provider="teacher", actual_patch="@@ -1 +1 @@\n-old text\n+new text\n")
    message = build_repair_message(example(predictions=[first], qa=[QaResult(confidence=1)]), render)
    assert "<actual_patch_word_diff>@@ -1 +1 @@\n[-old-]{+new+} text\n</actual_patch_word_diff>" in message
    assert f"<fence>{FIVE}</fence>" in message


@pytest.mark.rows(203)
def test_no_edits_is_shown_as_an_empty_prediction() -> None:
    first = Prediction(provider="teacher", actual_patch="")
    message = build_repair_message(example(predictions=[first], qa=[QaResult(confidence=1)]), render)
    assert "<actual_patch_word_diff></actual_patch_word_diff>" in message
    assert "- **Deleted tokens**: 0\n- **Inserted tokens**: 0\n" in message


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, r"no actual_patch available \(run predict first\)"),
        ({"predictions": [Prediction(provider="teacher")]}, r"no actual_patch available \(run predict first\)"),
        ({"predictions": [Prediction(provider="t", actual_patch="")]}, "no quality feedback available"),
    ],
)
def test_a_missing_stage_is_named(fields: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        build_repair_message(example(**fields), render)


@pytest.mark.rows(177)
def test_keep_previous_wins_over_everything_and_copies_byte_for_byte() -> None:
    cursor = Cursor(path="f", row=1, column=2, offset=3)
    first = Prediction(provider="teacher", actual_patch="@@ -1 +1 @@\n-a\n+b\n", actual_cursor=cursor)
    answer = f"Not NO_EDITS but KEEP_PREVIOUS.\n{FIVE}\nNO_EDITS\n{FIVE}\n"
    assert parse_repair(example(predictions=[first]), answer) == ParsedPrediction(first.actual_patch or "", cursor)


@pytest.mark.rows(178)
def test_keeping_a_prediction_that_could_not_be_read_changes_nothing() -> None:
    assert parse_repair(example(predictions=[Prediction(provider="t")]), "KEEP_PREVIOUS") == ParsedPrediction("")


@pytest.mark.rows(179)
def test_there_must_be_something_to_keep() -> None:
    with pytest.raises(UsageError, match="run predict first"):
        parse_repair(example(), "KEEP_PREVIOUS")


def test_anything_else_is_read_like_a_first_answer() -> None:
    assert parse_repair(example(), f"{FIVE}\nNO_EDITS\n{FIVE}") == ParsedPrediction("")
