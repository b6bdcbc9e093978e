"""The values a diff is made of. Lines keep their line ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place where old lines give way to new ones.

    Attributes:
        old_start: Index of the first replaced line; for an insertion, of the line it stands before.
        old_lines: The lines that go; empty for an insertion.
        new_lines: The lines that come; empty for a deletion.
    """

    old_start: int
    old_lines: tuple[str, ...]
    new_lines: tuple[str, ...]
    _hash: int | None = field(default=None, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        """Computed once: what is drawn of a hunk is looked up by it, row by row."""
        if self._hash is None:
            object.__setattr__(self, "_hash", hash((self.old_start, self.old_lines, self.new_lines)))
        return self._hash or 0

    @property
    def old_end(self) -> int:
        """Index after the last replaced line."""
        return self.old_start + len(self.old_lines)

    @property
    def is_insertion(self) -> bool:
        """Whether nothing goes."""
        return not self.old_lines


class HunkState(StrEnum):
    """What became of a hunk."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NEEDS_REVIEW = "needs_review"
    """The text it would replace was changed since; it can only be rejected or looked at."""


UNDECIDED: Final = frozenset({HunkState.OPEN, HunkState.NEEDS_REVIEW})
"""States that wait for a decision."""


@dataclass(frozen=True, slots=True)
class ReviewHunk:
    """A hunk under review. `id` stays the same while others are decided or text around it changes."""

    id: int
    hunk: Hunk
    state: HunkState


@dataclass(frozen=True, slots=True)
class DiffProgress:
    """What is known of a diff while the new side still arrives.

    Lines of the old side from `frontier` on have not been reached: they are pending, never deleted.

    Attributes:
        hunks: Differences so far, in order; the last may still grow.
        frontier: Index of the first old line not reached yet.
        partial: The unfinished last line of the new side, shown at the frontier; empty if there is none.
        is_final: Whether the new side is whole and the hunks are exact.
    """

    hunks: tuple[Hunk, ...]
    frontier: int
    partial: str = ""
    is_final: bool = False

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and lines removed so far."""
        return count_lines(self.hunks)


def count_lines(hunks: Iterable[Hunk]) -> tuple[int, int]:
    """Lines added and lines removed by the hunks."""
    added = removed = 0
    for hunk in hunks:
        added += len(hunk.new_lines)
        removed += len(hunk.old_lines)
    return added, removed


def apply_hunks(old_lines: Sequence[str], hunks: Iterable[Hunk]) -> list[str]:
    """The old lines with the given hunks applied; hunks left out keep the old side.

    Raises:
        ValueError: Hunks overlap, are out of order, or do not fit the old lines.
    """
    result: list[str] = []
    done = 0
    for hunk in hunks:
        if hunk.old_start < done or tuple(old_lines[hunk.old_start : hunk.old_end]) != hunk.old_lines:
            raise ValueError(f"the hunk at line {hunk.old_start + 1} does not fit")
        result += old_lines[done : hunk.old_start]
        result += hunk.new_lines
        done = hunk.old_end
    return [*result, *old_lines[done:]]
