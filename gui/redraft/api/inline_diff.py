"""A proposal shown over the text it would replace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from redraft.api.disposable import Disposable
from redraft.core.diff.hunks import DiffProgress, HunkState, ReviewHunk

__all__ = [
    "CurrentHunkChanged",
    "DiffClosed",
    "DiffEvent",
    "DiffKeys",
    "DiffLayout",
    "HunkDecided",
    "HunkState",
    "HunksNeedReview",
    "HunksReopened",
    "InlineDiffHandle",
    "KeptProposal",
    "ProposalTouched",
    "ReviewHunk",
]


@dataclass(frozen=True, slots=True)
class DiffKeys:
    """Key labels for the hunk buttons and notes, as the key map has them now; empty where no key is bound."""

    accept: str = ""
    reject: str = ""
    next: str = ""
    previous: str = ""
    accept_all: str = ""
    reject_all: str = ""
    follow: str = ""
    undo: str = ""


class DiffLayout(StrEnum):
    """A way to look at a proposal."""

    INLINE = "inline"
    """In the text, removed lines above added ones."""
    SIDE_BY_SIDE = "side_by_side"
    """Old and new text in two columns."""
    TEXT = "text"
    """Plain text, as screen readers read it."""
    THREE_WAY = "three_way"
    """A hunk that needs review: the text as it was, as it is now, and as it was proposed."""


@dataclass(frozen=True, slots=True)
class KeptProposal:
    """An undecided proposal that outlived a crash.

    Attributes:
        start: Where its lines begin in the text.
        original: The lines it was made for.
        proposed: What they would become.
        label: What it was made for, in the user's words.
    """

    start: int
    original: str
    proposed: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class HunkDecided:
    """The user accepted or rejected a hunk, by button or key, or again by undo or redo (`by_history`)."""

    hunk_id: int
    state: HunkState
    remaining: int
    by_history: bool = False


@dataclass(frozen=True, slots=True)
class HunksReopened:
    """Undo or redo brought decided hunks back for review."""

    hunk_ids: tuple[int, ...]
    remaining: int


@dataclass(frozen=True, slots=True)
class CurrentHunkChanged:
    """Another hunk became the current one.

    Attributes:
        place: Which of the open hunks, from 1; 0 where none is left.
        total: How many there are.
        went_round: Whether that was a step from the last to the first, or back.
    """

    place: int
    total: int
    went_round: bool = False


@dataclass(frozen=True, slots=True)
class ProposalTouched:
    """Text inside the range was changed while the proposal was still being written, by the user or on disk."""

    is_from_disk: bool = False


@dataclass(frozen=True, slots=True)
class HunksNeedReview:
    """The text under some hunks was changed, by the user or on disk; `accept_all` leaves them out."""

    hunk_ids: tuple[int, ...]
    is_from_disk: bool = False


@dataclass(frozen=True, slots=True)
class DiffClosed:
    """The overlay is gone: all is decided, or its tab was closed."""


DiffEvent = HunkDecided | HunksReopened | HunksNeedReview | CurrentHunkChanged | ProposalTouched | DiffClosed


class InlineDiffHandle(Disposable, Protocol):
    """A proposal on screen. Disposing it takes the overlay away and changes nothing in the buffer."""

    @property
    def hunks(self) -> Sequence[ReviewHunk]:
        """All hunks with what became of them."""
        ...

    @property
    def current(self) -> int | None:
        """Id of the hunk that keys act on; `None` where none is left."""
        ...

    @property
    def layout(self) -> DiffLayout:
        """How it is looked at now."""
        ...

    @property
    def original(self) -> str:
        """The text the proposal was made for, as it was."""
        ...

    @property
    def proposed(self) -> str:
        """The whole new text, whatever was decided."""
        ...

    def update(self, progress: DiffProgress) -> None:
        """Show more of the answer. Decided hunks stay decided as long as they do not change."""
        ...

    def finish(self, progress: DiffProgress) -> None:
        """Show the last state and begin the review.

        Lines from `progress.frontier` on were never reached: they stay as they are.
        """
        ...

    def accept(self, hunk_id: int | None = None) -> None:
        """Put a hunk (the current one by default) into the buffer as one undo step."""
        ...

    def reject(self, hunk_id: int | None = None) -> None:
        """Drop a hunk (the current one by default)."""
        ...

    def accept_all(self) -> None:
        """Put every open hunk into the buffer, as one undo step."""
        ...

    def reject_all(self) -> None:
        """Drop every open hunk."""
        ...

    def show_keys(self, keys: DiffKeys) -> None:
        """Name other keys on the buttons: the key map has changed."""
        ...

    def show_as(self, layout: DiffLayout) -> None:
        """Look at it in another way; a proposal that is still being written is always shown in the text."""
        ...

    def show_current(self) -> None:
        """Put the caret at the current hunk, unless that would take scrolling."""
        ...

    def follow(self) -> None:
        """Keep what is being written in view, also after the user scrolled away."""
        ...

    def next_hunk(self) -> None:
        """Make the next open hunk the current one and show it; after the last comes the first."""
        ...

    def previous_hunk(self) -> None:
        """Make the previous open hunk the current one and show it."""
        ...
