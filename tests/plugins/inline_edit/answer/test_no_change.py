from __future__ import annotations

import pytest

from redraft_inline_edit.answer.no_change import says_nothing_to_change


@pytest.mark.parametrize(
    "words",
    [
        "No changes are needed.",
        "The function handles that case. No change is necessary here.",
        "Nothing needs to be changed.",
        "There is nothing to fix.",
        "The code doesn’t need any changes.",
        "This is already correct.",
        "No further modifications required.",
    ],
)
def test_a_model_that_says_so_is_understood(words: str) -> None:
    assert says_nothing_to_change(words)


@pytest.mark.parametrize(
    "words",
    [
        "",
        "Here is the code.",
        "I changed nothing outside the selection.",
        "No changes are needed except in the last line.",
        "The signature is already correct, but the body must change.",
        "Some changes are needed.",
    ],
)
def test_other_words_and_reservations_are_not_taken_for_it(words: str) -> None:
    assert not says_nothing_to_change(words)
