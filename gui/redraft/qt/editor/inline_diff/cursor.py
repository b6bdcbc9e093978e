"""Which hunk of a proposal is the current one: the one that keys and buttons without a hunk of their own mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.qt.editor.inline_diff.layout import Layout, PlacedHunk

NONE: Final = -1


class HunkCursor:
    """Stands on one of the hunks that can be decided, as long as there are any."""

    def __init__(self) -> None:
        self.id = NONE
        self.went_round = False
        """Whether the last step led from the last hunk to the first, or back."""
        self._hunks: Sequence[PlacedHunk] = ()
        self._line = 0

    @property
    def hunk(self) -> PlacedHunk | None:
        """The hunk it stands on."""
        return next((placed for placed in self._hunks if placed.id == self.id), None)

    @property
    def place(self) -> tuple[int, int]:
        """Its number, from 1 (0 on none), and how many there are."""
        hunk = self.hunk
        return (self._hunks.index(hunk) + 1 if hunk else 0, len(self._hunks))

    def show(self, layout: Layout) -> None:
        """Take in where the hunks are now; one that is gone gives way to the first one after it, else to the first."""
        self._hunks = [placed for placed in layout.hunks if placed.is_settled]
        if self.hunk is None and self._hunks:
            self.went_round = False
            self.id = next((placed for placed in self._hunks if placed.line >= self._line), self._hunks[0]).id
        hunk = self.hunk
        self.id = hunk.id if hunk else NONE
        self._line = hunk.line if hunk else self._line

    def stand_on(self, hunk_id: int) -> None:
        """Go to a hunk that the user pointed at."""
        self.id = hunk_id
        self.went_round = False

    def step(self, step: int) -> PlacedHunk | None:
        """Go on to the next hunk (1) or back to the previous one (-1); after the last comes the first."""
        if not self._hunks:
            return None
        ids = [placed.id for placed in self._hunks]
        index = ids.index(self.id) if self.id in ids else -step if step > 0 else 0
        hunk = self._hunks[(index + step) % len(self._hunks)]
        self.went_round = self.id in ids and not 0 <= index + step < len(ids)
        self.id = hunk.id
        return hunk
