"""One open file in the hands of one plugin: its callbacks are guarded, and what it shows goes when it goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar
from weakref import WeakSet

from redraft.api.disposable import Disposable, DisposableStack, OnDispose
from redraft.api.editor import GhostTextHandle, Indentation, TextChange, TextEditor, TrackedRange
from redraft.api.inline_diff import DiffEvent, DiffKeys, InlineDiffHandle
from redraft.api.prediction import PredictionEvent, PredictionHandle, PredictionModel
from redraft.api.prompt_block import PromptEvent, PromptHandle, PromptModel
from redraft.core.text import TextEdit, TextRange
from redraft.host.guard import Guard

D = TypeVar("D", bound=Disposable)


class GuardedEditor:
    """Implements `api.TextEditor` over another one."""

    def __init__(self, editor: TextEditor, guard: Guard, kept: DisposableStack) -> None:
        self._editor = editor
        self._guard = guard
        self._kept = kept
        # What is on screen is held by the editor; held here too, hundreds of closed proposals would never be freed.
        self._shown: WeakSet[Disposable] = WeakSet()
        kept.add(OnDispose(self._close_shown))

    @property
    def path(self) -> Path | None:
        """Where the file is."""
        return self._editor.path

    @property
    def title(self) -> str:
        """What its tab is called."""
        return self._editor.title

    @property
    def language_id(self) -> str:
        """The language."""
        return self._editor.language_id

    @property
    def text(self) -> str:
        """The whole buffer."""
        return self._editor.text

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        return self._editor.revision

    @property
    def selection(self) -> TextRange:
        """What is selected."""
        return self._editor.selection

    @property
    def caret(self) -> int:
        """Where the caret stands."""
        return self._editor.caret

    @property
    def is_read_only(self) -> bool:
        """Whether it may not be changed."""
        return self._editor.is_read_only

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
        return self._editor.is_large

    @property
    def is_under_edit(self) -> bool:
        """Whether a prompt block or a proposal is on screen in it."""
        return self._editor.is_under_edit

    def select(self, selection: TextRange, *, reveal: bool = True) -> None:
        """Select a range, and scroll it into view."""
        self._editor.select(selection, reveal=reveal)

    def focus(self) -> None:
        """Give the text the keyboard."""
        self._editor.focus()

    def apply(self, edits: Sequence[TextEdit]) -> None:
        """Change the buffer, as one undo step."""
        self._editor.apply(edits)

    def undo_step(self) -> AbstractContextManager[None]:
        """Make one undo step of all that is accepted inside."""
        return self._editor.undo_step()

    def track(self, tracked: TextRange) -> TrackedRange:
        """Follow a range through later edits."""
        return self._editor.track(tracked)

    def show_prompt(
        self, anchor: TextRange, model: PromptModel, *, on_event: Callable[[PromptEvent], None]
    ) -> PromptHandle:
        """Show a prompt block in the text."""
        guarded = self._guard.wrap("its prompt block", on_event)
        return self._show(self._editor.show_prompt(anchor, model, on_event=guarded))

    def show_inline_diff(
        self, lines: TextRange, *, keys: DiffKeys, on_event: Callable[[DiffEvent], None], label: str = ""
    ) -> InlineDiffHandle:
        """Show a proposal over whole lines of the buffer."""
        guarded = self._guard.wrap("its proposal", on_event)
        return self._show(self._editor.show_inline_diff(lines, keys=keys, on_event=guarded, label=label))

    def show_ghost_text(self, offset: int, text: str) -> GhostTextHandle:
        """Show predicted text at an offset."""
        return self._show(self._editor.show_ghost_text(offset, text))

    def show_prediction(
        self, model: PredictionModel, *, on_event: Callable[[PredictionEvent], None]
    ) -> PredictionHandle:
        """Show a predicted edit, in place of an earlier one."""
        guarded = self._guard.wrap("its prediction", on_event)
        return self._show(self._editor.show_prediction(model, on_event=guarded))

    def on_did_change(self, callback: Callable[[TextChange], None]) -> Disposable:
        """Hear of every change of the buffer."""
        return self._keep(self._editor.on_did_change(self._guard.wrap("hearing of a change", callback)))

    def on_did_change_selection(self, callback: Callable[[TextRange], None]) -> Disposable:
        """Hear of every move of the caret or selection."""
        return self._keep(self._editor.on_did_change_selection(self._guard.wrap("hearing of the selection", callback)))

    def on_did_change_activity(self, callback: Callable[[], None]) -> Disposable:
        """Hear that a prompt block or a proposal came or went."""
        guarded = self._guard.wrap("hearing what goes on in a file", callback)
        return self._keep(self._editor.on_did_change_activity(guarded))

    def on_did_close(self, callback: Callable[[], None]) -> Disposable:
        """Hear that the tab is gone."""
        return self._keep(self._editor.on_did_close(self._guard.wrap("hearing that a tab closes", callback)))

    def _show(self, handle: D) -> D:
        self._shown.add(handle)
        return handle

    def _close_shown(self) -> None:
        for handle in list(self._shown):
            handle.dispose()

    def _keep(self, item: D) -> D:
        self._kept.add(item)
        return item
