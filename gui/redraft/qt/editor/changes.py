"""Changes of a text as values: joining those that belong together, and moving ranges along with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from redraft.api.editor import TextChange
from redraft.core.diff.common_ends import common_ends
from redraft.core.text import TextRange


def join_changes(changes: Iterable[TextChange]) -> list[TextChange]:
    """Make one change of each removal that is followed by an insertion at the same place."""
    joined: list[TextChange] = []
    for change in changes:
        last = joined[-1] if joined else None
        if last and _completes(last, change):
            joined[-1] = replace(last, added=change.added)
        else:
            joined.append(change)
    return joined


def _completes(last: TextChange, change: TextChange) -> bool:
    return (
        not last.added
        and not change.removed
        and last.start == change.start
        and (last.is_undo, last.is_redo) == (change.is_undo, change.is_redo)
    )


def net_change(before: str, changes: Iterable[TextChange]) -> TextChange | None:
    """What a run of changes to the text `before` amounts to; `None` if that is nothing."""
    start, end, added = 0, 0, ""  # text[start:end] of `before` became `added`
    is_first = True
    for change in changes:
        change_end = change.start + len(change.removed)
        if is_first:
            start, end, added, is_first = change.start, change_end, change.added, False
            continue
        window_start = min(start, change.start)
        window_end = max(start + len(added), change_end)
        beyond = window_end - (start + len(added))
        grown = before[window_start:start] + added + before[end : end + beyond]
        end += beyond
        cut = change.start - window_start
        added = grown[:cut] + change.added + grown[cut + len(change.removed) :]
        start = window_start
    return _trimmed(start, before[start:end], added)


def _trimmed(start: int, removed: str, added: str) -> TextChange | None:
    head, tail = common_ends(removed, added)
    removed, added = removed[head : len(removed) - tail], added[head : len(added) - tail]
    return TextChange(start + head, removed, added) if removed or added else None


def moved_range(tracked: TextRange, change: TextChange) -> tuple[TextRange, bool]:
    """Where a range is after a change, and whether the change touched its inside.

    Text inserted at either edge stays outside; a caret moves behind what is inserted at it; a range that is
    replaced exactly becomes its replacement.
    """
    start, end = tracked.start, tracked.end
    change_end = change.start + len(change.removed)
    delta = len(change.added) - len(change.removed)
    if change.start >= end and not (tracked.is_empty and change.start == start):
        return tracked, False
    if change_end <= start:
        return TextRange(start + delta, end + delta), False
    after = change.start + len(change.added)
    if change.start >= start:
        inside = change_end <= end
        return TextRange(start, end + delta if inside else change.start), True
    return TextRange(after, max(after, end + delta)), not tracked.is_empty
