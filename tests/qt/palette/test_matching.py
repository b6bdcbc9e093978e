from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.qt.palette.matching import rank

CHOICES = [
    "File: Open File…",
    "File: Open Folder…",
    "File: Save",
    "File: Save All",
    "View: Side Bar",
    "src/tideline/readings.py",
    "tests/test_readings.py",
]


def best(typed: str) -> str:
    return CHOICES[rank(typed, CHOICES)[0].place]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("save", "File: Save"),
        ("save all", "File: Save All"),
        ("folder", "File: Open Folder…"),
        ("readings", "src/tideline/readings.py"),
        ("test_rea", "tests/test_readings.py"),
        ("sdb", "View: Side Bar"),
        ("foldr", "File: Open Folder…"),
        ("SAVE", "File: Save"),
    ],
)
def test_the_best_match_is_what_people_mean(typed: str, expected: str) -> None:
    assert best(typed) == expected


def test_nothing_typed_lists_all_in_their_order() -> None:
    assert [match.place for match in rank("", CHOICES)] == list(range(len(CHOICES)))


def test_positions_are_the_letters_typed() -> None:
    match = rank("save", CHOICES)[0]
    assert "".join(CHOICES[match.place][place] for place in match.positions) == "Save"


def test_what_does_not_match_is_left_out() -> None:
    assert rank("qqq", CHOICES) == []


@given(st.text(), st.lists(st.text(), max_size=20))
def test_positions_always_lie_inside_the_choice(typed: str, choices: list[str]) -> None:
    for match in rank(typed, choices):
        assert all(0 <= place < len(choices[match.place]) for place in match.positions)
