from __future__ import annotations

import pytest

from redraft.core.review.signals import has_isolated_whitespace_changes, is_wrong_editable_region, removes_most
from rows import row

BLANK_ADDED = "@@ -1,2 +1,3 @@\n fn main() {\n+\n println\n"
BLANK_DELETED = "@@ -1,3 +1,2 @@\n a\n-\n b\n"


@pytest.mark.parametrize(
    ("patch", "wrong"),
    [
        row(146, "@@ -1,4 +1,2 @@\n-a\n-b\n-c\n// said between\n+e\n", True),
        ("@@ -1,3 +1,1 @@\n-a\n-b\n+c\n d\n", False),
        row(147, "@@ -1,3 +1,3 @@\n", False),
        row(149, "@@ -1,6 +1,1 @@\n ctx\n-a\n-b\n-c\n-d\n-e\n", False),
        ("", False),
    ],
)
def test_a_hunk_that_opens_with_three_deletions_may_be_out_of_step(patch: str, *, wrong: bool) -> None:
    assert is_wrong_editable_region(patch) is wrong


@pytest.mark.parametrize(
    ("patch", "isolated"),
    [
        row(150, BLANK_ADDED, True),
        row(151, "@@ -1,2 +1,4 @@\n fn main() {\n+\n+    let x = 1;\n }\n", False),
        row(153, BLANK_DELETED, True),
        row(154, "@@ -1,3 +1,5 @@\n a\n+\n b\n+real\n c\n", True),
        row(155, "", False),
    ],
)
def test_blank_lines_that_come_or_go_alone(patch: str, *, isolated: bool) -> None:
    assert has_isolated_whitespace_changes(patch) is isolated


@pytest.mark.rows(157, 158)
def test_a_blank_line_at_the_caret_is_the_users_own() -> None:
    assert has_isolated_whitespace_changes(BLANK_ADDED, cursor_row=0)
    assert not has_isolated_whitespace_changes(BLANK_ADDED, cursor_row=1)
    assert has_isolated_whitespace_changes(BLANK_DELETED, cursor_row=1)


@pytest.mark.parametrize(
    ("patch", "empties"),
    [
        ("@@ -1,4 +1,1 @@\n a\n-b\n-c\n-d\n", True),
        ("@@ -1,4 +1,2 @@\n a\n b\n-c\n-d\n", False),
        ("@@ -1,4 +1,4 @@\n-a\n-b\n-c\n-d\n+e\n+f\n+g\n+h\n", False),
        ("@@ -1,2 +1,0 @@\n-a\n-b\n", False),
        ("", False),
    ],
)
def test_a_patch_that_empties_its_region(patch: str, *, empties: bool) -> None:
    assert removes_most(patch) is empties
