"""Fits a newer difference to decisions that were already made on an older one.

A decided hunk stays as it is. What a newer hunk proposes beyond it becomes a hunk of its own, before or after it.
Where the two cannot be told apart, the newer lines stand behind the decided hunk and are only there to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redraft.core.diff.hunks import Hunk


@dataclass(frozen=True, slots=True)
class Piece:
    """A hunk of the fitted difference.

    Attributes:
        hunk: In terms of the original lines.
        decided: Index of the decision it is, or `None` for a hunk that is still to be decided.
        is_conflict: Whether it could not be fitted.
    """

    hunk: Hunk
    decided: int | None = None
    is_conflict: bool = False


def reconcile(decided: Sequence[Hunk], hunks: Iterable[Hunk]) -> list[Piece]:
    """The decided hunks and what newer hunks add to them, in order."""
    pieces: list[Piece] = []
    at = covered = 0
    for hunk in hunks:
        while at < len(decided) and _is_before(decided[at], hunk):
            pieces.append(Piece(decided[at], at))
            at += 1
        first = at
        while at < len(decided) and _touches(decided[at], hunk):
            at += 1
        if first == at and hunk.old_start >= covered:
            pieces.append(Piece(hunk))
        else:
            pieces += _fitted(hunk, [(index, decided[index]) for index in range(first, at)], covered)
        covered = pieces[-1].hunk.old_end if pieces else 0
    return pieces + [Piece(hunk, first) for first, hunk in list(enumerate(decided))[at:]]


def _is_before(decided: Hunk, hunk: Hunk) -> bool:
    return decided.old_end <= hunk.old_start and decided.old_start < hunk.old_start


def _touches(decided: Hunk, hunk: Hunk) -> bool:
    return decided.old_start == hunk.old_start or decided.old_start < hunk.old_end


def _fitted(hunk: Hunk, decided: list[tuple[int, Hunk]], covered: int) -> list[Piece]:
    pieces: list[Piece] = []
    old_at, new_at = max(hunk.old_start, covered), 0
    is_conflict = hunk.old_start < covered
    for index, decision in decided:
        found = _find(decision.new_lines, hunk.new_lines, new_at)
        if found is None or decision.old_start < old_at or decision.old_end > hunk.old_end:
            is_conflict = True
        else:
            pieces += _piece(hunk, old_at, decision.old_start, hunk.new_lines[new_at:found])
            new_at = found + len(decision.new_lines)
        pieces.append(Piece(decision, index))
        old_at = max(old_at, decision.old_end)
    rest = hunk.new_lines[new_at:]
    if is_conflict:
        return [*pieces, Piece(Hunk(old_at, (), rest), is_conflict=True)] if rest else pieces
    return pieces + _piece(hunk, old_at, hunk.old_end, rest)


def _piece(hunk: Hunk, start: int, end: int, new_lines: tuple[str, ...]) -> list[Piece]:
    old_lines = hunk.old_lines[start - hunk.old_start : end - hunk.old_start]
    return [Piece(Hunk(start, old_lines, new_lines))] if old_lines or new_lines else []


def _find(wanted: Sequence[str], lines: Sequence[str], start: int) -> int | None:
    for at in range(start, len(lines) - len(wanted) + 1):
        if lines[at : at + len(wanted)] == wanted:
            return at
    return None
