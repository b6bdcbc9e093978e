from __future__ import annotations

import pytest

from redraft.core.review.example import BufferChange
from redraft_edit_prediction.live.history import event_diff
from redraft_edit_prediction.live.names import places_of, replaced_names, stands_in


def event(before: str, after: str) -> BufferChange:
    return BufferChange(path="x.py", diff=event_diff(before, after))


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        ("    result = 0\n", "    amount = 0\n", (("result", "amount"),)),
        ("result = 0\nuse(result)\n", "amount = 0\nuse(result)\n", (("result", "amount"),)),
        ("def f(lat, lon):\n", "def f(lat, longitude):\n", (("lon", "longitude"),)),
        ("x = total(a)\n", "x = total(a) + total(b)\n", ()),
        ("a = 1\n", "a = 2\n", ()),
        ("a = b\n", "", ()),
        ("n = n + 1\n", "count = n + 1\n", ()),
    ],
)
def test_a_name_that_gave_way_to_another_is_found(before: str, after: str, names: tuple[tuple[str, str], ...]) -> None:
    assert replaced_names(event(before, after)) == names


def test_only_whole_words_are_places() -> None:
    text = "n = 1\nnn = n\nprint(n)\n"
    assert places_of("n", text) == [0, 11, 19]
    assert stands_in("nn", text)
    assert not stands_in("prin", text)
    assert places_of("a", "a " * 300) == []
