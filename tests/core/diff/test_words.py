from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.emphasis import HunkEmphasis
from redraft.core.diff.graphemes import is_boundary
from redraft.core.diff.hunks import Hunk
from redraft.core.diff.words import Span, pair_lines, word_spans

words = st.lists(st.sampled_from(["foo", "bar", " ", "(", ")", "e\u0301", "🏳️‍🌈", "名前", "=", "\t", "x1"]), max_size=12)


def marked(line: str, spans: tuple[Span, ...]) -> str:
    for start, end in reversed(spans):
        line = f"{line[:start]}[{line[start:end]}]{line[end:]}"
    return line


@pytest.mark.parametrize(
    ("old", "new", "old_marked", "new_marked"),
    [
        ("b = 2\n", "b = 20\n", "b = [2]\n", "b = [20]\n"),
        ("return total\n", "return total / count\n", "return total\n", "return total[ / count]\n"),
        ("foo(a, b)\n", "foo(a)\n", "foo(a[, b])\n", "foo(a)\n"),
        ("x = 1\n", "    x = 1\n", "x = 1\n", "[    ]x = 1\n"),
        ("same\n", "same\r\n", "same\n", "same\r\n"),
        ("name = '太郎'\n", "name = '花郎'\n", "name = '[太]郎'\n", "name = '[花]郎'\n"),
        ("let a = '🏳️‍🌈';\n", "let a = '🏳️';\n", "let a = '[🏳️‍🌈]';\n", "let a = '[🏳️]';\n"),
        ("one two three four\n", "one 2 3 four\n", "one [two three] four\n", "one [2 3] four\n"),
    ],
)
def test_changed_words_are_marked(old: str, new: str, old_marked: str, new_marked: str) -> None:
    old_spans, new_spans = word_spans(old, new)
    assert marked(old, old_spans) == old_marked
    assert marked(new, new_spans) == new_marked


@pytest.mark.parametrize(
    ("old", "new"), [("alpha beta\n", "x = y\n"), ("same\n", "same\n"), ("", "abc"), ("ab cd", "")]
)
def test_lines_without_likeness_have_no_marks(old: str, new: str) -> None:
    assert word_spans(old, new) == ((), ())


@given(words, words)
def test_marks_are_in_order_and_keep_characters_whole(old_words: list[str], new_words: list[str]) -> None:
    old, new = "".join(old_words), "".join(new_words)
    for line, spans in zip((old, new), word_spans(old, new), strict=True):
        edges = [edge for span in spans for edge in span]
        assert edges == sorted(set(edges))
        assert all(is_boundary(line, edge) for edge in edges)


@given(words, words)
def test_what_is_not_marked_is_common(old_words: list[str], new_words: list[str]) -> None:
    old, new = "".join(old_words), "".join(new_words)
    old_spans, new_spans = word_spans(old, new)
    if old_spans or new_spans:
        assert "".join(without(old, old_spans).split()) == "".join(without(new, new_spans).split())


def without(line: str, spans: tuple[Span, ...]) -> str:
    for start, end in reversed(spans):
        line = line[:start] + line[end:]
    return line


def test_a_very_long_line_is_compared_by_its_ends() -> None:
    head, tail = "x" * 100_000, "y" * 100_000
    started = time.process_time()
    assert word_spans(head + "old" + tail, head + "brant" + tail) == (((100_000, 100_003),), ((100_000, 100_005),))
    assert time.process_time() - started < 1


def test_a_long_line_is_not_cut_inside_a_character() -> None:
    old, new = "x" * 500 + "e\u0301" + "y" * 500, "x" * 500 + "e\u0300" + "y" * 500
    assert word_spans(old, new) == (((500, 502),), ((500, 502),))


def test_long_lines_without_likeness_have_no_marks() -> None:
    assert word_spans("a" * 1000, "b" * 1000) == ((), ())


def test_lines_of_a_hunk_are_paired_by_likeness() -> None:
    old = ["total = add(a, b)\n", "return total\n"]
    new = ["# sum\n", "total = add(a, b, c)\n", "log(x)\n", "return total + 1\n"]
    assert pair_lines(old, new) == [(0, 1), (1, 3)]
    found = HunkEmphasis(Hunk(0, tuple(old), tuple(new)))
    assert found.new(0) == ()
    assert marked(new[1], found.new(1)) == "total = add(a, b[, c])\n"


def test_a_large_hunk_pairs_line_by_line() -> None:
    old, new = [f"a{index}\n" for index in range(100)], [f"b{index}\n" for index in range(90)]
    assert pair_lines(old, new) == [(index, index) for index in range(90)]


@given(
    st.lists(st.sampled_from(["foo bar\n", "foo baz\n", "x\n"]), max_size=6),
    st.lists(st.sampled_from(["foo bar\n", "y\n"]), max_size=6),
)
def test_pairs_rise_on_both_sides(old: list[str], new: list[str]) -> None:
    pairs = pair_lines(old, new)
    assert all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(pairs))
