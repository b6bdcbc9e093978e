from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff import streaming
from redraft.core.diff.hunks import DiffProgress, Hunk, apply_hunks
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import split_lines

some_lines = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n", "}\n", "\n"]), max_size=14)


def check(old: list[str], pushed: list[str], progress: DiffProgress) -> None:
    """The old text up to the frontier, with the hunks applied, is what was pushed; the rest is pending."""
    assert all(hunk.old_end <= progress.frontier for hunk in progress.hunks)
    assert apply_hunks(old[: progress.frontier], progress.hunks) == pushed


@given(some_lines, some_lines)
def test_every_state_accounts_for_every_line(old: list[str], new: list[str]) -> None:
    diff = StreamingDiff(old)
    for count, line in enumerate(new, 1):
        check(old, new[:count], diff.push(line))
    final = diff.finish()
    assert final.is_final
    assert final.hunks == tuple(diff_lines(old, new))
    assert final.frontier == len(old)


@given(some_lines, some_lines)
def test_an_answer_cut_off_deletes_nothing_it_did_not_reach(old: list[str], new: list[str]) -> None:
    diff = StreamingDiff(old)
    reached = diff.push_all(new).frontier
    final = diff.finish(is_complete=False)
    assert final.frontier == reached
    check(old, new, final)


def test_nothing_is_deleted_before_the_answer_has_gone_past_it() -> None:
    old = split_lines("s1\ns2\ns3\n")
    diff = StreamingDiff(old)
    assert diff.push("s1\n") == DiffProgress((), 1)
    assert diff.push("NEW\n") == DiffProgress((Hunk(1, (), ("NEW\n",)),), 1)
    assert diff.push("s3\n") == DiffProgress((Hunk(1, ("s2\n",), ("NEW\n",)),), 3)


def test_an_unfinished_line_stands_at_the_frontier() -> None:
    diff = StreamingDiff(["s1\n", "s2\n"])
    diff.push("s1\n")
    assert diff.partial("s") == DiffProgress((), 1, "s")
    assert diff.push("s2\n") == DiffProgress((), 2)


def test_a_repeated_line_matches_its_nearest_copy() -> None:
    old = split_lines("f(1)\nend\n\ng(1)\nend\n\nh(1)\nend\n")
    diff = StreamingDiff(old)
    frontiers = [diff.push(line).frontier for line in split_lines("f(2)\nend\n\ng(2)\nend\n\nh(1)\nend\n")]
    assert frontiers == [0, 2, 3, 3, 5, 6, 7, 8]


@pytest.mark.parametrize("line", ["}\n", "\n", ")\n"])
def test_a_bare_bracket_or_blank_never_jumps(line: str) -> None:
    old = ["a1\n", "a2\n", line, "b1\n", "b2\n", line]
    diff = StreamingDiff(old)
    assert [diff.push(new).frontier for new in ["x1\n", "x2\n", line, "a1\n", "a2\n", line]] == [0, 0, 0, 1, 2, 3]


def test_an_inserted_function_leaves_the_next_one_pending() -> None:
    old = split_lines("fn b() {\n  go();\n}\n\nfn c() {\n  go();\n}\n")
    new = split_lines("fn a() {\n  stop();\n}\n\nfn b() {\n  go();\n}\n\nfn c() {\n  go();\n}\n")
    diff = StreamingDiff(old)
    for line in new[:4]:
        assert diff.push(line).frontier == 0
    assert diff.push_all(new[4:]).hunks == (Hunk(0, (), tuple(new[:4])),)


def test_closed_hunks_stay_while_an_ordinary_answer_arrives() -> None:
    chance = random.Random(3)  # noqa: S311 - no secret
    old = [f"line {index}\n" if index % 4 else chance.choice(["}\n", "\n", "end\n"]) for index in range(400)]
    new = [line if chance.random() > 0.1 else f"changed {index}\n" for index, line in enumerate(old)]
    diff = StreamingDiff(old)
    changes = 0
    closed: tuple[Hunk, ...] = ()
    for line in new:
        hunks = diff.push(line).hunks
        changes += closed != hunks[: len(closed)]
        closed = hunks[:-1]
    assert changes <= 2


def test_a_long_deletion_is_seen_after_a_landmark() -> None:
    old = [f"line {index}\n" for index in range(70)]
    diff = StreamingDiff(old)
    assert diff.push_all([old[0], old[60]]) == DiffProgress((Hunk(1, tuple(old[1:60]), ()),), 61)


def test_a_text_longer_than_the_window_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "WINDOW", 64)
    old = [f"line {index}\n" for index in range(1000)]
    new = [line if index % 7 else f"other {index}\n" for index, line in enumerate(old)]
    diff = StreamingDiff(old)
    progress = diff.push(new[0])
    for count, line in enumerate(new[1:], 2):
        progress = diff.push(line)
        assert progress.frontier >= count - 2
    check(old, new, progress)
    assert diff.finish().hunks == progress.hunks


def test_many_copies_of_one_line_cost_no_memory() -> None:
    diff = StreamingDiff(["x\n"] * 2000)
    assert diff.push_all(["x\n"] * 2000) == DiffProgress((), 2000)
    assert len(diff._parent) <= 2000 * 2 * streaming.NEAREST + 1


def test_an_insertion_into_nothing_is_one_hunk() -> None:
    diff = StreamingDiff([])
    assert diff.push_all(["a\n", "b\n"]) == DiffProgress((Hunk(0, (), ("a\n", "b\n")),), 0)


def test_pieces_of_a_line_copy_no_lines_that_came_before() -> None:
    diff = StreamingDiff(["a\n"])
    diff.push_all(["x\n", "y\n"])
    hunks = diff.partial("z").hunks
    assert hunks == (Hunk(0, (), ("x\n", "y\n")),)
    assert diff.partial("zz").hunks is hunks
    assert diff.push("zz\n").hunks == (Hunk(0, (), ("x\n", "y\n", "zz\n")),)


def test_equal_hunks_have_one_hash() -> None:
    one, other = (Hunk(1, ("a\n",), ("b\n", "c\n")) for _ in range(2))
    assert hash(one) == hash(other) == hash(one)
    assert one == other
    assert len({one, other, Hunk(2, ("a\n",), ("b\n", "c\n"))}) == 2
