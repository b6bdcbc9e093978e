from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.errors import AnswerError
from redraft.core.review.cursor_marks import put_cursor, put_patch_cursor, take_cursor, take_patch_cursor

LINE = "    let x = 42;"


@pytest.mark.rows(235)
def test_a_marker_line_points_at_the_line_above() -> None:
    assert take_cursor(f"{LINE}\n    //      ^[CURSOR_POSITION]\nmore") == (f"{LINE}\nmore", LINE.index("42"))


def test_a_marker_line_may_point_at_its_own_beginning() -> None:
    assert take_cursor(f"{LINE}\n    // <[CURSOR_POSITION]") == (LINE, 4)


@pytest.mark.rows(237)
def test_the_inline_mark_stands_at_the_caret() -> None:
    assert take_cursor("let x = <|user_cursor|>42;") == ("let x = 42;", 8)


@pytest.mark.rows(238)
def test_the_end_of_a_last_line_without_an_end() -> None:
    text, offset = take_cursor("let x\n//   ^[CURSOR_POSITION]")
    assert (text, offset) == ("let x", 5)
    assert take_cursor(put_cursor(text, offset)) == (text, offset)


def test_a_mark_right_of_a_short_line_means_its_end() -> None:
    assert take_cursor("ab\n//       ^[CURSOR_POSITION]\nmore") == ("ab\nmore", 2)
    assert take_cursor("a\n\n//^[CURSOR_POSITION]\n") == ("a", 1)


@pytest.mark.parametrize("excerpt", ["no mark", "[CURSOR_POSITION]", "x\n// [CURSOR_POSITION]"])
def test_a_missing_or_pointless_mark_is_an_error(excerpt: str) -> None:
    with pytest.raises(AnswerError):
        take_cursor(excerpt)


@given(st.text("aé\n🌍", max_size=12), st.data())
def test_an_inline_mark_comes_back(text: str, data: st.DataObject) -> None:
    offset = len(text[: data.draw(st.integers(0, len(text)))].encode())
    assert take_cursor(put_cursor(text, offset)) == (text, offset)


PATCH = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n é\n-old\n+new<|user_cursor|> text\n"


@pytest.mark.rows(239)
def test_a_cursor_in_an_added_line_is_counted_in_bytes_of_the_new_text() -> None:
    clean, cursor = take_patch_cursor(PATCH)
    assert clean == PATCH.replace("<|user_cursor|>", "")
    assert cursor == 3 + 3
    assert put_patch_cursor(clean, cursor) == PATCH
    assert put_patch_cursor(PATCH, cursor) == PATCH


def test_lines_that_are_no_text_do_not_count() -> None:
    old_style = "@@ -1 +1,2 @@\n a\n# ^[CURSOR_POSITION]\n+b<|user_cursor|>\n\\ No newline at end of file\n"
    clean, cursor = take_patch_cursor(old_style)
    assert cursor == 3
    assert put_patch_cursor(clean, cursor) == old_style


def test_a_patch_without_a_cursor() -> None:
    clean = PATCH.replace("<|user_cursor|>", "")
    assert take_patch_cursor(clean) == (clean, None)
    assert put_patch_cursor(clean, 0) == clean
