from __future__ import annotations

from redraft.core.diff.hunks import Hunk
from redraft.qt.editor.inline_diff.cursor import NONE, HunkCursor
from redraft.qt.editor.inline_diff.layout import Layout, PlacedHunk


def layout_of(*lines: int, growing: int | None = None) -> Layout:
    """A hunk of one line at each of some lines, with the line's number as its id."""
    hunks = [
        PlacedHunk(line, Hunk(line, ("old\n",), ("new\n",)), line, line + 1, is_settled=line != growing)
        for line in lines
    ]
    return Layout(0, 100, tuple(hunks))


def test_it_begins_at_the_first_hunk() -> None:
    cursor = HunkCursor()
    cursor.show(layout_of(3, 7))
    assert (cursor.id, cursor.place) == (3, (1, 2))


def test_a_hunk_that_is_gone_gives_way_to_the_one_after_it() -> None:
    cursor = HunkCursor()
    cursor.show(layout_of(3, 7, 9))
    cursor.step(1)
    cursor.show(layout_of(3, 7, 9))
    cursor.show(layout_of(3, 9))
    assert (cursor.id, cursor.place) == (9, (2, 2))


def test_the_last_hunk_gives_way_to_the_first() -> None:
    cursor = HunkCursor()
    cursor.show(layout_of(3, 7))
    cursor.step(-1)
    cursor.show(layout_of(3, 7))
    cursor.show(layout_of(3))
    assert cursor.id == 3


def test_a_hunk_still_growing_is_passed_over() -> None:
    cursor = HunkCursor()
    cursor.show(layout_of(3, 7, growing=3))
    assert (cursor.id, cursor.place) == (7, (1, 1))


def test_steps_go_round() -> None:
    cursor = HunkCursor()
    cursor.show(layout_of(3, 7))
    assert [hunk.id for step in (1, 1, -1) if (hunk := cursor.step(step))] == [7, 3, 7]


def test_without_hunks_it_stands_nowhere() -> None:
    cursor = HunkCursor()
    cursor.show(layout_of(3))
    cursor.show(layout_of())
    assert (cursor.id, cursor.hunk, cursor.place, cursor.step(1)) == (NONE, None, (0, 0), None)
