"""What became of the hunks of a proposal between two moments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redraft.core.diff.hunks import UNDECIDED, HunkState


@dataclass(frozen=True, slots=True)
class StateChanges:
    """Hunks whose state changed, by their ids.

    Attributes:
        reopened: Decided before, and to be decided again.
        decided: Decided since, and how.
        stale: Open before; their text was changed since.
    """

    reopened: tuple[int, ...]
    decided: tuple[tuple[int, HunkState], ...]
    stale: tuple[int, ...]

    @classmethod
    def between(cls, before: Mapping[int, HunkState], after: Mapping[int, HunkState]) -> StateChanges:
        """Compare the states of all hunks; one that was not there before counts for nothing."""
        changed = [(hunk_id, before[hunk_id], state) for hunk_id, state in after.items() if hunk_id in before]
        return cls(
            tuple(hunk_id for hunk_id, was, now in changed if now in UNDECIDED and was not in UNDECIDED),
            tuple((hunk_id, now) for hunk_id, was, now in changed if now not in UNDECIDED and was in UNDECIDED),
            tuple(hunk_id for hunk_id, was, now in changed if now is HunkState.NEEDS_REVIEW and was is HunkState.OPEN),
        )
