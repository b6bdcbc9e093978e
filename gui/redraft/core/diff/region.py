"""The lines of a buffer that a proposal is about, and where each hunk and each original line stands now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from redraft.core.diff.hunks import Hunk, HunkState


@dataclass(slots=True, eq=False)
class Entry:
    """A hunk in the region: `count` lines from `start`, counted from the region's first line."""

    id: int
    hunk: Hunk
    state: HunkState
    start: int
    count: int
    is_conflict: bool = False

    @property
    def end(self) -> int:
        """Index after its last line."""
        return self.start + self.count

    @property
    def expected(self) -> tuple[str, ...]:
        """The lines that stand there unless the user changed them."""
        return self.hunk.new_lines if self.state is HunkState.ACCEPTED else self.hunk.old_lines


@dataclass(frozen=True, slots=True)
class RegionSnapshot:
    """All a region is at one moment."""

    first_line: int
    lines: tuple[str, ...]
    entries: tuple[Entry, ...]
    place: NDArray[np.int64]


class Region:
    """Keeps hunks in place while lines around and inside them change."""

    def __init__(self, lines: Sequence[str], first_line: int) -> None:
        self.first_line = first_line
        self.lines = list(lines)
        self.entries: list[Entry] = []
        self._place: NDArray[np.int64] = np.arange(len(self.lines) + 1, dtype=np.int64)

    def snapshot(self) -> RegionSnapshot:
        """What it is now."""
        entries = tuple(replace(entry) for entry in self.entries)
        return RegionSnapshot(self.first_line, tuple(self.lines), entries, self._place.copy())

    def restore(self, snapshot: RegionSnapshot) -> None:
        """Be what it was."""
        self.first_line = snapshot.first_line
        self.lines = list(snapshot.lines)
        self.entries = [replace(entry) for entry in snapshot.entries]
        self._place = snapshot.place.copy()

    def text_of(self, entry: Entry) -> tuple[str, ...]:
        """The lines that stand where the entry is."""
        return tuple(self.lines[entry.start : entry.end])

    def locate(self, hunk: Hunk, not_before: int, not_after: int) -> tuple[int, int]:
        """Start and count of the lines that a hunk is about now, within limits."""
        start = min(max(int(self._place[hunk.old_start]), not_before), not_after)
        if hunk.is_insertion:
            return start, 0
        return start, max(min(int(self._place[hunk.old_end - 1]) + 1, not_after) - start, 0)

    def find_again(self, index: int) -> None:
        """Lines that were taken away and came back belong to their hunk again."""
        entry = self.entries[index]
        wanted = list(entry.expected)
        low = self.entries[index - 1].end if index else 0
        high = self.entries[index + 1].start if index + 1 < len(self.entries) else len(self.lines)
        for start in (entry.start, entry.end - len(wanted)):
            if low <= start and start + len(wanted) <= high and self.lines[start : start + len(wanted)] == wanted:
                entry.start, entry.count = start, len(wanted)
                return

    def put(self, entry: Entry, lines: Sequence[str]) -> None:
        """Replace an entry's lines; everything behind it moves."""
        delta = len(lines) - entry.count
        self.lines[entry.start : entry.end] = lines
        entry.count = len(lines)
        for later in self.entries[self.entries.index(entry) + 1 :]:
            later.start += delta
        self._place[entry.hunk.old_end :] += delta
        # Original lines inside the entry have no place of their own until they come back.
        inside = np.arange(len(entry.hunk.old_lines), dtype=np.int64).clip(max=max(len(lines) - 1, 0))
        self._place[entry.hunk.old_start : entry.hunk.old_end] = entry.start + inside

    def change(self, start_line: int, removed: int, added: Sequence[str]) -> None:
        """Follow a change of the buffer: lines from `start_line` on were replaced by others."""
        start, end = start_line - self.first_line, start_line - self.first_line + removed
        if end < 0 or (end == 0 and (start < 0 or start == end)):
            self.first_line += len(added) - removed
        elif start < len(self.lines):
            self._change_inside(start, end, list(added))

    def _change_inside(self, start: int, end: int, added: list[str]) -> None:
        if start < 0:  # the change begins above: its new lines stay above, the region loses its head
            self.first_line += start + len(added)
            start, added = 0, []
        start, end, added = _without_common(self.lines, start, min(end, len(self.lines)), added)
        if start == end and not added:
            return
        self.lines[start:end] = added
        delta = len(added) - (end - start)
        done = 0
        for entry in self.entries:
            self._follow(entry, start, end, len(added))
            entry.start = max(entry.start, done)
            done = entry.end
        place = self._place
        behind = place >= end if start < end else place >= start
        inside = (place > start) & ~behind
        place[inside] = np.minimum(place[inside], start + len(added))
        place[behind] += delta

    @staticmethod
    def _follow(entry: Entry, start: int, end: int, added: int) -> None:
        """Move one entry along with a change, and let it take in the lines written inside it."""
        first, last = entry.start, entry.end
        if end <= first:
            entry.start += added - (end - start)
        elif start >= last:
            return
        elif start < first:
            entry.start, entry.count = start + added, max(last - end, 0)
        else:
            entry.count = (start - first) + added + max(last - end, 0)


def _without_common(lines: list[str], start: int, end: int, added: list[str]) -> tuple[int, int, list[str]]:
    """A change without the lines that stay at its two ends."""
    while start < end and added and lines[start] == added[0]:
        start += 1
        added = added[1:]
    while start < end and added and lines[end - 1] == added[-1]:
        end -= 1
        added = added[:-1]
    return start, end, added
