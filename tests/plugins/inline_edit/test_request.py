from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import UsageError
from redraft.core.text import TextRange, split_lines
from redraft_inline_edit.request import (
    EditKind,
    indent_between,
    insertion_before,
    target_for,
    target_for_lines,
    whole_file,
)

CODE = "class A:\n    def f(self):\n        y = (x + 1) * 2\n        \n\n    z = 1\n"


def covered(text: str, start: int, end: int) -> str:
    return target_for(text, TextRange(start, end)).lines.of(text)


def test_a_part_of_a_line_grows_to_the_line_and_is_remembered() -> None:
    start = CODE.index("x + 1")
    target = target_for(CODE, TextRange(start, start + 5))
    assert target.lines.of(CODE) == "        y = (x + 1) * 2\n"
    assert target.picked == "x + 1"


def test_a_whole_line_counts_as_picked_whole() -> None:
    start = CODE.index("y =")
    assert target_for(CODE, TextRange(start, CODE.index("\n", start))).picked == ""


def test_a_selection_that_ends_at_a_lines_start_leaves_that_line_out() -> None:
    assert covered("a\nb\nc\n", 0, 2) == "a\n"


@pytest.mark.parametrize("text", ["a\nb", "a\nb\n"])
def test_the_last_line_is_taken_whole_and_nothing_after_it(text: str) -> None:
    assert covered(text, 2, 3) == text[2:]
    assert covered(text, 2, len(text)) == text[2:]


def test_a_caret_on_a_blank_line_asks_for_new_text_with_its_indentation() -> None:
    caret = CODE.index("        \n") + 8
    target = target_for(CODE, TextRange(caret, caret))
    assert (target.kind, target.indent, target.lines.of(CODE)) == (EditKind.INSERT, " " * 8, "        \n")


def test_a_caret_at_the_start_of_a_line_inserts_before_it() -> None:
    target = target_for(CODE, TextRange(0, 0))
    assert (target.kind, target.lines) == (EditKind.INSERT, TextRange(0, 0))


def test_a_caret_inside_a_line_means_that_line() -> None:
    target = target_for(CODE, TextRange(3, 3))
    assert (target.kind, target.lines.of(CODE)) == (EditKind.REPLACE, "class A:\n")


def test_lines_are_counted_from_one_and_both_included() -> None:
    assert target_for_lines("a\r\nb\r\nc", 2, 3).lines.of("a\r\nb\r\nc") == "b\r\nc"


@pytest.mark.parametrize(("first", "last"), [(0, 1), (2, 1), (1, 4)])
def test_lines_that_are_not_there_are_refused(first: int, last: int) -> None:
    with pytest.raises(UsageError):
        target_for_lines("a\nb\nc\n", first, last)


def test_an_insertion_after_an_unfinished_last_line_carries_that_line() -> None:
    target = insertion_before("a\nb", 3)
    assert (target.carry, target.lines.of("a\nb")) == ("b", "b")
    assert insertion_before("a\nb\n", 3).carry == ""


def test_an_insertion_into_nothing_stands_at_the_start() -> None:
    assert insertion_before("", 1).lines == TextRange(0, 0)


def test_a_whole_file_is_all_of_it() -> None:
    assert whole_file(CODE).lines == TextRange(0, len(CODE))
    assert whole_file("\n").kind is EditKind.INSERT


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["def f():\n"], ["    pass\n"], "    "),
        (["    a = 1\n"], ["    b = 2\n"], "    "),
        (["    def f(self):\n", "        return 1\n"], ["\n", "    def g(self):\n"], "        "),
        (["  a,\n"], ["]\n"], "  "),
        ([], ["\tx\n"], "\t"),
        (["\tx\n"], [], "\t"),
        ([], [], ""),
    ],
)
def test_new_lines_are_indented_like_their_neighbours(before: list[str], after: list[str], expected: str) -> None:
    assert indent_between(before, after) == expected


@given(st.text(alphabet="ab \t\n\r", max_size=30), st.data())
def test_a_target_is_always_whole_lines_around_the_selection(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    lines = target_for(text, TextRange(start, end)).lines
    starts = {0, len(text)}
    total = 0
    for line in split_lines(text):
        total += len(line)
        starts.add(total)
    assert lines.start in starts
    assert lines.end in starts
    assert lines.start <= start
    assert lines.end >= start
