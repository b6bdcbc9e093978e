from __future__ import annotations

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff import lines as lines_module
from redraft.core.diff.hunks import DiffProgress, Hunk, apply_hunks
from redraft.core.diff.lines import diff_lines, whole_diff
from redraft.core.text import split_lines

some_lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "  a\n", "}\n", "\n", "a\r\n", "a"]), max_size=14)


def longest_common(old: list[str], new: list[str]) -> int:
    row = [0] * (len(new) + 1)
    for one in old:
        before = row
        row = [0]
        for index, other in enumerate(new):
            row.append(before[index] + 1 if one == other else max(row[-1], before[index + 1]))
    return row[-1]


@given(some_lines, some_lines)
def test_hunks_turn_old_into_new(old: list[str], new: list[str]) -> None:
    hunks = diff_lines(old, new)
    assert apply_hunks(old, hunks) == new
    assert all(one.old_end < other.old_start for one, other in pairwise(hunks))


@given(some_lines, some_lines)
def test_no_line_that_says_something_is_changed_in_vain(old: list[str], new: list[str]) -> None:
    hunks = diff_lines(old, new)
    said = [line for hunk in hunks for line in hunk.old_lines if any(char.isalnum() for char in line)]
    kept = [line for line in old if any(char.isalnum() for char in line)]
    shortest = longest_common(old, new)
    assert len(old) - sum(len(hunk.old_lines) for hunk in hunks) <= shortest
    if "}\n" not in old and "\n" not in old:
        assert len(kept) - len(said) == shortest


@given(some_lines)
def test_equal_texts_have_no_hunks(old: list[str]) -> None:
    assert diff_lines(old, list(old)) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x\n", "    x\n"),
        ("x\n", "x\r\n"),
        ("x\n", "x"),
        ("é\n", "e\u0301\n"),
        ("x\n", "x \n"),
    ],
)
def test_every_byte_of_a_line_counts(old: str, new: str) -> None:
    assert diff_lines([old], [new]) == [Hunk(0, (old,), (new,))]


def test_an_inserted_function_is_one_hunk_that_begins_with_its_head() -> None:
    old = split_lines("def a():\n    return 1\n\n\ndef c():\n    return 1\n")
    new = split_lines("def a():\n    return 1\n\n\ndef b():\n    return 1\n\n\ndef c():\n    return 1\n")
    assert diff_lines(old, new) == [Hunk(4, (), ("def b():\n", "    return 1\n", "\n", "\n"))]


def test_a_removed_brace_block_is_not_torn_apart() -> None:
    old = split_lines("if a {\n  r1\n}\n\nif c {\n  r3\n}\n\nif b {\n  r2\n}\n")
    new = split_lines("if a {\n  r1\n}\n\nif b {\n  r2\n}\n")
    assert diff_lines(old, new) == [Hunk(4, ("if c {\n", "  r3\n", "}\n", "\n"), ())]


def test_unique_lines_are_landmarks() -> None:
    old = split_lines("alpha\n{\n}\nbeta\n{\n}\n")
    new = split_lines("beta\n{\n}\nalpha\n{\n}\n")
    kept = {"alpha\n", "beta\n"} - {line for hunk in diff_lines(old, new) for line in hunk.old_lines}
    assert len(kept) == 1


def test_large_texts_are_cut_at_landmarks_and_stay_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "EXACT_CELLS", 50)
    chance = random.Random(7)  # noqa: S311 - no secret
    old = [f"line {chance.randrange(300)}\n" for _ in range(400)]
    new = [line for line in old if chance.random() > 0.1]
    new[100:100] = ["}\n"] * 20
    assert apply_hunks(old, diff_lines(old, new)) == new


def test_a_huge_rewrite_is_bounded() -> None:
    old = [f"old {index}\n" for index in range(60_000)]
    new = [f"new {index}\n" for index in range(60_000)]
    started = time.process_time()
    assert len(diff_lines(old, new)) == 1
    assert time.process_time() - started < 10


def test_a_whole_diff_reaches_the_last_line() -> None:
    progress = whole_diff("a\nb\nc\n", "a\nB\nc\n")
    assert progress == DiffProgress((Hunk(1, ("b\n",), ("B\n",)),), 3, is_final=True)
