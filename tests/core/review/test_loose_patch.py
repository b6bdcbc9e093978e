from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import PatchError
from redraft.core.review.loose_patch import apply_hunks_loosely, cut_to_rows, make_hunks, read_hunks
from rows import row

FILE = "--- a/f\n+++ b/f\n"
EIGHT = "".join(f"line{number}\n" for number in range(1, 6)) + "CHANGE_ME\nline7\nline8\n"


@pytest.mark.parametrize(
    ("text", "patch", "result"),
    [
        row(
            210,
            "line1\nline2\nline3",
            "@@ -1,3 +1,3 @@\n line1\n-line2\n+replaced\n line3\n",
            "line1\nreplaced\nline3",
        ),
        row(
            211,
            "line1\nline2\nline3\n",
            "@@ -1,3 +1,3 @@\n line1\n-line2\n+replaced\n line3\n",
            "line1\nreplaced\nline3\n",
        ),
        row(213, "aaa\nbbb\nccc", "@@ -3 +3 @@\n-ccc\n+ddd\n", "aaa\nbbb\nddd"),
        row(214, "hello\n세계", "@@ -1,2 +1,2 @@\n hello\n-세계\n+world\n", "hello\nworld"),
        row(
            215,
            "first\nremove first\nfirst\nsame\nremove\nsame\nsame\nremove\nsame\n",
            "@@ -1,3 +1,2 @@\n first\n-remove first\n first\n@@ -4,3 +3,2 @@\n same\n-remove\n same\n",
            "first\nfirst\nsame\nsame\nsame\nremove\nsame\n",
        ),
        ("", "@@ -0,0 +1 @@\n+new\n", "new\n"),
        ("a\nb\n", "", "a\nb\n"),
        ("ab\nb\n", "@@ ... @@\n-b\n+c\n", "ab\nc\n"),
        ("a\nb", "@@ -1,2 +1 @@\n a\n-b\n", "a\n"),
        ("a\nb", "@@ -2 +1,0 @@\n-b\n", "a\n"),
        ("b", "@@ -1 +0,0 @@\n-b\n", ""),
        ("a\nb", "@@ -1,2 +1,3 @@\n a\n b\n+c\n", "a\nb\nc"),
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n\n", "a\nc\n"),
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n// User accepted prediction:\n", "a\nc\n"),
        ("a\n\nb\n", "@@ -1,2 +1,2 @@\n a\n\n-b\n+c\n", "a\n\nc\n"),
        ("a\nb\n", "@@ -1,2 +1,2 @@\n a\n# said between\n-b\n\\ No newline at end of file\n+c\n", "a\nc\n"),
    ],
)
def test_a_hunk_goes_where_its_lines_are(text: str, patch: str, result: str) -> None:
    assert apply_hunks_loosely(text, read_hunks(FILE + patch)) == result


@pytest.mark.parametrize(
    ("text", "reason"),
    [row(217, "other\n", "nowhere in the text$"), ("x\nmine\ny\nmine\n", "in 2 places in the text, and")],
)
def test_a_hunk_whose_place_cannot_be_told_is_refused(text: str, reason: str) -> None:
    hunks = read_hunks(FILE + "@@ -9 +9 @@\n-mine\n+yours\n")
    with pytest.raises(PatchError, match=f"couldn't resolve hunk: its lines are {reason}"):
        apply_hunks_loosely(text, hunks)
    assert apply_hunks_loosely(text, hunks, skip_failing=True) == text


@pytest.mark.rows(218, 219)
def test_the_difference_shows_context() -> None:
    changed = EIGHT.replace("CHANGE_ME", "CHANGED")
    assert make_hunks(EIGHT, changed) == (
        "@@ -3,6 +3,6 @@\n line3\n line4\n line5\n-CHANGE_ME\n+CHANGED\n line7\n line8\n"
    )
    assert make_hunks(EIGHT, changed, context=8).startswith("@@ -1,8 +1,8 @@\n line1\n")
    assert make_hunks(EIGHT, EIGHT) == ""


lines = st.lists(st.sampled_from(["a\n", "b\n", "\n", "c d\n"]), max_size=12).map("".join)


@given(lines, lines, st.integers(0, 4))
def test_what_is_made_applies(old: str, new: str, context: int) -> None:
    assert apply_hunks_loosely(old, read_hunks(make_hunks(old, new, context=context))) == new


@pytest.mark.rows(221)
@pytest.mark.parametrize(
    ("header", "path"), [("---   file", "file"), ("---\tfile", "file"), ("--- a/file", "file"), ('--- "a/a b"', "a b")]
)
def test_the_path_of_a_file_header(header: str, path: str) -> None:
    assert read_hunks(f"{header}\n@@ -1 +1 @@\n-x\n+y\n")[0].path == path


@pytest.mark.rows(221)
def test_dashes_without_a_blank_are_a_deletion() -> None:
    assert [line.text for line in read_hunks("@@ ... @@\n---file\n")[0].lines] == ["---file"]


@pytest.mark.rows(222)
@pytest.mark.parametrize("header", ["@@ -1,2 +1,3 @@ garbage", "@@   -1,2\t+1,3 @@", "@@ -1,2 +1,3"])
def test_a_hunk_header_is_read_leniently(header: str) -> None:
    hunk = read_hunks(f"{header}\n a\n+b\n c\n")[0]
    assert (hunk.old_start, hunk.new_start) == (0, 0)


@pytest.mark.rows(223)
def test_a_header_without_a_place() -> None:
    hunk = read_hunks("@@ ... @@\n-a\n+b\n")[0]
    assert (hunk.old_start, hunk.new_start) == (None, None)


def test_a_deleted_file_keeps_its_name_and_a_new_one_has_its_own() -> None:
    assert read_hunks("--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")[0].path == "gone"
    assert read_hunks("--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n")[0].path == "new"


@pytest.mark.parametrize(
    ("diff", "rows", "cut", "moved"),
    [
        row(
            137,
            "@@ -12,3 +12,4 @@\n line12\n+inserted\n line13\n line14\n",
            (10, 10),
            "@@ -2,3 +2,4 @@\n line12\n+inserted\n line13\n line14\n",
            1,
        ),
        row(138, "@@ -50,3 +50,4 @@\n a\n+b\n c\n d\n", (10, 5), "", 0),
        row(139, "@@ -8,5 +8,6 @@\n 8\n 9\n+ins\n 10\n 11\n 12\n", (10, 10), "@@ -1,3 +1,3 @@\n 10\n 11\n 12\n", 1),
        row(
            141,
            "@@ -1,2 +1,3 @@\n a\n+b\n c\n@@ -12,2 +13,3 @@\n a\n+x\n c\n@@ -50,2 +52,3 @@\n a\n+b\n c\n",
            (10, 10),
            "@@ -3,2 +3,3 @@\n a\n+x\n c\n",
            2,
        ),
        row(142, "@@ -1,4 +1,3 @@\n a\n-b\n c\n d\n", (10, 5), "", -1),
        row(
            143,
            "@@ -12,4 +12,3 @@\n 12\n-deleted\n 13\n 14\n",
            (10, 10),
            "@@ -2,4 +2,3 @@\n 12\n-deleted\n 13\n 14\n",
            -1,
        ),
        row(
            145,
            "@@ -12,3 +12,3 @@\n 12\n-old\n+new\n 14\n",
            (10, 10),
            "@@ -2,3 +2,3 @@\n 12\n-old\n+new\n 14\n",
            0,
        ),
    ],
)
def test_a_diff_is_cut_to_the_rows_of_an_excerpt(diff: str, rows: tuple[int, int], cut: str, moved: int) -> None:
    assert cut_to_rows(diff, *rows) == (cut, moved)
