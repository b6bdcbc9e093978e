from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.graphemes import boundary_after, boundary_before, is_boundary


@pytest.mark.parametrize(
    ("text", "cuts"),
    [
        ("ab", [0, 1, 2]),
        ("e\u0301x", [0, 2, 3]),
        ("a\r\nb", [0, 1, 3, 4]),
        ("👩‍👩‍👧x", [0, 5, 6]),
        ("🏳️‍🌈é", [0, 4, 5]),
        ("👍🏽!", [0, 2, 3]),
        ("🇩🇪🇫🇷", [0, 2, 4]),
        ("🚫a", [0, 1, 2]),
        ("各々", [0, 1, 2]),
    ],
)
def test_characters_stay_whole(text: str, cuts: list[int]) -> None:
    assert [at for at in range(len(text) + 1) if is_boundary(text, at)] == cuts


@given(st.text(alphabet="ae\u0301\u200d👩🇩🇪\ufe0f\r\n", max_size=12), st.integers(0, 12))
def test_nearest_boundaries_enclose_the_offset(text: str, at: int) -> None:
    at = min(at, len(text))
    assert boundary_before(text, at) <= at <= boundary_after(text, at)
    assert is_boundary(text, boundary_before(text, at))
    assert is_boundary(text, boundary_after(text, at))
