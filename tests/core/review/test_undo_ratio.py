from __future__ import annotations

import pytest

from redraft.core.review.example import BufferChange
from redraft.core.review.metrics.reversal import reversal
from redraft.core.review.metrics.undo_ratio import events_of, reversal_ratio, text_before
from rows import row

THREE = "line10\nline11\nline12"
ADDED = "@@ -10,3 +10,4 @@\n line10\n+user_added\n line11\n line12\n"


def event(diff: str, path: str = "f.py", *, predicted: bool = False) -> BufferChange:
    return BufferChange(path=path, diff=diff, predicted=predicted)


@pytest.mark.parametrize(
    ("diffs", "excerpt", "predicted", "undone", "total"),
    [
        row(122, ["@@ -1,2 +1,3 @@\n a\n+b\n c\n"], THREE, "line10\nmodified\nline12", 0, 14),
        row(123, [ADDED], "line10\nuser_added\nline11\nline12", THREE, 11, 11),
        row(
            125,
            ["@@ -1,1 +1,2 @@\n x\n+outside1\n", "@@ -11,2 +12,3 @@\n line11\n+inside1\n line12\n"],
            "line10\nline11\ninside1\nline12\nline13",
            "line10\nline11\nline12\nline13",
            8,
            8,
        ),
        row(126, [], THREE, "line10\nmodified\nline12", 0, 14),
        row(127, ["@@ -50,2 +50,3 @@\n a\n+b\n c\n"], THREE, "line10\nchanged\nline12", 0, 13),
    ],
)
def test_only_edits_inside_the_excerpt_are_undone(
    diffs: list[str], excerpt: str, predicted: str, undone: int, total: int
) -> None:
    result = reversal(text_before(diffs, excerpt, 10), excerpt, predicted)
    assert (result.reversed_chars, result.total_chars) == (undone, total)


@pytest.mark.parametrize("start_row", [row(129, None), row(130, 10)])
def test_removing_what_was_just_added_is_a_reversal(start_row: int | None) -> None:
    diff = ADDED if start_row else "@@ -1,3 +1,4 @@\n line10\n+user_added\n line11\n line12\n"
    ratio = reversal_ratio(
        [event(diff)],
        cursor_path="f.py",
        current="line10\nuser_added\nline11\nline12\n",
        predicted="line10\nline11\nline12\n",
        excerpt_start_row=start_row,
    )
    assert ratio == 1


@pytest.mark.rows(134)
def test_only_the_last_edit_counts() -> None:
    first = "@@ -1,2 +1,3 @@\n a\n+first\n b\n"
    second = "@@ -1,3 +1,4 @@\n a\n first\n+second\n b\n"
    events = [event(first), event(second)]
    current = "a\nfirst\nsecond\nb\n"
    assert reversal_ratio(events, cursor_path="f.py", current=current, predicted="a\nfirst\nb\n") > 0.9
    assert reversal_ratio(events, cursor_path="f.py", current=current, predicted="a\nsecond\nb\n") == 0


@pytest.mark.parametrize(
    "events", [row(131, []), row(135, [event(ADDED, predicted=True)]), [event("")], [event(ADDED, "other.py")]]
)
def test_without_an_edit_of_the_users_own_nothing_is_undone(events: list[BufferChange]) -> None:
    assert reversal_ratio(events, cursor_path="f.py", current="line10\nuser_added\n", predicted="line10\n") == 0


@pytest.mark.rows(133)
def test_an_edit_that_does_not_fit_the_text_is_no_error() -> None:
    events = [event("@@ -1,2 +1,3 @@\n nowhere\n+x\n here\n")]
    assert 0 <= reversal_ratio(events, cursor_path="f.py", current="a\nb\n", predicted="a\n") <= 1


@pytest.mark.parametrize(("cursor", "count"), [("src/file.rs", 2), ("file.rs", 1), ("other.rs", 1)])
def test_an_events_path_may_have_the_project_in_front(cursor: str, count: int) -> None:
    events = [event("", path) for path in ("myrepo/src/file.rs", "myrepo/other.rs", "src/file.rs")]
    assert len(events_of(events, cursor)) == count


@pytest.mark.parametrize("start_row", [None, 0])
def test_bringing_back_what_was_deleted_at_the_end_of_a_file_is_a_reversal(start_row: int | None) -> None:
    diff = "@@ -1,4 +1,2 @@\n def show(lines):\n     pass\n-    for line in lines:\n-        print(line)\n"
    current = "def show(lines):\n    pass\n"
    predicted = f"{current}    for line in lines:\n        print(line)\n"
    ratio = reversal_ratio(
        [event(diff)], cursor_path="f.py", current=current, predicted=predicted, excerpt_start_row=start_row
    )
    assert ratio == 1


def test_a_line_replaced_right_behind_the_excerpt_is_none_of_its_own() -> None:
    diff = "@@ -1,3 +1,3 @@\n a\n b\n-old\n+new\n"
    assert text_before([diff], "a\nb\n", 0) == "a\nb\n"
    assert text_before([diff], "a\nb\nnew\n", 0) == "a\nb\nold\n"
