"""The difference of a known text and one that still arrives, line by line.

An alignment row stands over the old lines: cell `j` holds the best score of any alignment of what has arrived with
the first `j` old lines. A new line is matched with an equal old line, replaces one, or is inserted; old lines may be
skipped. Skipping costs the same per line, so in *ramped* scores (score + SKIP * j) a skip is free and a row is three
numpy calls over the old lines, however much has arrived. The low half of each cell carries the number of the last
match on its path, so the best alignment is read off without a table.

Where the frontier goes:
    - a line that says something and stands once in the old text is worth a long skip; a repeated one less;
    - a bare bracket or a blank line is never worth a skip, so repeated lines match the nearest copy or wait;
    - the frontier stands right behind the last match, so an old line is called deleted only when the new text has
      gone past it; whatever comes after is pending;
    - of two alignments that are equally good, the one on screen stays.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from redraft.core.diff.hunks import DiffProgress, Hunk
from redraft.core.diff.lines import diff_lines

SKIP: Final = 3
"""Cost of an old line that is passed over."""
REPLACE: Final = 2
"""Cost of an old line that a new one takes the place of."""
UNIQUE: Final = 240
"""Worth of matching a line that stands once in the old text; `n` copies share it, down to `REPEATED`."""
REPEATED: Final = 24
"""Least worth of matching a line, however often it stands in the old text."""

TRIVIAL: Final = 1
"""Worth of matching a line without letters or digits."""
NEAREST: Final = 24
"""Copies of a repeated line that are looked at, on either side of the frontier."""
WINDOW: Final = 4_096
"""Old lines a row covers at a time; a longer text is passed through by moving the window along."""

UNIT: Final = 1 << 32
"""One point of score; the number of the last match stands below it."""


class StreamingDiff:
    """Aligns arriving lines with the old ones; the cost of a line does not grow with what has arrived."""

    def __init__(self, old_lines: Sequence[str]) -> None:
        self._old = tuple(old_lines)
        self._places: dict[str, list[int]] = {}
        for index, line in enumerate(self._old):
            self._places.setdefault(line, []).append(index)
        self._new: list[str] = []
        self._base = 0
        width = min(len(self._old), WINDOW) + 1
        self._row: NDArray[np.int64] = np.zeros(width, np.int64)
        self._ramp: NDArray[np.int64] = np.arange(width, dtype=np.int64) * (SKIP * UNIT)
        self._match_old = [-1]
        self._match_new = [-1]
        self._parent = [0]
        self._shown = [0]
        self._hunks_at = [0]
        self._hunks: list[Hunk] = []
        self._told: tuple[Hunk, ...] | None = ()
        self._partial = ""

    def push(self, line: str) -> DiffProgress:
        """Take one whole new line, with its end."""
        self.add(line)
        return self.progress

    def push_all(self, lines: Iterable[str]) -> DiffProgress:
        """Take several lines, and tell the state after the last."""
        for line in lines:
            self.add(line)
        return self.progress

    def partial(self, text: str) -> DiffProgress:
        """Show the unfinished last line; it takes no part in the alignment."""
        self._partial = text
        return self.progress

    def finish(self, new_lines: Sequence[str] | None = None, *, is_complete: bool = True) -> DiffProgress:
        """The exact difference, to the lines pushed or to what became of them at the end.

        Of an answer that was cut off, only the part before the frontier is compared.
        """
        end = len(self._old) if is_complete else self._frontier
        hunks = diff_lines(self._old[:end], self._new if new_lines is None else new_lines)
        return DiffProgress(tuple(hunks), end, is_final=True)

    @property
    def progress(self) -> DiffProgress:
        """What is known now."""
        if self._told is None:
            # Most pieces of an answer bring a part of a line: they must not copy all lines before it.
            start = self._match_new[self._shown[-1]] + 1
            last = (Hunk(self._frontier, (), tuple(self._new[start:])),) if start < len(self._new) else ()
            self._told = (*self._hunks, *last)
        return DiffProgress(self._told, self._frontier, self._partial)

    @property
    def _frontier(self) -> int:
        return self._match_old[self._shown[-1]] + 1

    def add(self, line: str) -> None:
        """Take one whole new line without telling the state."""
        self._partial, self._told = "", None
        self._new.append(line)
        self._advance(line)
        self._show(self._best_match())
        self._move_window()

    def _advance(self, line: str) -> None:
        """The next row: `line` is inserted, replaces an old line, or equals one."""
        before = self._row
        row = before.copy()
        np.maximum(row[1:], before[:-1] + (SKIP - REPLACE) * UNIT, out=row[1:])
        worth = (SKIP + self._worth(line)) * UNIT
        for place in self._near_places(line):
            cell = int(before[place - self._base])
            score, last = cell & -UNIT, cell & (UNIT - 1)
            reached = score + worth
            at = place - self._base + 1
            if reached > int(row[at]) & -UNIT:
                row[at] = reached + self._new_match(place, last)
        np.maximum.accumulate(row, out=row)
        self._row = row

    def _new_match(self, place: int, parent: int) -> int:
        self._match_old.append(place)
        self._match_new.append(len(self._new) - 1)
        self._parent.append(parent)
        return len(self._parent) - 1

    def _worth(self, line: str) -> int:
        if not any(char.isalnum() for char in line):
            return TRIVIAL
        return max(UNIQUE // max(len(self._places.get(line, ())), 1), REPEATED)

    def _near_places(self, line: str) -> list[int]:
        places = self._places.get(line, [])
        if len(places) > 2 * NEAREST:
            middle = bisect_left(places, self._frontier)
            places = places[max(middle - NEAREST, 0) : middle + NEAREST]
        end = self._base + len(self._row) - 1
        return [place for place in places if self._base <= place < end]

    def _best_match(self) -> int:
        """The last match of the best alignment; what is on screen wins a tie."""
        scores = (self._row - self._ramp) >> 32
        best = int(scores.argmax())
        shown = self._frontier - self._base
        if 0 <= shown < len(scores) and scores[shown] == scores[best]:
            best = shown
        return int(self._row[best]) & (UNIT - 1)

    def _show(self, match: int) -> None:
        """Let the shown path end with `match`: drop what is not on its path, then add what is missing."""
        missing = []
        while match != self._shown[-1]:
            if self._match_new[match] >= self._match_new[self._shown[-1]]:
                missing.append(match)
                match = self._parent[match]
            else:
                self._shown.pop()
                self._hunks_at.pop()
        del self._hunks[self._hunks_at[-1] :]
        for step in reversed(missing):
            self._append(step)

    def _append(self, match: int) -> None:
        last = self._shown[-1]
        old = self._old[self._match_old[last] + 1 : self._match_old[match]]
        new = tuple(self._new[self._match_new[last] + 1 : self._match_new[match]])
        if old or new:
            self._hunks.append(Hunk(self._match_old[last] + 1, old, new))
        self._shown.append(match)
        self._hunks_at.append(len(self._hunks))

    def _move_window(self) -> None:
        """Keep the frontier in the first three quarters of the window; what falls behind can no longer change."""
        width = len(self._row)
        step = width // 4
        if self._frontier - self._base <= 3 * step or self._base + width > len(self._old):
            return
        step = min(2 * step, len(self._old) + 1 - self._base - width)
        self._row = np.concatenate((self._row[step:], np.full(step, self._row[-1], np.int64)))
        # A ramped score is relative to its place: shift the ramp's origin with the window.
        self._row -= SKIP * UNIT * step
        self._base += step
