"""How much of a prediction undoes the user's last edit, told from the history of edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from redraft.core.errors import PatchError
from redraft.core.review.example import BufferChange
from redraft.core.review.loose_patch import apply_hunks_loosely, cut_to_rows, read_hunks, reversed_hunk
from redraft.core.review.metrics.reversal import reversal


def reversal_ratio(
    events: Sequence[BufferChange],
    *,
    cursor_path: str,
    current: str,
    predicted: str,
    excerpt_start_row: int | None = None,
) -> float:
    """The share of a prediction, 0 to 1, that undoes the last edit of its file.

    Args:
        events: The history, oldest first.
        cursor_path: The file.
        current: The file's text, or an excerpt of it, before the prediction.
        predicted: The same after it.
        excerpt_start_row: The row of the file at which `current` begins, if it is an excerpt.

    Returns:
        0 too where there was no such edit, or the last one was an accepted prediction.
    """
    mine = events_of(events, cursor_path)
    if not mine or mine[-1].predicted or not mine[-1].diff:
        return 0.0
    before = text_before([mine[-1].diff], current, excerpt_start_row)
    return reversal(before, current, predicted).ratio


def events_of(events: Iterable[BufferChange], cursor_path: str) -> list[BufferChange]:
    """The events of one file; an event's path may have the project's folder in front."""
    return [event for event in events if cursor_path in (event.path, without_project(event.path))]


def without_project(path: str) -> str:
    """A path without its first part."""
    return path.partition("/")[2]


def text_before(diffs: Sequence[str], current: str, excerpt_start_row: int | None = None) -> str:
    """The text as it was before some edits, oldest first; an edit that does not fit is passed over."""
    for diff in reversed(diffs):
        if excerpt_start_row is None:
            hunks = [reversed_hunk(hunk) for hunk in read_hunks(_with_header(diff))]
            current = apply_hunks_loosely(current, hunks, skip_failing=True)
            continue
        rows = max(1, current.count("\n") + (not current.endswith("\n")))
        cut, _ = cut_to_rows(_with_header(diff), excerpt_start_row, rows)
        try:
            current = apply_hunks_loosely(current, [reversed_hunk(hunk) for hunk in read_hunks(cut)])
        except PatchError:
            continue
    return current


def _with_header(diff: str) -> str:
    """A bare group of changed lines counts as one hunk."""
    return diff if "@@" in diff else f"@@ ... @@\n{diff}"
