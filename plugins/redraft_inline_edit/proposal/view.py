"""The proposal of one edit in the text: shown as it grows, finished for review, taken away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from redraft.api.context import PluginContext
from redraft.api.editor import TextEditor
from redraft.api.inline_diff import (
    CurrentHunkChanged,
    DiffClosed,
    DiffEvent,
    DiffKeys,
    HunkDecided,
    HunksNeedReview,
    HunksReopened,
    HunkState,
    InlineDiffHandle,
    ProposalTouched,
    ReviewHunk,
)
from redraft.core.answer.hidden import introduced_hidden
from redraft.core.diff.hunks import UNDECIDED, DiffProgress, count_lines
from redraft.core.diff.spoken import describe_counts, describe_hunk
from redraft.core.text import TextRange


@dataclass(frozen=True, slots=True)
class ViewEvents:
    """Whom to tell what the user does to the proposal."""

    decided: Callable[[HunkState, int, bool], None]
    """A hunk was decided, and how; so many remain; whether undo or redo did it."""
    reopened: Callable[[], None]
    """Undo brought hunks back."""
    touched: Callable[[bool], None]
    """The lines were changed while the answer was being written; whether that came from disk."""
    stale: Callable[[bool], None]
    """The text under some hunks was changed; whether that came from disk."""
    closed: Callable[[], None]
    """The overlay is gone."""
    moved: Callable[[], None]
    """Another hunk is the current one."""


class ProposalView:
    """At most one overlay over some lines of an editor."""

    def __init__(
        self,
        context: PluginContext,
        editor: TextEditor,
        lines: Callable[[], TextRange],
        keys: Callable[[], DiffKeys],
        label: Callable[[], str],
        events: ViewEvents,
    ) -> None:
        self._context = context
        self._editor = editor
        self._lines = lines
        self._keys = keys
        self._label = label
        self._events = events
        self._handle: InlineDiffHandle | None = None
        self.went_round = ""
        """Where the last step led that went past the last hunk, or past the first; else nothing."""

    @property
    def handle(self) -> InlineDiffHandle | None:
        """The overlay on screen."""
        return self._handle

    @property
    def open_hunks(self) -> list[ReviewHunk]:
        """Hunks that wait for a decision."""
        hunks = self._handle.hunks if self._handle is not None else ()
        return [hunk for hunk in hunks if hunk.state in UNDECIDED]

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and removed by the open hunks."""
        return count_lines(hunk.hunk for hunk in self.open_hunks)

    @property
    def current_in_words(self) -> str:
        """The current hunk as it is read out; all of them where none is current."""
        hunks = self.open_hunks
        current = self._handle.current if self._handle is not None else None
        found = next(((place, hunk) for place, hunk in enumerate(hunks, start=1) if hunk.id == current), None)
        if found is None:
            return self.in_words
        words = describe_hunk(found[1].hunk, found[0], len(hunks))
        return f"{words}, needs review" if found[1].state is HunkState.NEEDS_REVIEW else words

    @property
    def current_hides(self) -> bool:
        """Whether the current hunk brings characters that do not show."""
        current = self._handle.current if self._handle is not None else None
        hunk = next((one.hunk for one in self.open_hunks if one.id == current), None)
        return hunk is not None and bool(introduced_hidden("".join(hunk.new_lines), "".join(hunk.old_lines)))

    @property
    def in_words(self) -> str:
        """All open hunks in a few words."""
        return describe_counts(len(self.open_hunks), *self.counts)

    @property
    def stale_places(self) -> tuple[int, ...]:
        """Places, from 1, of the open hunks whose text was changed since."""
        hunks = enumerate(self.open_hunks, start=1)
        return tuple(place for place, hunk in hunks if hunk.state is HunkState.NEEDS_REVIEW)

    def update(self, progress: DiffProgress) -> None:
        """Show more of an answer."""
        if handle := self._opened():
            handle.update(progress)

    def finish(self, progress: DiffProgress) -> None:
        """Show all there will be, for decisions."""
        if handle := self._opened():
            handle.finish(progress)

    def name_keys(self) -> None:
        """Read the keys again: the key map has changed."""
        if self._handle is not None:
            self._handle.show_keys(self._keys())

    def drop(self) -> None:
        """Take the overlay away; what was accepted stays."""
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.dispose()

    def forget(self) -> None:
        """The tab is gone, and the overlay with it."""
        self._handle = None

    def _opened(self) -> InlineDiffHandle | None:
        if self._handle is None:
            try:
                self._handle = self._editor.show_inline_diff(
                    self._lines(), keys=self._keys(), on_event=self._on_event, label=self._label()
                )
            except ValueError as error:
                self._context.log.warning("the proposal cannot be shown: %s", error)
        return self._handle

    def _on_event(self, event: DiffEvent) -> None:
        match event:
            case HunkDecided(_, state, remaining, by_history):
                self._events.decided(state, remaining, by_history)
            case HunksReopened():
                self._events.reopened()
            case ProposalTouched(is_from_disk):
                self._events.touched(is_from_disk)
            case HunksNeedReview(_, is_from_disk):
                self._events.stale(is_from_disk)
            case DiffClosed():
                if self._handle is not None:
                    self._handle = None
                    self._events.closed()
            case CurrentHunkChanged(place, _, went_round):
                self.went_round = ("back at the first" if place == 1 else "on to the last") if went_round else ""
                self._events.moved()
