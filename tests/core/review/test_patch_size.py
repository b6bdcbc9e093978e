from __future__ import annotations

import pytest

from redraft.core.review.metrics.counts import Counts
from redraft.core.review.metrics.patch_size import (
    TokenChanges,
    braces_disbalance,
    changed_lines,
    count_token_changes,
    exact_lines,
)
from rows import row

HEADER = "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n"


@pytest.mark.parametrize(
    ("patch", "deleted", "inserted"),
    [
        row(34, HEADER + "-# \n+# SIP Call\n", 0, 3),
        row(35, " <style>\n-  m\n+  main {\n+    \n+  }\n </style>\n", 1, 8),
        row(37, '+    println!("hello");\n', 0, 9),
        row(38, '-    println!("hello");\n', 9, 0),
        row(39, "", 0, 0),
        row(41, "-hello world foo\n+hello bar baz\n", 2, 2),
        ("@@ -1 +1 @@\n--- note\n+-- notes\n", 1, 1),
    ],
)
def test_tokens_are_counted_in_changed_groups(patch: str, deleted: int, inserted: int) -> None:
    assert count_token_changes(patch) == TokenChanges(deleted, inserted)


@pytest.mark.parametrize(
    ("expected", "actual", "counts"),
    [
        row(70, HEADER + "-old1\n-old2\n+new1\n+new2\n", HEADER + "-old1\n-old2\n+new1\n+new2\n", Counts(4, 0, 0)),
        row(71, "-old1\n-old2\n+new1\n+new2", "-old1\n+new1\n+extra", Counts(2, 1, 2)),
        row(73, "+a\n+a\n+a", "+a\n+a", Counts(2, 0, 1)),
        row(74, "", "", Counts(0, 0, 0)),
    ],
)
def test_changed_lines_are_compared_as_a_multiset(expected: str, actual: str, counts: Counts) -> None:
    assert exact_lines(expected, actual) == counts


@pytest.mark.rows(70, 74)
def test_rates_of_counts() -> None:
    assert (Counts(4, 0, 0).precision, Counts(4, 0, 0).recall, Counts(4, 0, 0).f1) == (1, 1, 1)
    assert Counts(0, 0, 0).f1 == 0
    assert Counts(2, 1, 2).f1 == pytest.approx(4 / 7)


@pytest.mark.rows(75)
def test_only_signed_lines_count() -> None:
    patch = HEADER + ' ctx\n-    println!("hello");\n+    println!("world");\n'
    assert changed_lines(patch) == {'-    println!("hello");': 1, '+    println!("world");': 1}


@pytest.mark.parametrize(("text", "off"), [row(67, "let x = { 1 + 2 };", 0), row(69, "let x = { 1 + 2 )", 2), ("", 0)])
def test_braces_out_of_balance(text: str, off: int) -> None:
    assert braces_disbalance(text) == off
