"""One open file as plugins see it: an `api.TextEditor` over a code editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, TypeVar
from weakref import WeakSet

from redraft.api.disposable import Disposable, OnDispose
from redraft.api.editor import Indentation, TextChange
from redraft.api.inline_diff import DiffEvent, DiffKeys
from redraft.api.prediction import PredictionEvent, PredictionModel
from redraft.api.prompt_block import PromptEvent, PromptModel
from redraft.core.text import TextEdit, TextRange
from redraft.core.textfile import is_read_only
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.ghost_text import GhostText
from redraft.qt.editor.inline_diff import InlineDiffView, show_inline_diff
from redraft.qt.editor.prediction.view import PredictionView
from redraft.qt.editor.prompt_block import PromptBlockView, show_prompt
from redraft.qt.editor.tracked import TrackedSpan

C = TypeVar("C")


class FileFacts(Protocol):
    """What an editor itself does not know of its file."""

    @property
    def path(self) -> Path | None:
        """Where the file is, or `None` for an unsaved one."""
        ...

    @property
    def title(self) -> str:
        """What its tab is called."""
        ...


class EditorAdapter:
    """Translates between a plugin's intentions and a `CodeEditor`; `close` is called when the tab goes."""

    def __init__(self, editor: CodeEditor, facts: FileFacts) -> None:
        self._editor = editor
        self._facts = facts
        self._is_closed = False
        self._on_change: list[Callable[[TextChange], None]] = []
        self._on_selection: list[Callable[[TextRange], None]] = []
        self._on_activity: list[Callable[[], None]] = []
        self._on_close: list[Callable[[], None]] = []
        self._prediction: PredictionView | None = None
        self._ghosts: set[GhostText] = set()
        self._shown: WeakSet[InlineDiffView | PromptBlockView] = WeakSet()
        editor.text_changed.connect(self._on_text_changed)
        editor.selection_changed.connect(self._on_selection_changed)

    @property
    def path(self) -> Path | None:
        """Where the file is, or `None` for an unsaved one."""
        return self._facts.path

    @property
    def title(self) -> str:
        """What its tab is called."""
        return self._facts.title

    @property
    def language_id(self) -> str:
        """The language, by its LSP identifier."""
        return self._editor.language_id

    @property
    def text(self) -> str:
        """The whole buffer."""
        return self._editor.plain_text()

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        return self._editor.revision

    @property
    def selection(self) -> TextRange:
        """What is selected."""
        return self._editor.selection()

    @property
    def caret(self) -> int:
        """Where the caret stands."""
        return self._editor.caret()

    @property
    def is_read_only(self) -> bool:
        """Whether the buffer or its file may not be changed."""
        path = self.path
        return self._editor.readOnly() or (path is not None and is_read_only(path))

    @property
    def line_end(self) -> str:
        """The file's usual line end."""
        return self._editor.line_end

    @property
    def indentation(self) -> Indentation:
        """How the file is indented."""
        return self._editor.indentation

    @property
    def is_large(self) -> bool:
        """Whether the text is so large that the editor leaves things out."""
        return self._editor.limits.is_plain

    @property
    def is_under_edit(self) -> bool:
        """Whether a prompt block or a proposal is on screen in it; who follows them knows."""
        return False

    @property
    def prediction(self) -> PredictionView | None:
        """The predicted edit in it, on screen or waiting for its time."""
        return self._prediction

    def select(self, selection: TextRange, *, reveal: bool = True) -> None:
        """Select a range, and scroll it into view."""
        self._editor.select(selection, reveal=reveal)

    def focus(self) -> None:
        """Give the text the keyboard."""
        self._editor.focus_text()

    def apply(self, edits: Sequence[TextEdit]) -> None:
        """Change the buffer, as one undo step."""
        self._editor.replace_ranges(edits)

    def undo_step(self) -> AbstractContextManager[None]:
        """Make one undo step of all that is accepted inside."""
        return self._editor.buffer.undo_step()

    def track(self, tracked: TextRange) -> TrackedSpan:
        """Follow a range through later edits."""
        return self._editor.track(tracked)

    def show_prompt(
        self, anchor: TextRange, model: PromptModel, *, on_event: Callable[[PromptEvent], None]
    ) -> PromptBlockView:
        """Show a prompt block directly above the first line of `anchor`."""
        view = show_prompt(self._editor, anchor, model, on_event=on_event)
        self._shown.add(view)
        return view

    def show_inline_diff(
        self, lines: TextRange, *, keys: DiffKeys, on_event: Callable[[DiffEvent], None], label: str = ""
    ) -> InlineDiffView:
        """Show a proposal over whole lines; whoever keeps proposals keeps its `label` too.

        Raises:
            ValueError: The range is not whole lines, or another proposal covers part of it.
        """
        view = show_inline_diff(self._editor, lines, keys=keys, on_event=on_event)
        self._shown.add(view)
        return view

    def show_ghost_text(self, offset: int, text: str) -> GhostText:
        """Show predicted text at an offset, in place of what was predicted before."""
        for earlier in list(self._ghosts):
            earlier.dispose()
        ghost = GhostText(self._editor, offset, text, self._ghosts.discard)
        self._ghosts.add(ghost)
        return ghost

    def show_prediction(self, model: PredictionModel, *, on_event: Callable[[PredictionEvent], None]) -> PredictionView:
        """Show a predicted edit, in place of an earlier one."""
        self.drop_prediction()
        for ghost in list(self._ghosts):
            ghost.dispose()
        self._prediction = PredictionView(self._editor, model, on_event, self._on_prediction_gone)
        return self._prediction

    def drop_prediction(self) -> None:
        """Take a predicted edit off the screen."""
        if self._prediction is not None:
            self._prediction.dispose()

    def on_did_change(self, callback: Callable[[TextChange], None]) -> Disposable:
        """Hear of every change of the buffer."""
        return _listen(self._on_change, callback)

    def on_did_change_selection(self, callback: Callable[[TextRange], None]) -> Disposable:
        """Hear of every move of the caret or selection."""
        return _listen(self._on_selection, callback)

    def on_did_change_activity(self, callback: Callable[[], None]) -> Disposable:
        """Hear that a prompt block or a proposal came on screen, or is gone from it."""
        return _listen(self._on_activity, callback)

    def on_did_close(self, callback: Callable[[], None]) -> Disposable:
        """Hear that the tab is gone."""
        return _listen(self._on_close, callback)

    def close(self) -> None:
        """The tab goes: take everything off the screen, and say so; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self._editor.text_changed.disconnect(self._on_text_changed)
        self._editor.selection_changed.disconnect(self._on_selection_changed)
        self.drop_prediction()
        for ghost in list(self._ghosts):
            ghost.dispose()
        for view in list(self._shown):
            view.close()
        for callback in list(self._on_close):
            callback()
        for listeners in (self._on_change, self._on_selection, self._on_activity, self._on_close):
            listeners.clear()

    def tell_activity(self) -> None:
        """A prompt block or a proposal came or went."""
        for callback in list(self._on_activity):
            callback()

    def _on_prediction_gone(self, view: PredictionView) -> None:
        if self._prediction is view:
            self._prediction = None

    def _on_text_changed(self, change: TextChange) -> None:
        for callback in list(self._on_change):
            callback(change)

    def _on_selection_changed(self) -> None:
        selection = self._editor.selection()
        for callback in list(self._on_selection):
            callback(selection)


def _listen(listeners: list[C], callback: C) -> Disposable:
    listeners.append(callback)
    return OnDispose(lambda: listeners.remove(callback) if callback in listeners else None)
