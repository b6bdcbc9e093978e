"""Predicted text at a place, in nobody's buffer until it is taken."""

from __future__ import annotations

from collections.abc import Callable

from redraft.api.editor import TextChange
from redraft.core.text import TextEdit, TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.prediction.ghost import GhostDrawing, GhostLabel


class GhostText:
    """A prediction on screen (an `api.GhostTextHandle`).

    Typing what it predicts uses it up; typing anything else at its place takes it away.
    """

    def __init__(self, editor: CodeEditor, offset: int, text: str, on_gone: Callable[[GhostText], None]) -> None:
        self._editor = editor
        self._text = text
        self._offset = offset
        self._on_gone = on_gone
        self._theme = editor.theme
        self._is_gone = False
        self._drawing = GhostDrawing(editor)
        editor.text_changed.connect(self._on_text_changed)
        editor.view_changed.connect(self._on_view_changed)
        self._show()

    @property
    def text(self) -> str:
        """What is still predicted."""
        return self._text

    @property
    def label(self) -> GhostLabel:
        """The part of it in the caret's row."""
        return self._drawing.label

    def accept(self, length: int | None = None) -> None:
        """Put the first code points (all by default) into the buffer, as one undo step; the rest stays shown."""
        if self._is_gone:
            return
        taken = self._text if length is None else self._text[:length]
        place = self._offset
        # Taken means typed: what follows hears of the change like any other.
        self._editor.replace_ranges([TextEdit(TextRange(place, place), taken)])
        caret = place + len(taken)
        self._editor.select(TextRange(caret, caret))

    def dispose(self) -> None:
        """Take it off the screen."""
        if self._is_gone:
            return
        self._is_gone = True
        self._editor.text_changed.disconnect(self._on_text_changed)
        self._editor.view_changed.disconnect(self._on_view_changed)
        self._drawing.close()
        self._on_gone(self)

    def _on_text_changed(self, change: TextChange) -> None:
        end = change.start + len(change.removed)
        if end < self._offset or (end == self._offset and change.removed and not change.added):
            self._offset += len(change.added) - len(change.removed)
        elif change.start == self._offset:
            if change.removed or not self._text.startswith(change.added) or change.added == self._text:
                self.dispose()
                return
            self._text = self._text[len(change.added) :]
            self._offset += len(change.added)
        elif change.start < self._offset:
            self.dispose()
            return
        self._show()

    def _on_view_changed(self) -> None:
        if self._theme is not self._editor.theme:
            self._theme = self._editor.theme
            self._show()
        elif not self._is_gone:
            self._drawing.place()

    def _show(self) -> None:
        self._drawing.show(self._offset, self._text)
