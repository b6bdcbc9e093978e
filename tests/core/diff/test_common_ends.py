from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.common_ends import common_ends, common_head, common_tail

TEXTS = st.text("ab", max_size=8)


@given(TEXTS, TEXTS)
def test_the_common_head_is_the_longest(one: str, other: str) -> None:
    length = common_head(one, other)
    assert one[:length] == other[:length]
    assert one[length : length + 1] != other[length : length + 1] or length == min(len(one), len(other))
    assert common_tail(one[::-1], other[::-1]) == length


@given(TEXTS, TEXTS)
def test_common_ends_do_not_overlap_and_leave_nothing_in_common(one: str, other: str) -> None:
    head, tail = common_ends(one, other)
    old, new = one[head : len(one) - tail], other[head : len(other) - tail]
    assert (one[:head] + new + one[len(one) - tail :], head + tail + len(old)) == (other, len(one))
    assert common_ends(old, new) == (0, 0)
