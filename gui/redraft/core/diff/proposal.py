"""A proposal under review: its hunks, what was decided, and where everything stands while the text changes.

The model behind the overlay. It holds no text but the proposal's own region, knows nothing of a widget, and tells
the caller what to do as line replacements:

    open ──accept──> accepted        open, needs review ──reject──> rejected
      │ ^               │                                              │
      │ └─────undo──────┴─────────────────────undo─────────────────────┘
      └──its lines are edited──> needs review ──edited back──> open

An editor with an undo history of its own calls `remember(revision)` after each change of the buffer and after each
decision, and `recall(revision)` after its own undo or redo. A rejection changes no text, so it is undone here:
`last_decision` tells whether it is the next thing to undo.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

from redraft.core.diff.hunks import UNDECIDED, DiffProgress, Hunk, HunkState, ReviewHunk, apply_hunks, count_lines
from redraft.core.diff.reconcile import Piece, reconcile
from redraft.core.diff.region import Entry, Region, RegionSnapshot
from redraft.core.errors import UsageError

REVISIONS_KEPT: Final = 200
"""Snapshots that are remembered; the oldest goes first."""


@dataclass(frozen=True, slots=True)
class LineReplacement:
    """`removed` lines of the buffer from line `start` on give way to `lines`."""

    start: int
    removed: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """One step of a review: the hunks that were accepted or rejected together, and the buffer revision after it."""

    hunk_ids: tuple[int, ...]
    state: HunkState
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class _Memory:
    region: RegionSnapshot
    answer: DiffProgress
    done: tuple[Decision, ...]
    undone: tuple[Decision, ...]


class Proposal:
    """Hunks under review, by ids that stay the same. Lines keep their ends; `first_line` counts from 0."""

    def __init__(self, original_lines: Sequence[str], first_line: int = 0) -> None:
        self._original = tuple(original_lines)
        self._region = Region(self._original, first_line)
        self._answer = DiffProgress((), 0)
        self._ids = count(1)
        self._done: list[Decision] = []
        self._undone: list[Decision] = []
        self._memories: dict[int, _Memory] = {}

    @property
    def original_lines(self) -> tuple[str, ...]:
        """The lines the proposal was made for, as they were."""
        return self._original

    @property
    def proposed_lines(self) -> list[str]:
        """The whole new side, whatever was decided."""
        return apply_hunks(self._original, [entry.hunk for entry in self._region.entries])

    @property
    def current_lines(self) -> tuple[str, ...]:
        """The lines of the region as they stand in the buffer."""
        return tuple(self._region.lines)

    @property
    def first_line(self) -> int:
        """The buffer line the region begins at."""
        return self._region.first_line

    @property
    def hunks(self) -> tuple[ReviewHunk, ...]:
        """All hunks in order, in terms of the original lines."""
        return tuple(ReviewHunk(entry.id, entry.hunk, entry.state) for entry in self._region.entries)

    @property
    def open_ids(self) -> tuple[int, ...]:
        """Hunks that still can be accepted."""
        return tuple(entry.id for entry in self._region.entries if entry.state is HunkState.OPEN)

    @property
    def undecided_ids(self) -> tuple[int, ...]:
        """Hunks that are neither accepted nor rejected."""
        return tuple(entry.id for entry in self._region.entries if entry.state in UNDECIDED)

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and removed by the hunks that are not decided yet."""
        undecided = set(self.undecided_ids)
        return count_lines(entry.hunk for entry in self._region.entries if entry.id in undecided)

    @property
    def last_decision(self) -> Decision | None:
        """The decision `undo` would take back."""
        return self._done[-1] if self._done else None

    @property
    def next_decision(self) -> Decision | None:
        """The decision `redo` would make again."""
        return self._undone[-1] if self._undone else None

    def lines_of(self, hunk_id: int) -> tuple[int, int]:
        """First buffer line of a hunk, and how many lines stand there now (none for an insertion not accepted)."""
        entry = self._entry(hunk_id)
        return self._region.first_line + entry.start, entry.count

    @property
    def placed(self) -> list[tuple[ReviewHunk, int, int]]:
        """All hunks, each with its first buffer line and how many lines stand there now."""
        first = self._region.first_line
        return [
            (ReviewHunk(entry.id, entry.hunk, entry.state), first + entry.start, entry.count)
            for entry in self._region.entries
        ]

    def hunk_at(self, line: int) -> int | None:
        """The hunk that holds a buffer line, or is inserted before it."""
        at = line - self._region.first_line
        for entry in self._region.entries:
            if entry.start <= at < max(entry.end, entry.start + 1):
                return entry.id
        return None

    def update(self, progress: DiffProgress) -> None:
        """Take a newer difference. Decided hunks stay; open ones keep their id as long as they begin where they did."""
        self._answer = progress
        self._fit({})

    def accept(self, ids: Collection[int] | None = None) -> list[LineReplacement]:
        """Accept hunks (all open ones by default); apply what is returned in the order given.

        Hunks that are not open are passed over: what the user changed is never overwritten.
        """
        chosen = self._chosen(ids, {HunkState.OPEN})
        self._decide(chosen, HunkState.ACCEPTED)
        return self._replace([(entry, entry.hunk.new_lines) for entry in chosen])

    def reject(self, ids: Collection[int] | None = None) -> list[LineReplacement]:
        """Reject hunks (all undecided ones by default); the text stays, so nothing has to be replaced."""
        self._decide(self._chosen(ids, UNDECIDED), HunkState.REJECTED)
        return []

    def settle(self, hunk_id: int, lines: Sequence[str]) -> list[LineReplacement]:
        """Put other lines in place of what a hunk stands over now; with that it is accepted.

        Raises:
            UsageError: The hunk does not need review.
        """
        entry = self._entry(hunk_id)
        if entry.state is not HunkState.NEEDS_REVIEW:
            raise UsageError("Only a change whose text was changed since can be settled.")
        self._decide([entry], HunkState.ACCEPTED)
        return self._replace([(entry, tuple(lines))])

    def split(self, hunk_id: int, old: range, new: range) -> int:
        """Make a part of an open hunk a hunk of its own, and return its id.

        `old` and `new` count from the hunk's first old and first new line.

        Raises:
            UsageError: The hunk is not open, or the part is empty or not inside it.
        """
        entry = self._entry(hunk_id)
        hunk = entry.hunk
        fits = _is_inside(old, len(hunk.old_lines)) and _is_inside(new, len(hunk.new_lines))
        if entry.state is not HunkState.OPEN or not fits or not (len(old) or len(new)):
            raise UsageError("Select some lines of one change that is not decided yet.")
        cuts = [(0, old.start, 0, new.start), (old.start, old.stop, new.start, new.stop)]
        cuts.append((old.stop, len(hunk.old_lines), new.stop, len(hunk.new_lines)))
        parts: list[Entry] = []
        for index, (old_from, old_to, new_from, new_to) in enumerate(cuts):
            if old_from == old_to and new_from == new_to:
                continue
            part = Hunk(hunk.old_start + old_from, hunk.old_lines[old_from:old_to], hunk.new_lines[new_from:new_to])
            part_id = hunk_id if index == 1 else next(self._ids)
            parts.append(replace(entry, id=part_id, hunk=part, start=entry.start + old_from, count=old_to - old_from))
        place = self._region.entries.index(entry)
        self._region.entries[place : place + 1] = parts
        return hunk_id

    def undo(self) -> list[LineReplacement]:
        """Take the last decision back. Text that was edited after it was accepted stays, and needs review."""
        if not self._done:
            return []
        decision = self._done.pop()
        self._undone.append(decision)
        back: list[tuple[Entry, tuple[str, ...]]] = []
        for entry in self._still_there(decision):
            if decision.state is HunkState.ACCEPTED and self._region.text_of(entry) == entry.hunk.new_lines:
                back.append((entry, entry.hunk.old_lines))
            entry.state = HunkState.OPEN
        replacements = self._replace(back)
        self._restate()
        return replacements

    def redo(self) -> list[LineReplacement]:
        """Make the decision again that was taken back last."""
        if not self._undone:
            return []
        decision = self._undone.pop()
        self._done.append(decision)
        may = {HunkState.OPEN}
        if decision.state is HunkState.REJECTED:
            may.add(HunkState.NEEDS_REVIEW)
        chosen = self._chosen(decision.hunk_ids, may)
        for entry in chosen:
            entry.state = decision.state
        accepts = decision.state is HunkState.ACCEPTED
        return self._replace([(entry, entry.hunk.new_lines) for entry in chosen]) if accepts else []

    def apply_change(
        self, start_line: int, removed_lines: int, added_lines: Sequence[str], *, by_history: bool = False
    ) -> None:
        """Follow a change of the buffer that was not asked for here; `by_history` if undo or redo made it.

        Only a hunk whose own lines changed needs review; the others move along. One whose accepted lines are taken back
        by undo is open again.
        """
        accepted = [entry for entry in self._region.entries if entry.state is HunkState.ACCEPTED]
        whole = [entry for entry in accepted if by_history and self._region.text_of(entry) == entry.hunk.new_lines]
        self._region.change(start_line, removed_lines, added_lines)
        self._restate()
        for entry in whole:
            if entry.state is HunkState.ACCEPTED and self._region.text_of(entry) == entry.hunk.old_lines:
                entry.state = HunkState.OPEN
        if not by_history:
            self._undone.clear()

    def remember(self, revision: int) -> None:
        """Keep all as it is now under a revision of the buffer."""
        if self._done and self._done[-1].revision is None:
            self._done[-1] = replace(self._done[-1], revision=revision)
        self._memories.pop(revision, None)
        self._memories[revision] = _Memory(
            self._region.snapshot(), self._answer, tuple(self._done), tuple(self._undone)
        )
        if len(self._memories) > REVISIONS_KEPT:
            del self._memories[next(iter(self._memories))]

    def recall(self, revision: int) -> bool:
        """Be as at a revision, if it was remembered; decisions made since can be redone.

        What has come of the answer since then stays: it is fitted to what was decided at that revision.
        """
        memory = self._memories.get(revision)
        if memory is None:
            return False
        made = [*self._done, *reversed(self._undone)]
        known = len(memory.done)
        follows = tuple(made[:known]) == memory.done
        ids = {entry.hunk.old_start: entry.id for entry in reversed(self._region.entries)}
        self._region.restore(memory.region)
        if memory.answer is not self._answer:
            self._fit(ids)
        self._done = list(memory.done)
        self._undone = made[known:][::-1] if follows else list(memory.undone)
        return True

    def _fit(self, ids: Mapping[int, int]) -> None:
        """Fit the answer to what is decided; `ids` are those of hunks that may be no longer known, by first line."""
        entries = self._region.entries
        decided = [entry for entry in entries if entry.state not in UNDECIDED]
        known = {entry.hunk.old_start: entry for entry in reversed(entries) if entry.state in UNDECIDED}
        taken = {entry.id for entry in entries}
        free = {start: hunk_id for start, hunk_id in ids.items() if hunk_id not in taken}
        ahead = [entry.start for entry in reversed(decided)]
        fitted: list[Entry] = []
        for piece in reconcile([entry.hunk for entry in decided], self._answer.hunks):
            if piece.decided is None:
                start = piece.hunk.old_start
                limits = fitted[-1].end if fitted else 0, ahead[-1] if ahead else len(self._region.lines)
                fitted.append(self._open_entry(piece, known.pop(start, None), free.pop(start, None), limits))
            else:
                ahead.pop()
                fitted.append(decided[piece.decided])
        self._region.entries = fitted

    def _entry(self, hunk_id: int) -> Entry:
        for entry in self._region.entries:
            if entry.id == hunk_id:
                return entry
        raise UsageError(f"There is no change number {hunk_id} in this proposal.")

    def _chosen(self, ids: Collection[int] | None, states: Collection[HunkState]) -> list[Entry]:
        return [entry for entry in self._region.entries if entry.state in states and (ids is None or entry.id in ids)]

    def _still_there(self, decision: Decision) -> list[Entry]:
        return [
            entry for entry in self._region.entries if entry.id in decision.hunk_ids and entry.state is decision.state
        ]

    def _decide(self, chosen: list[Entry], state: HunkState) -> None:
        if not chosen:
            return
        for entry in chosen:
            entry.state = state
        self._done.append(Decision(tuple(entry.id for entry in chosen), state))
        self._undone.clear()

    def _replace(self, changes: Iterable[tuple[Entry, tuple[str, ...]]]) -> list[LineReplacement]:
        """Put lines in place of entries; the last stands first, so that each is right when its turn comes."""
        changes = list(changes)
        first = self._region.first_line
        replacements = [LineReplacement(first + entry.start, entry.count, lines) for entry, lines in reversed(changes)]
        for entry, lines in changes:
            self._region.put(entry, lines)
        return replacements

    def _open_entry(self, piece: Piece, known: Entry | None, free_id: int | None, limits: tuple[int, int]) -> Entry:
        if known is not None and known.hunk == piece.hunk and known.is_conflict == piece.is_conflict:
            return known
        start, lines = self._region.locate(piece.hunk, *limits)
        hunk_id = free_id if known is None else known.id
        entry = Entry(
            next(self._ids) if hunk_id is None else hunk_id,
            piece.hunk,
            HunkState.OPEN,
            start,
            lines,
            piece.is_conflict,
        )
        entry.state = self._state_of(entry)
        return entry

    def _restate(self) -> None:
        for index, entry in enumerate(self._region.entries):
            if self._region.text_of(entry) != entry.expected:
                self._region.find_again(index)
            entry.state = self._state_of(entry)

    def _state_of(self, entry: Entry) -> HunkState:
        """What an entry is, going by the lines that stand in its place."""
        if entry.state is HunkState.REJECTED:
            return entry.state
        lines, hunk = self._region.text_of(entry), entry.hunk
        if entry.state is HunkState.ACCEPTED:
            reopened = lines == hunk.old_lines != hunk.new_lines and not hunk.is_insertion
            return HunkState.OPEN if reopened else entry.state
        return HunkState.OPEN if lines == hunk.old_lines and not entry.is_conflict else HunkState.NEEDS_REVIEW


def _is_inside(part: range, length: int) -> bool:
    return part.step == 1 and 0 <= part.start <= part.stop <= length
