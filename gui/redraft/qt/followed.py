"""Prompt blocks and proposals whose every step is told to who follows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from redraft.api.inline_diff import (
    DiffKeys,
    DiffLayout,
    ReviewHunk,
)
from redraft.api.prompt_block import PromptModel
from redraft.core.diff.hunks import UNDECIDED, DiffProgress
from redraft.qt.editor.inline_diff.view import InlineDiffView
from redraft.qt.editor.prompt_block.view import PromptBlockView


class FollowedDiff:
    """A proposal whose every step is told; implements `api.InlineDiffHandle` over the one on screen."""

    def __init__(self, diff: InlineDiffView, label: str, on_change: Callable[[], None]) -> None:
        self._diff = diff
        self._label = label
        self._on_change = on_change
        self.is_running = True
        self.is_over = False

    @property
    def hunks(self) -> Sequence[ReviewHunk]:
        """All hunks with what became of them."""
        return self._diff.hunks

    @property
    def current(self) -> int | None:
        """Id of the current hunk."""
        return self._diff.current

    @property
    def layout(self) -> DiffLayout:
        """How it is looked at now."""
        return self._diff.layout

    @property
    def original(self) -> str:
        """The text the proposal was made for."""
        return self._diff.original

    @property
    def proposed(self) -> str:
        """The whole new text."""
        return self._diff.proposed

    @property
    def undecided(self) -> int:
        """How many hunks wait for a decision."""
        return 0 if self.is_over else sum(hunk.state in UNDECIDED for hunk in self._diff.hunks)

    def kept(self) -> dict[str, Any]:
        """What is worth keeping of it, as plain values."""
        span = self._diff.range
        return {"start": span.start, "original": self.original, "proposed": self.proposed, "label": self._label}

    def update(self, progress: DiffProgress) -> None:
        """Show more of the answer."""
        self._tell(lambda: self._diff.update(progress))

    def finish(self, progress: DiffProgress) -> None:
        """Show the last state and begin the review."""
        self.is_running = False
        self._tell(lambda: self._diff.finish(progress))

    def accept(self, hunk_id: int | None = None) -> None:
        """Put a hunk into the buffer."""
        self._tell(lambda: self._diff.accept(hunk_id))

    def reject(self, hunk_id: int | None = None) -> None:
        """Drop a hunk."""
        self._tell(lambda: self._diff.reject(hunk_id))

    def accept_all(self) -> None:
        """Put every open hunk into the buffer."""
        self._tell(self._diff.accept_all)

    def reject_all(self) -> None:
        """Drop every open hunk."""
        self._tell(self._diff.reject_all)

    def show_keys(self, keys: DiffKeys) -> None:
        """Name other keys on the buttons."""
        self._diff.show_keys(keys)

    def show_as(self, layout: DiffLayout) -> None:
        """Look at it in another way."""
        self._diff.show_as(layout)

    def show_current(self) -> None:
        """Put the caret at the current hunk, unless that would take scrolling."""
        self._diff.show_current()

    def follow(self) -> None:
        """Keep what is being written in view."""
        self._diff.follow()

    def next_hunk(self) -> None:
        """Make the next open hunk the current one."""
        self._diff.next_hunk()

    def previous_hunk(self) -> None:
        """Make the previous open hunk the current one."""
        self._diff.previous_hunk()

    def dispose(self) -> None:
        """Take the overlay away."""
        self.end()
        self._diff.dispose()

    def end(self) -> None:
        """Nothing of it waits any more."""
        self.is_over, self.is_running = True, False
        self._on_change()

    def _tell(self, step: Callable[[], None]) -> None:
        step()
        self._on_change()


class FollowedPrompt:
    """A prompt block whose end is told; implements `api.PromptHandle` over the one on screen."""

    def __init__(self, prompt: PromptBlockView, on_change: Callable[[], None]) -> None:
        self._prompt = prompt
        self._on_change = on_change
        self.is_over = False

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the block."""
        return not self.is_over and self._prompt.has_focus

    def update(self, model: PromptModel) -> None:
        """Show another model."""
        self._prompt.update(model)

    def focus(self) -> None:
        """Give the field the keyboard."""
        self._prompt.focus()

    def dispose(self) -> None:
        """Take the block away."""
        self._prompt.dispose()
        self.end()

    def end(self) -> None:
        """It is gone."""
        self.is_over = True
        self._on_change()
