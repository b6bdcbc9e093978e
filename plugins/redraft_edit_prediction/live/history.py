"""What the user has done lately, as events: changes that belong together are one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from redraft.api.editor import TextChange
from redraft.core.diff.common_ends import common_ends
from redraft.core.review.example import BufferChange
from redraft.core.review.loose_patch import make_hunks

EVENTS: Final = 12
"""Events that are kept."""

NEAR_ROWS: Final = 8
"""A change so near to the last one belongs to it."""

PAUSE: Final = 30.0
"""Seconds after which a change begins a new event, wherever it is."""

CONTEXT_ROWS: Final = 2


@dataclass
class _Open:
    """The latest event of a file, which may still grow."""

    path: str
    before: str
    after: str
    row: int
    time: float
    predicted: bool


class EditHistory:
    """Events of all files, in order.

    Args:
        clock: Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._closed: deque[BufferChange] = deque(maxlen=EVENTS)
        self._open: dict[int, _Open] = {}

    def record(self, key: int, path: str, text: str, *changes: TextChange, predicted: bool = False) -> None:
        """Take in changes made at once; `text` is what they led to, `predicted` says that a model offered them."""
        change = changes[-1]
        now, row = self._clock(), text.count("\n", 0, change.start)
        event = self._open.get(key)
        if event is not None and self._belongs(event, row, now, predicted=predicted):
            event.after, event.time = text, now
            event.row = row + change.added.count("\n")
            return
        for other in list(self._open):
            self._close(other)
        before = text
        for made in reversed(changes):
            before = before[: made.start] + made.removed + before[made.start + len(made.added) :]
        self._open[key] = _Open(path, before, text, row + change.added.count("\n"), now, predicted)

    def events(self) -> tuple[BufferChange, ...]:
        """The latest events, oldest first, those left out that amount to nothing."""
        changes = [*self._closed, *filter(None, map(_change, self._open.values()))]
        return tuple(changes[-EVENTS:])

    def before(self, key: int) -> str | None:
        """A file's text before its latest event, while that is the latest of all."""
        event = self._open.get(key)
        return event.before if event is not None else None

    def forget(self, key: int) -> None:
        """A file is closed, or its text came anew from disk; what was done in it stays known."""
        self._close(key)

    def clear(self) -> None:
        """Forget everything."""
        self._closed.clear()
        self._open.clear()

    def _belongs(self, event: _Open, row: int, now: float, *, predicted: bool) -> bool:
        is_near = abs(row - event.row) <= NEAR_ROWS and now - event.time <= PAUSE
        return is_near and event.predicted == predicted

    def _close(self, key: int) -> None:
        event = self._open.pop(key, None)
        change = _change(event) if event is not None else None
        if change is not None:
            self._closed.append(change)


def _change(event: _Open) -> BufferChange | None:
    diff = event_diff(event.before, event.after)
    return BufferChange(path=event.path, old_path=event.path, diff=diff, predicted=event.predicted) if diff else None


def event_diff(before: str, after: str) -> str:
    """Hunks from one text to another, without file header; only what lies around the change is looked at."""
    if before == after:
        return ""
    head, tail = common_ends(before, after)
    start = _rows_up(before, head)
    ends = (_rows_down(before, len(before) - tail), _rows_down(after, len(after) - tail))
    old, new = (_with_lf(text[start:end]) for text, end in zip((before, after), ends, strict=True))
    return make_hunks(old, new, context=CONTEXT_ROWS, first_row=before.count("\n", 0, start))


def _rows_up(text: str, at: int) -> int:
    for _ in range(CONTEXT_ROWS + 1):
        at = text.rfind("\n", 0, at)
        if at < 0:
            return 0
    return at + 1


def _rows_down(text: str, at: int) -> int:
    for _ in range(CONTEXT_ROWS + 1):
        end = text.find("\n", at)
        if end < 0:
            return len(text)
        at = end + 1
    return at


def _with_lf(text: str) -> str:
    return text.replace("\r\n", "\n")
