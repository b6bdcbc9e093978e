from __future__ import annotations

import pytest

from redraft.core.errors import AnswerError
from redraft.core.review.example import Cursor, Example, Prompt, PromptInputs
from redraft.core.review.teacher import ParsedPrediction, extract_region, parse_prediction, says_no_edits
from rows import row

START, END, CURSOR = "<|editable_region_start|>", "<|editable_region_end|>", "<|user_cursor|>"
FIVE = "`" * 5
EXCERPT = "one\ntwo\nthree\nfour\na\nb\nlast\n"


def example(region: str = f"a\n{CURSOR}b") -> Example:
    return Example(
        repository_url="",
        revision="",
        cursor_path="P",
        cursor_position="",
        edit_history="",
        expected_patches=[],
        prompt_inputs=PromptInputs(cursor_path="P", cursor_excerpt=EXCERPT, cursor_offset_in_excerpt=21),
        prompt=Prompt(input=f"{FIVE}P\n{START}\n{region}\n{END}\n{FIVE}", provider="teacher"),
    )


def block(content: str) -> str:
    return f"I complete it.\n\n{FIVE}\n{content}\n{FIVE}\n"


@pytest.mark.parametrize(
    ("answer", "no_edits"),
    [
        row(171, block("NO_EDITS"), True),
        row(173, "The code is finished, so I answer NO_EDITS", True),
        row(174, "NO_EDITS.", False),
        ("Nothing to do: NO_EDITS\r\n", True),
        row(175, f"NO_EDITS would be wrong here.\n{block(f'{START}{chr(10)}a{chr(10)}{END}')}", False),
    ],
)
def test_the_word_that_nothing_should_change(answer: str, *, no_edits: bool) -> None:
    assert says_no_edits(answer) is no_edits


@pytest.mark.rows(171)
def test_no_edits_is_an_empty_patch() -> None:
    assert parse_prediction(example(), block("NO_EDITS")) == ParsedPrediction("")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        row(167, f"before\n{START}\none\ntwo three\n\n{END}\nafter\n", "one\ntwo three"),
        (f"{START}\none\n{END}\nI put it between `{START}` and `{END}`, as told.", "one"),
        (f"Between {START} and {END}:\n{START}\none\n{END}\n", "one"),
        (f"{START}\n\n{END}", ""),
        (f"{START}\none{END}", "one"),
        (f"{START}one\n{END}", "one"),
        row(170, f"{START}\none\n{END}\n{START}\nlast\n{END}", "last"),
        row(169, f"{START}\n{END}", ""),
        (f"{START}{END}", ""),
        (f"no end {START}\nrest\n", "rest"),
        (f"no start\n{END}", "no start"),
    ],
)
def test_the_region_stands_between_the_last_tags(text: str, region: str) -> None:
    assert extract_region(text) == region


def test_tags_the_wrong_way_round_are_an_error() -> None:
    with pytest.raises(AnswerError, match="invalid editable region markers"):
        extract_region(f"{END}\n{START}\n")


@pytest.mark.rows(182)
def test_a_changed_region_becomes_one_hunk_with_its_rows_in_the_excerpt() -> None:
    parsed = parse_prediction(example(), block(f"{START}\na\nc\n{END}"))
    assert parsed == ParsedPrediction("--- a/P\n+++ b/P\n@@ -5,2 +5,2 @@\n a\n-b\n+c\n")


def test_the_caret_is_told_in_rows_columns_and_bytes() -> None:
    parsed = parse_prediction(example(), block(f"{START}\na\ncé{CURSOR}d\n{END}"))
    assert parsed.cursor == Cursor(path="P", row=5, column=3, offset=24, editable_region_offset=5)
    assert CURSOR not in parsed.patch


@pytest.mark.rows(181)
def test_the_same_region_is_no_change() -> None:
    assert parse_prediction(example(), block(f"{START}\na\nb\n{END}")).patch == ""


def test_line_ends_of_the_file_are_kept_though_a_model_writes_lf() -> None:
    excerpt = "one\r\na\r\nb\r\n"
    inputs = PromptInputs(cursor_path="P", cursor_excerpt=excerpt, cursor_offset_in_excerpt=5)
    parsed = parse_prediction(example("a\r\nb\r").changed(prompt_inputs=inputs), block(f"{START}\na\nc{CURSOR}\n{END}"))
    assert parsed.patch == "--- a/P\n+++ b/P\n@@ -2,2 +2,2 @@\n a\r\n-b\r\n+c\r\n"
    assert parsed.cursor == Cursor(path="P", row=2, column=1, offset=9, editable_region_offset=4)


def test_everything_may_be_deleted() -> None:
    parsed = parse_prediction(example(), block(f"{START}\n{END}"))
    assert parsed.patch == "--- a/P\n+++ b/P\n@@ -5,2 +5,0 @@\n-a\n-b\n"


def test_without_tags_the_last_block_is_the_region_and_prose_never() -> None:
    assert parse_prediction(example(), block("a\nc")).patch.endswith("-b\n+c\n")
    with pytest.raises(AnswerError, match="neither region tags nor a code block"):
        parse_prediction(example(), "I would rename b to c.")


def test_a_control_word_never_becomes_code() -> None:
    with pytest.raises(AnswerError, match="control words"):
        parse_prediction(example(), block(f"{START}\na\nKEEP_PREVIOUS\n{END}\nor so"))


def test_a_region_that_is_not_in_the_file_is_an_error() -> None:
    with pytest.raises(AnswerError, match="editable region not found"):
        parse_prediction(example("x\ny"), block(f"{START}\nz\n{END}"))


def test_of_two_equal_regions_the_one_at_the_caret_is_meant() -> None:
    twice = example("a\nb").changed(
        prompt_inputs=PromptInputs(cursor_path="P", cursor_excerpt="a\nb\nx\na\nb\n", cursor_offset_in_excerpt=7)
    )
    assert "@@ -4,2 +4,2 @@" in parse_prediction(twice, block(f"{START}\na\nc\n{END}")).patch


def test_what_is_missing_is_named_with_the_stage_that_makes_it() -> None:
    with pytest.raises(AnswerError, match="run format_prompt first"):
        parse_prediction(example().changed(prompt=None), block("x"))
    with pytest.raises(AnswerError, match="run context retrieval first"):
        parse_prediction(example().changed(prompt_inputs=None), block("x"))


def test_a_models_own_tokens_never_become_code() -> None:
    with pytest.raises(AnswerError, match="model's own tokens"):
        parse_prediction(example(), block(f"{START}\na\nc<|im_end|>\n{END}"))


def test_code_that_holds_such_tokens_already_may_be_changed() -> None:
    excerpt = "stop = '<|im_end|>'\nb\n"
    one = example("stop = '<|im_end|>'\nb").changed(
        prompt_inputs=PromptInputs(cursor_path="P", cursor_excerpt=excerpt, cursor_offset_in_excerpt=0)
    )
    answer = block(f"{START}\nstops = ['<|im_end|>']\nb\n{END}")
    assert "+stops = ['<|im_end|>']" in parse_prediction(one, answer).patch
