from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import PatchError
from redraft.core.review.edit_order import count_edits, extract_edits, parse_order, reorder_edits
from redraft.core.review.loose_patch import apply_hunks_loosely, make_hunks, read_hunks

FILE = "--- a/f\n+++ b/f\n"
OLD = "a\nb\nc\nd\n"
PATCH = f"{FILE}@@ -1,4 +1,5 @@\n a\n-b\n+B\n+new\n c\n d\n"


def apply(text: str, patch: str) -> str:
    return apply_hunks_loosely(text, read_hunks(patch))


def test_edits_are_added_and_deleted_lines() -> None:
    assert count_edits(PATCH) == 3
    assert count_edits("") == 0


def test_chosen_edits_come_first_and_the_rest_on_top() -> None:
    first, rest = extract_edits(PATCH, {1, 2})
    assert first == f"{FILE}@@ -1,4 +1,6 @@\n a\n b\n+B\n+new\n c\n d\n"
    assert rest == f"{FILE}@@ -1,5 +1,4 @@\n a\n-b\n B\n new\n c\n"
    assert apply(apply(OLD, first), rest) == apply(OLD, PATCH)


def test_groups_follow_each_other_and_what_is_not_listed_is_dropped() -> None:
    groups = reorder_edits(PATCH, [{2}, {2, 0}, set()])
    text = OLD
    for group in groups:
        text = apply(text, group)
    assert (len(groups), text) == (2, "a\nnew\nc\nd\n")


def test_files_keep_their_own_rows() -> None:
    other = PATCH.replace("/f", "/g")
    first, rest = extract_edits(PATCH + other, {1, 4})
    assert first.count("--- a/") == rest.count("--- a/") == 2
    hunks = read_hunks(rest)
    assert [(hunk.path, hunk.old_start) for hunk in hunks] == [("f", 0), ("g", 0)]


def test_an_order_is_a_list_of_groups() -> None:
    assert parse_order("0-2, 5 // the first step\n\n// nothing\n7,\n") == [{0, 1, 2, 5}, {7}]
    with pytest.raises(PatchError, match="Line 1"):
        parse_order("one")


texts = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=14).map(lambda lines: "".join(f"{x}\n" for x in lines))


@given(texts, texts, st.sets(st.integers(0, 20)))
def test_two_parts_do_together_what_the_whole_did(old: str, new: str, chosen: set[int]) -> None:
    hunks = make_hunks(old, new, context=20)
    if not hunks:
        return
    first, rest = extract_edits(FILE + hunks, chosen)
    middle = apply(old, first) if first else old
    assert (apply(middle, rest) if rest else middle) == new
    assert count_edits(first) + count_edits(rest) == count_edits(FILE + hunks)
