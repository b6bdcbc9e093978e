"""A range of a text that stays with its words while the text changes."""

from __future__ import annotations

from collections.abc import Callable

from redraft.api.editor import TextChange
from redraft.core.text import TextRange
from redraft.qt.editor.changes import moved_range


class TrackedSpan:
    """A range that the buffer moves along with its text for as long as somebody holds it (an `api.TrackedRange`)."""

    def __init__(self, tracked: TextRange, forget: Callable[[TrackedSpan], None]) -> None:
        self._range = tracked
        self._is_touched = False
        self._forget = forget

    @property
    def range(self) -> TextRange:
        """Where it is now."""
        return self._range

    @property
    def is_touched(self) -> bool:
        """Whether text strictly inside it was changed since it was made."""
        return self._is_touched

    def follow(self, change: TextChange) -> None:
        """Move along with one change."""
        self._range, touched = moved_range(self._range, change)
        self._is_touched |= touched

    def dispose(self) -> None:
        """Stop following."""
        self._forget(self)
