from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redraft.core.diff.hunks import Hunk, apply_hunks
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.reconcile import Piece, reconcile


def test_an_unchanged_hunk_stays_decided() -> None:
    hunk, other = Hunk(1, ("b",), ("B",)), Hunk(4, (), ("x",))
    assert reconcile([hunk], [hunk, other]) == [Piece(hunk, 0), Piece(other)]


def test_what_a_grown_hunk_adds_stands_behind_the_decision() -> None:
    decided = Hunk(1, (), ("x",))
    assert reconcile([decided], [Hunk(1, ("b", "c"), ("x", "y"))]) == [
        Piece(decided, 0),
        Piece(Hunk(1, ("b", "c"), ("y",))),
    ]


def test_a_decision_in_the_middle_leaves_two_rests() -> None:
    decided = Hunk(2, ("c",), ("C",))
    assert reconcile([decided], [Hunk(1, ("b", "c", "d"), ("B", "C", "D"))]) == [
        Piece(Hunk(1, ("b",), ("B",))),
        Piece(decided, 0),
        Piece(Hunk(3, ("d",), ("D",))),
    ]


def test_a_decision_that_vanished_stays() -> None:
    decided = Hunk(2, ("c",), ("C",))
    assert reconcile([decided], []) == [Piece(decided, 0)]


def test_lines_that_cannot_be_fitted_are_kept_to_look_at() -> None:
    decided = Hunk(1, ("b",), ("B",))
    assert reconcile([decided], [Hunk(0, ("a", "b"), ("Q",))]) == [
        Piece(decided, 0),
        Piece(Hunk(2, (), ("Q",)), is_conflict=True),
    ]


some_lines = st.lists(st.sampled_from("abcde"), max_size=10)


@given(some_lines, some_lines, some_lines, st.sets(st.integers(0, 9)))
def test_pieces_never_overlap_and_fit_the_original(
    old: list[str], first: list[str], second: list[str], chosen: set[int]
) -> None:
    decided = [hunk for index, hunk in enumerate(diff_lines(old, first)) if index in chosen]
    newer = diff_lines(old, second)
    pieces = reconcile(decided, newer)
    assert [piece.decided for piece in pieces if piece.decided is not None] == list(range(len(decided)))
    result = apply_hunks(old, [piece.hunk for piece in pieces])
    if not decided:
        assert result == second
