from __future__ import annotations

import pytest

from redraft.core.review.metrics.counts import Counts
from redraft.core.review.metrics.location import anchor_rows, context_coverage, jump_location
from rows import row


def patch(path: str, hunk: str) -> str:
    return f"--- a/{path}\n+++ b/{path}\n{hunk}"


DELETION = patch("f", "@@ -3,3 +3,2 @@\n c\n-d\n e\n")
INSERTION = patch("f", "@@ -1,2 +1,3 @@\n a\n+x\n b\n")


def replaced(path: str, row: int) -> str:
    return patch(path, f"@@ -{row + 1},1 +{row + 1},1 @@\n-old\n+new\n")


def test_a_patch_is_about_deleted_rows_and_the_neighbours_of_added_ones() -> None:
    assert anchor_rows(DELETION) == {"f": {3}}
    assert anchor_rows(INSERTION) == {"f": {0, 1}}
    assert anchor_rows("") == {}


@pytest.mark.parametrize(
    ("wanted", "rows", "lines", "recall"),
    [
        row(225, DELETION, {0, 3}, Counts(2, 0, 0), 1.0),
        row(226, INSERTION, {0}, Counts(1, 0, 1), 0.5),
        row(227, INSERTION, {2}, Counts(1, 0, 2), 0.0),
    ],
)
def test_rows_that_were_shown_cover_the_rows_to_edit(wanted: str, rows: set[int], lines: Counts, recall: float) -> None:
    located = context_coverage(wanted, {"f": rows})
    assert (located.lines, located.files) == (lines, Counts(1, 0, 0))
    assert (located.line_precision, located.line_recall) == (1, recall)


@pytest.mark.rows(229)
def test_nothing_to_find_and_nothing_found_is_perfect() -> None:
    located = context_coverage("", {})
    assert (located.lines, located.files) == (Counts(), Counts())
    assert (located.line_precision, located.line_recall, located.line_f1) == (1, 1, 1)
    assert located.file_f1 == 1


@pytest.mark.rows(230)
def test_an_edit_close_to_the_expected_one_is_in_the_right_place() -> None:
    located = jump_location(replaced("f", 49), replaced("f", 54))
    assert (located.lines, located.files) == (Counts(1, 0, 0), Counts(1, 0, 0))


@pytest.mark.rows(231)
def test_an_edit_in_another_file_is_not() -> None:
    located = jump_location(replaced("f", 49), replaced("g", 49))
    assert (located.lines, located.files) == (Counts(0, 1, 1), Counts(0, 1, 1))


def test_a_project_folder_in_front_is_the_same_file() -> None:
    assert jump_location(replaced("src/f", 3), replaced("project/src/f", 3)).files == Counts(1, 0, 0)
