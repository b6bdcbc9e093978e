"""Open files without a window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from fakes.overlays import FakeDiff, FakePrediction, FakePrompt
from redraft.api.disposable import Disposable, OnDispose
from redraft.api.editor import GhostTextHandle, Indentation, TextChange, TextEditor
from redraft.api.inline_diff import (
    DiffEvent,
    DiffKeys,
    KeptProposal,
)
from redraft.api.prediction import PredictionEvent, PredictionModel
from redraft.api.prompt_block import PromptEvent, PromptModel
from redraft.core.text import TextEdit, TextRange, apply_edits


class FakeTracked:
    """A range that stays where it is, unless the test moves it."""

    def __init__(self, tracked: TextRange) -> None:
        self.range = tracked
        self.is_touched = False
        self.is_disposed = False

    def dispose(self) -> None:
        self.is_disposed = True


class FakeEditor:
    """An open file without a window."""

    def __init__(self, text: str, *, path: Path | None = None, language_id: str = "python") -> None:
        self.text = text
        self.path = path
        self.title = path.name if path else "untitled"
        self.language_id = language_id
        self.selection = TextRange(0, 0)
        self.is_read_only = False
        self.is_large = False
        self.is_under_edit = False
        self.line_end = "\r\n" if "\r\n" in text else "\n"
        self.indentation = Indentation()
        self.has_focus = False
        self.prompts: list[FakePrompt] = []
        self.diffs: list[FakeDiff] = []
        self.tracked: list[FakeTracked] = []
        self.prediction: FakePrediction | None = None
        self.predictions: list[FakePrediction] = []
        self._on_close: list[Callable[[], None]] = []
        self._on_activity: list[Callable[[], None]] = []
        self._on_change: list[Callable[[TextChange], None]] = []
        self._on_selection: list[Callable[[TextRange], None]] = []

    @property
    def revision(self) -> int:
        return 0

    @property
    def caret(self) -> int:
        return self.selection.end

    @property
    def prompt(self) -> FakePrompt:
        return self.prompts[-1]

    def select(self, selection: TextRange, *, reveal: bool = True) -> None:
        self.selection = selection

    def select_text(self, text: str) -> None:
        start = self.text.index(text)
        self.selection = TextRange(start, start + len(text))

    def focus(self) -> None:
        self.has_focus = True
        for prompt in self.prompts:
            prompt.has_focus = False

    def apply(self, edits: Sequence[TextEdit]) -> None:
        self.text = apply_edits(self.text, edits)

    def undo_step(self) -> AbstractContextManager[None]:
        return nullcontext()

    def track(self, tracked: TextRange) -> FakeTracked:
        self.tracked.append(FakeTracked(tracked))
        return self.tracked[-1]

    def show_prompt(
        self, anchor: TextRange, model: PromptModel, *, on_event: Callable[[PromptEvent], None]
    ) -> FakePrompt:
        self.prompts.append(FakePrompt(model, on_event))
        return self.prompts[-1]

    def show_inline_diff(
        self, lines: TextRange, *, keys: DiffKeys, on_event: Callable[[DiffEvent], None], label: str = ""
    ) -> FakeDiff:
        self.diffs.append(FakeDiff(self, lines, on_event))
        return self.diffs[-1]

    def show_ghost_text(self, offset: int, text: str) -> GhostTextHandle:
        raise NotImplementedError

    def show_prediction(self, model: PredictionModel, *, on_event: Callable[[PredictionEvent], None]) -> FakePrediction:
        if self.prediction is not None:
            self.prediction.dispose()
        self.prediction = FakePrediction(self, model, on_event)
        self.predictions.append(self.prediction)
        return self.prediction

    def change(
        self, start: int, removed: str, added: str, *, is_undo: bool = False, is_from_disk: bool = False
    ) -> None:
        """The user replaces a stretch of text, and the caret stands behind it."""
        assert self.text.startswith(removed, start)
        self.text = self.text[:start] + added + self.text[start + len(removed) :]
        caret = start + len(added)
        self.selection = TextRange(caret, caret)
        change = TextChange(start, removed, added, is_undo=is_undo, is_from_disk=is_from_disk)
        for callback in list(self._on_change):
            callback(change)
        # As in the window: what is shown hears of a change after the plugin.
        if self.prediction is not None:
            self.prediction.follow(change)

    def insert(self, text: str) -> None:
        """The user types at the caret."""
        for char in text:
            self.change(self.caret, "", char)

    def put_caret(self, offset: int, end: int | None = None) -> None:
        """The user moves the caret, or selects."""
        self.selection = TextRange(offset, offset if end is None else end)
        for callback in list(self._on_selection):
            callback(self.selection)

    def set_under_edit(self, *, is_under_edit: bool) -> None:
        """A prompt block comes or goes."""
        self.is_under_edit = is_under_edit
        for callback in list(self._on_activity):
            callback()

    def on_did_change_activity(self, callback: Callable[[], None]) -> Disposable:
        self._on_activity.append(callback)
        return OnDispose(lambda: self._on_activity.remove(callback))

    def on_did_change(self, callback: Callable[[TextChange], None]) -> Disposable:
        self._on_change.append(callback)
        return OnDispose(lambda: self._on_change.remove(callback))

    def type(self, text: str) -> None:
        """The user writes another text."""
        before, self.text = self.text, text
        for callback in list(self._on_change):
            callback(TextChange(0, before, text))

    def on_did_change_selection(self, callback: Callable[[TextRange], None]) -> Disposable:
        self._on_selection.append(callback)
        return OnDispose(lambda: self._on_selection.remove(callback))

    def on_did_close(self, callback: Callable[[], None]) -> Disposable:
        self._on_close.append(callback)
        return OnDispose(lambda: self._on_close.remove(callback))

    def close(self) -> None:
        """The user closes the tab."""
        for callback in list(self._on_close):
            callback()


class FakeEditors:
    """The open files of a window that is not there."""

    def __init__(self, *editors: FakeEditor, folder: Path | None = None) -> None:
        self.all: Sequence[FakeEditor] = list(editors)
        self.active: FakeEditor | None = editors[0] if editors else None
        self.folder = folder
        self.scratches: list[FakeTab] = []
        self._on_active: list[Callable[[TextEditor | None], None]] = []

    def bring_forward(self, editor: FakeEditor) -> None:
        """The user goes to another tab."""
        self.active = editor
        for callback in list(self._on_active):
            callback(editor)

    def on_did_recover(self, callback: Callable[[TextEditor, KeptProposal], None]) -> Disposable:
        return OnDispose(lambda: None)

    def open_scratch(self, title: str, text: str, language_id: str = "plaintext") -> FakeTab:
        tab = FakeTab(self, title, text, language_id)
        self.scratches.append(tab)
        return tab

    def on_did_change_active(self, callback: Callable[[TextEditor | None], None]) -> Disposable:
        self._on_active.append(callback)
        return OnDispose(lambda: self._on_active.remove(callback))


class FakeTab:
    """A tab of a plugin, in front of the others."""

    def __init__(self, editors: FakeEditors, title: str, text: str, language_id: str) -> None:
        self.editor = FakeEditor(text, language_id=language_id)
        self.editor.title = title
        self.is_closed = False
        self._editors = editors
        editors.active = self.editor

    def dispose(self) -> None:
        self.is_closed = True
        if self._editors.active is self.editor:
            self._editors.active = next(iter(self._editors.all), None)
