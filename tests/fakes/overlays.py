"""Prompt blocks, proposals and predictions without a window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from redraft.api.editor import TextChange
from redraft.api.inline_diff import (
    CurrentHunkChanged,
    DiffEvent,
    DiffKeys,
    DiffLayout,
    HunkDecided,
    HunkState,
    ReviewHunk,
)
from redraft.api.prediction import (
    PredictionClosed,
    PredictionEnd,
    PredictionEvent,
    PredictionKeys,
    PredictionModel,
    PredictionTaken,
)
from redraft.api.prompt_block import PromptEvent, PromptModel
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.predicted import PredictedEdit, follow
from redraft.core.diff.proposal import Proposal
from redraft.core.text import TextIndex, TextRange, split_lines

if TYPE_CHECKING:
    from fakes.editor import FakeEditor


class FakePrompt:
    """A prompt block that remembers what it showed."""

    def __init__(self, model: PromptModel, on_event: Callable[[PromptEvent], None]) -> None:
        self.models = [model]
        self.say = on_event
        self.has_focus = False
        self.is_disposed = False

    @property
    def model(self) -> PromptModel:
        return self.models[-1]

    def update(self, model: PromptModel) -> None:
        self.models.append(model)

    def focus(self) -> None:
        self.has_focus = True

    def dispose(self) -> None:
        self.is_disposed = True
        self.has_focus = False


class FakeDiff:
    """A proposal over the lines of a `FakeEditor`, with decisions but no pixels."""

    def __init__(self, editor: FakeEditor, lines: TextRange, on_event: Callable[[DiffEvent], None]) -> None:
        first = TextIndex(editor.text).line_at(lines.start)
        self.original = lines.of(editor.text)
        self.proposal = Proposal(split_lines(self.original), first)
        self.say = on_event
        self.is_finished = False
        self.is_disposed = False
        self.progress: DiffProgress | None = None
        self.layout = DiffLayout.INLINE
        self.keys = DiffKeys()
        self._editor = editor

    def show_keys(self, keys: DiffKeys) -> None:
        self.keys = keys

    def show_as(self, layout: DiffLayout) -> None:
        self.layout = layout

    @property
    def current(self) -> int | None:
        return next(iter(self.proposal.undecided_ids), None)

    @property
    def hunks(self) -> Sequence[ReviewHunk]:
        return self.proposal.hunks

    @property
    def proposed(self) -> str:
        return "".join(self.proposal.proposed_lines)

    def update(self, progress: DiffProgress) -> None:
        self.progress = progress
        self.proposal.update(progress)

    def finish(self, progress: DiffProgress) -> None:
        self.update(progress)
        self.is_finished = True

    def accept(self, hunk_id: int | None = None) -> None:
        self._decide([hunk_id or self.proposal.open_ids[0]], HunkState.ACCEPTED)

    def reject(self, hunk_id: int | None = None) -> None:
        self._decide([hunk_id or self.proposal.open_ids[0]], HunkState.REJECTED)

    def accept_all(self) -> None:
        self._decide(self.proposal.open_ids, HunkState.ACCEPTED)

    def reject_all(self) -> None:
        self._decide(self.proposal.undecided_ids, HunkState.REJECTED)

    def next_hunk(self) -> None:
        self.say(CurrentHunkChanged(1, len(self.proposal.open_ids)))

    previous_hunk = next_hunk

    def show_current(self) -> None:
        """There is no caret."""

    def follow(self) -> None:
        """There is nothing to scroll."""

    def dispose(self) -> None:
        self.is_disposed = True
        self._editor.diffs.remove(self)

    def _decide(self, ids: Sequence[int], state: HunkState) -> None:
        ids = list(ids)
        if state is HunkState.ACCEPTED:
            lines = split_lines(self._editor.text)
            for change in self.proposal.accept(ids):
                lines[change.start : change.start + change.removed] = change.lines
            self._editor.text = "".join(lines)
        else:
            self.proposal.reject(ids)
        remaining = len(self.proposal.undecided_ids)
        for place, hunk_id in enumerate(ids, start=1):
            self.say(HunkDecided(hunk_id, state, remaining + len(ids) - place))


class FakePrediction:
    """A prediction in a `FakeEditor`: it follows the text, and is taken whole."""

    def __init__(self, editor: FakeEditor, model: PredictionModel, on_event: Callable[[PredictionEvent], None]) -> None:
        self.model = model
        self.edits: tuple[PredictedEdit, ...] = tuple(model.edits)
        self.is_visible = True
        self._editor = editor
        self._on_event = on_event
        self._is_taking = False

    def replace(self, edits: Sequence[PredictedEdit]) -> None:
        self.edits = tuple(edits)

    def show_keys(self, keys: PredictionKeys) -> None:
        self.model = replace(self.model, keys=keys)

    def accept(self) -> None:
        if not self.edits:
            self._close(PredictionEnd.FOLLOWED)
            return
        self._is_taking = True
        edit = self.edits[0]
        self._editor.change(edit.start, edit.removed, edit.added)
        self._is_taking = False

    accept_word = accept_line = accept

    def hide(self) -> None:
        self._close(PredictionEnd.HIDDEN)

    def dispose(self) -> None:
        self.is_visible = False
        if self._editor.prediction is self:
            self._editor.prediction = None

    def follow(self, change: TextChange) -> None:
        left = follow(self.edits, change.start, change.removed, change.added)
        if left is None or change.is_from_disk or not self.edits:
            self._close(PredictionEnd.OUTDATED)
        elif not left:
            self._close(PredictionEnd.ACCEPTED if self._is_taking else PredictionEnd.TYPED)
        else:
            self.edits = left
            if self._is_taking:
                self._on_event(PredictionTaken())

    def _close(self, end: PredictionEnd) -> None:
        if self.is_visible:
            self.dispose()
            self._on_event(PredictionClosed(end))
