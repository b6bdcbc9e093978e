from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.review.metrics.kept_rate import KeptRate, Label, _compare, kept_labels, kept_rate
from redraft.core.review.metrics.subsequence import common_mask
from redraft.core.review.tokens import tokenize_units
from rows import row

START = "fn example() {\n    epr\n"
HELLO = "    decoy.when(mock_sync_module_hardware.speed_status).then_return(SpeedStatus.IDLE)\n"


@pytest.mark.parametrize(
    ("base", "candidate", "reference", "expected"),
    [
        row(77, "foo bar", "foo bar", "foo bar", KeptRate(1, 1)),
        row(78, "old", "new", "new", KeptRate(1, 1, 3, 3, 0, 3, 3, 3, 3)),
        row(79, "old", "old", "new", KeptRate(0, 0, 0, 0, 0, 0, 0, 3, 3)),
        row(
            81,
            "",
            "brand new line\n",
            "something completely different\n",
            KeptRate(0.2, 3 / 31, 15, 3, 12, 0, 0, 31, 0),
        ),
        row(
            82,
            "    decoy.when(mock_sync_hardware_api.sp()).then_return(SpeedStatus.IDLE)\n",
            HELLO,
            HELLO,
            KeptRate(1, 1, 37, 37, 0, 26, 26, 37, 26),
        ),
        row(
            83,
            START,
            START + 'eprintln!("");\n',
            'fn example() {\neprintln!("");\n',
            KeptRate(14 / 15, 2 / 3, 15, 14, 1, 0, 0, 14, 7),
        ),
        row(85, "old\n", "alpha\nbeta\ngamma\n", "alpha\ngamma\n", KeptRate(14 / 19, 1, 16, 11, 5, 3, 3, 11, 3)),
        row(
            86,
            START,
            'fn example() {\n    eprintln!("hello world!");\n',
            'fn example() {\n    eprintln!("");\n',
            KeptRate(17 / 29, 1, 26, 14, 12, 3, 3, 14, 3),
        ),
        row(
            87,
            "a=fomr\nb=old\n",
            "a=formula;\nb=old\n",
            "a=formula;\nb=new\n",
            KeptRate(1, 2 / 3, 8, 8, 0, 4, 4, 11, 7),
        ),
        row(
            89,
            "foo + foo + foo + foo + foo\n" * 16,
            "foo + foo + prediction_token + foo + foo\n" * 16,
            "foo + foo + kept_token + foo + foo\n" * 16,
            KeptRate(48 / 304, 48 / 208, 256, 0, 256, 48, 48, 160, 48),
        ),
        row(91, "x = 1\n", "x = 2\n", "x = 1\n", KeptRate(0, 0, 1, 0, 1, 1, 0, 0, 0)),
        row(90, "x" * 29, "x" * 46, "x" * 1954, KeptRate(0, 0, 17, 0, 17, 0, 0, 1925, 0)),
    ],
)
def test_a_prediction_is_compared_with_what_was_wanted(
    base: str, candidate: str, reference: str, expected: KeptRate
) -> None:
    assert kept_rate(base, candidate, reference) == expected


@pytest.mark.parametrize(
    ("first", "second", "masks"),
    [
        ("abcde", "ace", ([1, 0, 1, 0, 1], [1, 1, 1])),
        ("", "x", ([], [0])),
        ("xaxb", "axbx", ([0, 1, 1, 1], [1, 1, 1, 0])),
    ],
)
def test_what_lies_on_a_common_subsequence(first: str, second: str, masks: tuple[list[int], list[int]]) -> None:
    assert (common_mask(first, second), common_mask(second, first)) == masks


def lcs_length(first: str, second: str) -> int:
    @cache
    def length(i: int, j: int) -> int:
        if not i or not j:
            return 0
        if first[i - 1] == second[j - 1]:
            return length(i - 1, j - 1) + 1
        return max(length(i - 1, j), length(i, j - 1))

    return length(len(first), len(second))


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_the_marked_items_are_a_longest_common_subsequence(first: str, second: str) -> None:
    mine = "".join(char for char, marked in zip(first, common_mask(first, second), strict=True) if marked)
    assert len(mine) == lcs_length(first, second)
    rest = iter(second)
    assert all(char in rest for char in mine)


@given(st.text("ab \n", max_size=20), st.text("ab \n", max_size=20), st.text("ab \n", max_size=20))
def test_rates_stay_between_0_and_1_and_the_right_answer_has_both(base: str, candidate: str, reference: str) -> None:
    result = kept_rate(base, candidate, reference)
    assert 0 <= result.kept_rate <= 1
    assert 0 <= result.recall_rate <= 1
    right = kept_rate(base, reference, reference)
    assert (right.kept_rate, right.recall_rate) == (1, 1)


def test_tokens_are_labelled_for_display() -> None:
    labels = kept_labels(
        START, 'fn example() {\n    eprintln!("hello world!");\n', 'fn example() {\n    eprintln!("");\n'
    )
    start = next(index for index, (token, _) in enumerate(labels) if token == "eprintln")
    found = [label for _, label in labels[start : start + 11]]
    assert found == [Label.KEPT] * 4 + [Label.DISCARDED] * 4 + [Label.KEPT] * 3
    assert labels[-1] == ("\n", Label.CONTEXT)


def test_nothing_new_is_all_context() -> None:
    assert {label for _, label in kept_labels("foo bar", "foo bar", "foo bar")} == {Label.CONTEXT}


def test_a_renamed_identifier_is_kept_as_a_whole() -> None:
    labels = kept_labels("old_name = 1\n", "new_name = 1\n", "new_name = 1\n")
    assert [token for token, label in labels if label is Label.KEPT] == ["new", "_", "name"]


lines = st.lists(st.sampled_from(["a", "b", "a b", "", "c\r"]), max_size=7).map("\n".join)


@given(lines, lines, lines)
def test_lines_that_all_texts_share_change_no_rate(base: str, candidate: str, reference: str) -> None:
    whole = _compare(*map(tokenize_units, (base, candidate, reference)))
    assert kept_rate(base, candidate, reference) == whole
