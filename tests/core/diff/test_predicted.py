from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.lines import diff_lines
from redraft.core.diff.predicted import (
    PredictedEdit,
    at_caret,
    follow,
    goes_along,
    predicted_edits,
)
from redraft.core.text import TextIndex, apply_edits, split_lines

LINES = st.lists(st.sampled_from(["a", "b", "ab", "", "    x", "é"]), max_size=6).map("\n".join)


def edits_between(old: str, new: str) -> tuple[PredictedEdit, ...]:
    hunks = diff_lines(split_lines(old), split_lines(new))
    return predicted_edits(old, TextIndex(old).line_starts, hunks)


def applied(text: str, edits: tuple[PredictedEdit, ...]) -> str:
    return apply_edits(text, [edit.edit for edit in edits])


@given(LINES, LINES)
def test_edits_of_hunks_give_the_new_text_and_are_as_small_as_can_be(old: str, new: str) -> None:
    edits = edits_between(old, new)
    assert applied(old, edits) == new
    for edit in edits:
        assert edit == edit.trimmed()
        assert old[edit.start : edit.end] == edit.removed


@given(LINES, LINES, st.data())
def test_whatever_is_typed_along_the_rest_still_leads_to_the_predicted_text(
    old: str, new: str, data: st.DataObject
) -> None:
    edits = edits_between(old, new)
    text = old
    for _ in range(12):
        if not edits:
            break
        edit = data.draw(st.sampled_from(edits))
        # Along an edit goes who types its next characters or deletes what it deletes, from the left or the right.
        steps = []
        if edit.added:
            steps.append((edit.start, "", edit.added[:1]))
            steps.append((edit.start, edit.removed, edit.added[:2]))
        if edit.removed:
            steps.append((edit.start, edit.removed[:1], ""))
            steps.append((edit.end - 1, edit.removed[-1:], ""))
        start, removed, added = data.draw(st.sampled_from(steps))
        left = follow(edits, start, removed, added)
        assert left is not None
        text = text[:start] + added + text[start + len(removed) :]
        assert applied(text, left) == new
        assert sum(len(one.added) + len(one.removed) for one in left) < sum(
            len(one.added) + len(one.removed) for one in edits
        )
        edits = left


@given(LINES, LINES, st.data())
def test_after_any_change_the_rest_fits_the_text_or_is_gone(old: str, new: str, data: st.DataObject) -> None:
    edits = edits_between(old, new)
    start = data.draw(st.integers(0, len(old)))
    end = data.draw(st.integers(start, len(old)))
    added = data.draw(st.text("abé\n ", max_size=4))
    left = follow(edits, start, old[start:end], added)
    text = old[:start] + added + old[end:]
    for edit in left or ():
        assert text[edit.start : edit.end] == edit.removed
    if left is not None:
        applied(text, left)  # they do not overlap


def test_typing_the_prediction_uses_it_up() -> None:
    edits: tuple[PredictedEdit, ...] | None = (PredictedEdit(3, "", "abc"),)
    for place, char in enumerate("abc"):
        assert edits is not None
        edits = follow(edits, 3 + place, "", char)
    assert edits == ()


def test_typing_something_else_at_its_place_ends_it() -> None:
    assert follow([PredictedEdit(3, "", "abc")], 3, "", "x") is None
    assert follow([PredictedEdit(3, "old", "new")], 4, "l", "x") is None


def test_an_opening_bracket_with_its_closing_half_goes_along() -> None:
    assert follow([PredictedEdit(3, "", "(x, y)")], 3, "", "()") == (PredictedEdit(4, "", "x, y"),)


def test_a_change_before_moves_it_and_one_behind_leaves_it() -> None:
    edit = PredictedEdit(10, "old", "new")
    assert follow([edit], 2, "ab", "") == (PredictedEdit(8, "old", "new"),)
    assert follow([edit], 20, "", "x") == (edit,)


def test_only_what_is_predicted_goes_along() -> None:
    edits = [PredictedEdit(10, "old", "new")]
    assert goes_along(edits, 10, "old", "new")
    assert goes_along(edits, 10, "o", "")
    assert not goes_along(edits, 2, "", "x")
    assert not goes_along(edits, 11, "", "x")
    assert not goes_along([], 2, "", "x")


def test_accepting_one_of_several_leaves_the_others() -> None:
    edits = (PredictedEdit(2, "a", "bcd"), PredictedEdit(9, "a", "bcd"))
    assert follow(edits, 2, "a", "bcd") == (PredictedEdit(11, "a", "bcd"),)


def test_a_change_over_its_edge_ends_it() -> None:
    assert follow([PredictedEdit(5, "abc", "x")], 3, "??a", "") is None


@pytest.mark.parametrize(
    ("edit", "caret", "expected"),
    [
        (PredictedEdit(4, "", "two\n"), 3, PredictedEdit(3, "", "\ntwo")),
        (PredictedEdit(3, "", "\ntwo"), 4, PredictedEdit(4, "", "two\n")),
        (PredictedEdit(4, "", "two\n"), 1, PredictedEdit(4, "", "two\n")),
        (PredictedEdit(4, "o", "p"), 3, PredictedEdit(4, "o", "p")),
    ],
)
def test_an_insertion_slides_to_the_caret_where_that_is_the_same(
    edit: PredictedEdit, caret: int, expected: PredictedEdit
) -> None:
    text = "one\nold\n"
    slid = at_caret(edit, text, caret)
    assert slid == expected
    assert applied(text, (slid,)) == applied(text, (edit,))
