from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.lines import diff_lines
from redraft.core.text import split_lines
from redraft.qt.editor.inline_diff.layout import PlacedHunk
from redraft.qt.editor.review.columns import Column, make_columns

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=9)


def placed_hunks(old: list[str], new: list[str]) -> list[PlacedHunk]:
    return [
        PlacedHunk(number, hunk, hunk.old_start, hunk.old_end) for number, hunk in enumerate(diff_lines(old, new), 1)
    ]


def rows_of(column: Column) -> list[str]:
    """The column row by row: lines, and blank rows where the filler stands."""
    blanks = Counter[int]()
    for hunk in column.hunks:
        blanks[hunk.end - 1 if hunk.count else hunk.line - 1] += hunk.filler
    rows = ["blank"] * blanks[-1]
    for number, line in enumerate(split_lines(column.text)):
        rows += [line, *["blank"] * blanks[number]]
    return rows


@given(LINES, LINES)
def test_the_new_column_is_the_text_with_all_hunks(old: list[str], new: list[str]) -> None:
    left, right = make_columns("".join(old), placed_hunks(old, new))
    assert left.text == "".join(old)
    assert right.text == "".join(new)


@given(LINES, LINES)
def test_lines_that_stay_stand_beside_each_other(old: list[str], new: list[str]) -> None:
    left, right = make_columns("".join(old), placed_hunks(old, new))
    left_rows, right_rows = rows_of(left), rows_of(right)
    assert len(left_rows) == len(right_rows)
    changed = sum(hunk.count + hunk.filler for hunk in left.hunks)
    same = sum(one == other for one, other in zip(left_rows, right_rows, strict=True))
    assert same >= len(left_rows) - changed


def test_an_insertion_at_the_top_has_its_blank_rows_below_the_first_line() -> None:
    left, right = make_columns("a\n", placed_hunks(["a\n"], ["x\n", "y\n", "a\n"]))
    assert (left.hunks[0].line, left.hunks[0].count, left.hunks[0].filler) == (0, 1, 2)
    assert (right.hunks[0].line, right.hunks[0].count, right.hunks[0].filler) == (0, 3, 0)
