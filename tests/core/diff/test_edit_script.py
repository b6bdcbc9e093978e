from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel

from redraft.core.diff import edit_script as module
from redraft.core.diff.edit_script import Step, edit_script

lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "}\n"]), max_size=14)


def sides(steps: list[Step]) -> tuple[list[str], list[str]]:
    old = [line for step in steps if step.kind != "+" for line in step.lines]
    new = [line for step in steps if step.kind != "-" for line in step.lines]
    return old, new


@given(lines, lines)
def test_tells_both_sides_with_as_few_lines_as_possible(old: list[str], new: list[str]) -> None:
    steps = edit_script(old, new)
    assert sides(steps) == (old, new)
    changed = sum(len(step.lines) for step in steps if step.kind != "=")
    assert changed == Indel.distance(old, new)


@pytest.mark.parametrize(
    ("old", "new", "marks"),
    [
        ("", "", ""),
        ("a", "a", "="),
        ("", "ab", "++"),
        ("ab", "", "--"),
        ("xxxx", "xxx", "===-"),
        ("xxx", "xxxx", "===+"),
        ("b}a}", "bbbb}a", "=+++==-"),
        ("x}}", "}", "-=-"),
        ("ba}}", "b}", "=-=-"),
    ],
)
def test_ties_are_those_of_the_protocol(old: str, new: str, marks: str) -> None:
    assert "".join(step.kind * len(step.lines) for step in edit_script(old, new)) == marks


@given(lines, lines)
def test_texts_too_different_for_the_exact_search_are_still_told_rightly(old: list[str], new: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_TRIES", 2)
        assert sides(edit_script(old, new)) == (old, new)
