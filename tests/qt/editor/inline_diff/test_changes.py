from __future__ import annotations

from redraft.core.diff.hunks import HunkState
from redraft.qt.editor.inline_diff.changes import StateChanges

OPEN, STALE, ACCEPTED, REJECTED = HunkState.OPEN, HunkState.NEEDS_REVIEW, HunkState.ACCEPTED, HunkState.REJECTED


def test_hunks_are_told_by_what_became_of_them() -> None:
    before = {1: REJECTED, 2: OPEN, 3: OPEN, 4: STALE, 5: ACCEPTED, 6: ACCEPTED}
    after = {1: OPEN, 2: ACCEPTED, 3: STALE, 4: REJECTED, 5: ACCEPTED, 6: STALE}
    assert StateChanges.between(before, after) == StateChanges((1, 6), ((2, ACCEPTED), (4, REJECTED)), (3,))


def test_a_hunk_that_was_not_there_before_counts_for_nothing() -> None:
    assert StateChanges.between({}, {1: STALE, 2: ACCEPTED}) == StateChanges((), (), ())
