from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.merge import line_edits, merge_lines
from redraft.core.text import apply_edits

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n"]), max_size=8)
BASE = ["one\n", "two\n", "three\n", "four\n", "five\n"]


def test_changes_that_lie_apart_are_both_made() -> None:
    ours = ["ONE\n", *BASE[1:]]
    theirs = [*BASE[:3], "4\n", "4b\n", "five\n"]
    assert merge_lines(BASE, ours, theirs) == ["ONE\n", "two\n", "three\n", "4\n", "4b\n", "five\n"]


def test_changes_of_the_same_line_meet() -> None:
    assert merge_lines(BASE, [*BASE[:2], "3\n", *BASE[3:]], [*BASE[:2], "III\n", *BASE[3:]]) is None


def test_neighbours_meet() -> None:
    assert merge_lines(BASE, ["1\n", *BASE[1:]], [BASE[0], "2\n", *BASE[2:]]) is None


def test_the_same_change_on_both_sides_is_made_once() -> None:
    both = ["1\n", *BASE[1:]]
    assert merge_lines(BASE, both, both) == both


@given(LINES, LINES)
def test_a_side_that_did_not_change_gives_way_to_the_other(base: list[str], other: list[str]) -> None:
    assert merge_lines(base, base, other) == other
    assert merge_lines(base, other, base) == other


@given(LINES, LINES)
def test_edits_of_lines_make_the_new_text(old: list[str], new: list[str]) -> None:
    assert apply_edits("".join(old), line_edits("".join(old), "".join(new))) == "".join(new)
