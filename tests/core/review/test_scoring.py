from __future__ import annotations

import pytest

from redraft.core.errors import UsageError
from redraft.core.review.example import (
    BufferChange,
    ByteRange,
    Cursor,
    Example,
    Excerpt,
    Prediction,
    Prompt,
    PromptInputs,
    RelatedFile,
    Score,
)
from redraft.core.review.scoring import score_example

EXCERPT = "def area(w, h):\n    return w + h\n"


def patch(old: str, new: str, path: str = "shape.py", row: int = 0) -> str:
    return f"--- a/{path}\n+++ b/{path}\n@@ -{row + 1},1 +{row + 1},1 @@\n-{old}\n+{new}\n"


WANTED = patch("    return w + h", "    return w * h", row=1)


def example(*predictions: Prediction, expected: list[str] | None = None, **inputs: object) -> Example:
    fields: dict[str, object] = {
        "cursor_path": "shape.py",
        "cursor_excerpt": EXCERPT,
        "cursor_offset_in_excerpt": 0,
        "excerpt_start_row": 0,
    }
    return Example(
        name="area",
        repository_url="",
        revision="",
        cursor_path="shape.py",
        cursor_position="",
        edit_history="",
        expected_patches=[WANTED] if expected is None else expected,
        prompt_inputs=PromptInputs.model_validate(fields | inputs),
        predictions=list(predictions),
    )


def predicted(text: str | None, **fields: object) -> Prediction:
    return Prediction.model_validate({"provider": "teacher", "actual_patch": text} | fields)


def test_the_right_prediction_has_full_marks() -> None:
    [score] = score_example(example(predicted(WANTED)))
    assert score.delta_chr_f == pytest.approx(100)
    assert (score.kept_rate, score.recall_rate) == (1, 1)
    assert (score.exact_lines_tp, score.exact_lines_fp, score.exact_lines_fn) == (2, 0, 0)
    assert (score.inserted_tokens, score.deleted_tokens) == (1, 1)
    assert score.wrong_editable_region is False


def test_the_best_of_several_expected_patches_counts() -> None:
    other = patch("def area(w, h):", "def area(width, height):")
    [score] = score_example(example(predicted(WANTED), expected=[other, WANTED]))
    assert score.delta_chr_f == pytest.approx(100)


def test_a_prediction_that_could_not_be_read_scores_as_no_edit_and_flags_nothing() -> None:
    [score] = score_example(example(predicted(None, actual_output="prose")))
    assert score.delta_chr_f < 100
    assert (score.exact_lines_tp, score.exact_lines_fn) == (0, 2)
    assert score.wrong_editable_region is None


def test_without_a_prediction_there_is_one_score() -> None:
    assert len(score_example(example())) == 1


def test_scores_run_parallel_to_predictions() -> None:
    first, second = score_example(example(predicted(""), predicted(WANTED)))
    assert first.delta_chr_f < second.delta_chr_f


def test_an_excerpt_that_does_not_say_where_it_begins_is_scored_all_the_same() -> None:
    [score] = score_example(example(predicted(WANTED), excerpt_start_row=None))
    assert score.delta_chr_f == pytest.approx(100)


def test_nothing_expected_and_nothing_predicted_is_right() -> None:
    [score] = score_example(example(predicted(""), expected=[]))
    assert score.delta_chr_f == 100


def test_undoing_the_users_last_edit_shows() -> None:
    event = BufferChange(path="shape.py", diff="@@ -1,1 +1,2 @@\n def area(w, h):\n+    return w + h\n")
    undo = "--- a/shape.py\n+++ b/shape.py\n@@ -1,2 +1,1 @@\n def area(w, h):\n-    return w + h\n"
    [score] = score_example(example(predicted(undo), events=[event]))
    assert score.reversal_ratio == 1


def related(path: str = "project/src/other.py") -> list[RelatedFile]:
    text = "ten\neleven\ntwelve\n"
    excerpt = Excerpt(row_range=ByteRange(start=10, end=13), text=text)
    return [RelatedFile(path=path, max_row=40, excerpts=[excerpt])]


@pytest.mark.rows(233)
def test_an_edit_in_a_related_file_is_scored_through_its_excerpt() -> None:
    wanted = patch("eleven", "ELEVEN", "src/other.py", row=11)
    made = patch("eleven", "ELEVEN", "project/src/other.py", row=11)
    [score] = score_example(example(predicted(made), expected=[wanted], related_files=related()))
    assert score.delta_chr_f == pytest.approx(100)
    assert score.exact_lines_tp == 2
    assert score.jump_location is not None
    assert score.jump_location["file_f1"] == 1
    assert score.editable_context_coverage is not None
    assert score.editable_context_coverage["line_recall"] == 1


@pytest.mark.rows(234)
def test_a_missing_edit_in_a_related_file_is_missed() -> None:
    wanted = patch("eleven", "ELEVEN", "src/other.py", row=11)
    [score] = score_example(example(predicted(None), expected=[wanted], related_files=related()))
    assert score.delta_chr_f < 100
    assert score.exact_lines_fn == 2
    assert score.jump_location is not None
    assert (score.jump_location["file_fn"], score.jump_location["line_fn"]) == (1, 1)


def test_an_expected_patch_that_fits_nowhere_is_named() -> None:
    with pytest.raises(UsageError, match="Expected patch did not apply for area"):
        score_example(example(predicted(""), expected=[patch("nowhere", "x")], excerpt_start_row=None))


@pytest.mark.parametrize(("wanted", "made"), [("nowhere", ""), ("nowhere", "neither"), ("", "nowhere")])
def test_patches_that_change_nothing_that_was_shown_get_no_credit(wanted: str, made: str) -> None:
    patches = [patch(text, text.upper(), "elsewhere.py") if text else "" for text in (wanted, made)]
    [score] = score_example(example(predicted(patches[1]), expected=patches[:1]))
    assert (score.delta_chr_f, score.delta_chr_f_beta, score.kept_rate) == (0, 0.5, None)
    assert score.exact_lines_fn == (2 if wanted else 0)
    assert score.exact_lines_fp == (2 if made else 0)


def test_no_edit_where_none_was_wanted_has_full_marks() -> None:
    header = "--- a/shape.py\n+++ b/shape.py\n"
    [score] = score_example(example(predicted(header), expected=[""]))
    assert (score.delta_chr_f, score.kept_rate) == (100, 1)


def test_numbers_that_are_none_read_as_not_given() -> None:
    score = Score.model_validate_json(
        '{"reversal_ratio": NaN, "exact_lines_fp": null, "kept_chars": null, "own": null}'
    )
    assert (score.reversal_ratio, score.exact_lines_fp, score.kept_chars) == (0, 0, None)
    assert Score.model_validate_json(score.to_json()) == score


def test_missing_inputs_are_named() -> None:
    with pytest.raises(UsageError, match="prompt_inputs missing"):
        score_example(example().changed(prompt_inputs=None))


def test_the_caret_is_compared_in_bytes_from_the_regions_start() -> None:
    prompt = Prompt(input=f"<|editable_region_start|>\n{EXCERPT.rstrip()}\n<|editable_region_end|>", provider="teacher")
    wanted = patch("    return w + h", "    return w * h<|user_cursor|>", row=1)
    at = Cursor(path="shape.py", row=1, column=16, offset=32, editable_region_offset=32)
    base = example(predicted(WANTED, actual_cursor=at), predicted(WANTED), expected=[wanted])
    right, without = score_example(base.changed(prompt=prompt))
    assert (right.cursor_distance, right.cursor_exact_match) == (0, True)
    assert (without.cursor_distance, without.cursor_exact_match) == (None, False)
