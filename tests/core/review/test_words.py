from __future__ import annotations

import pytest

from redraft.core.review.words import diff_words, word_diff
from rows import row

HEADER = "--- a/file.txt\n+++ b/file.txt\n"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        row(21, "old text here", "new text here", "[-old-]{+new+} text here"),
        row(22, 'println!("hello");', 'println!("world");', 'println!("[-hello-]{+world+}");'),
        row(23, "hello world foo", "hello bar baz", "hello [-world-]{+bar+} [-foo-]{+baz+}"),
        row(25, "foo(a, b)", "foo(a, b, c)", "foo(a, b{+, c+})"),
        row(26, "total += ;", "total += product.price;", "total += {+product.price+};"),
        row(27, "old_name", "new_name", "[-old_name-]{+new_name+}"),
        ("same", "same", "same"),
        ("", "", ""),
    ],
)
def test_changed_words_are_marked(old: str, new: str, words: str) -> None:
    assert diff_words(old, new) == words


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        row(
            29,
            HEADER + "@@ -1,3 +1,3 @@\n context line\n-old text here\n+new text here\n more context",
            HEADER + "@@ -1,3 +1,3 @@\n context line\n[-old-]{+new+} text here\n more context\n",
        ),
        row(30, "@@ -1,2 +1,3 @@\n a\n+\n b\n", "@@ -1,2 +1,3 @@\n a\n b\n"),
        row(
            31,
            "@@ -1,3 +1,3 @@\n-x = 1\n-y = 2\n+x = 3\n+y = 4\n z\n",
            "@@ -1,3 +1,3 @@\nx = [-1-]{+3+}\ny = [-2-]{+4+}\n z\n",
        ),
        row(33, "", ""),
    ],
)
def test_a_patch_keeps_its_frame_and_shows_words(patch: str, words: str) -> None:
    assert word_diff(patch) == words


def test_a_deleted_comment_of_dashes_is_no_file_header() -> None:
    patch = HEADER + "@@ -1,2 +1,2 @@\n--- count rows\n+-- count all rows\n SELECT 1;\n"
    assert word_diff(patch) == HEADER + "@@ -1,2 +1,2 @@\n-- count {+all +}rows\n SELECT 1;\n"


def test_a_changed_comment_of_dashes_and_pluses_before_another_hunk_is_no_file_header() -> None:
    patch = HEADER + "@@ -1,1 +1,1 @@\n--- c\n+++ c\n@@ -8,1 +8,1 @@\n-b\n+d\n"
    assert word_diff(patch) == HEADER + "@@ -1,1 +1,1 @@\n[----]{++++} c\n@@ -8,1 +8,1 @@\n[-b-]{+d+}\n"


def test_a_second_file_begins_a_new_frame_though_the_counts_are_wrong() -> None:
    patch = "@@ -1,9 +1,9 @@\n-a\n+b\n--- a/other\n+++ b/other\n@@ -1 +1 @@\n-c\n+d\n"
    assert word_diff(patch) == "@@ -1,9 +1,9 @@\n[-a-]{+b+}\n--- a/other\n+++ b/other\n@@ -1 +1 @@\n[-c-]{+d+}\n"
