"""Room above the first line of a text, where Scintilla itself can have none."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from redraft.qt.editor.appearance import fill
from redraft.qt.editor.code_editor import CodeEditor


class TopDock(QObject):
    """Moves the viewport of an editor down by some pixels.

    Scintilla clips its text by where the viewport stands in its parent, so a margin above it hides the first rows.
    Here the viewport keeps its place in a parent of its own, which is moved; the margin is below, for the height.
    """

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._frame: QWidget | None = None
        self.height = 0

    def set_height(self, height: int) -> None:
        """Make so much room; 0 gives it all back."""
        if height == self.height:
            return
        editor, viewport = self._editor, self._editor.viewport()
        self.height = height
        if height and self._frame is None:
            self._frame = QWidget(editor)
            viewport.setParent(self._frame)
            viewport.show()
            self._frame.show()
            self._frame.lower()
            editor.installEventFilter(self)
        editor.setViewportMargins(0, 0, 0, height)
        if not height and self._frame is not None:
            editor.removeEventFilter(self)
            viewport.setParent(editor)
            viewport.show()
            viewport.lower()
            self._frame.deleteLater()
            self._frame = None
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Show}:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        editor, viewport = self._editor, self._editor.viewport()
        if self._frame is not None:
            self._frame.setGeometry(0, self.height, viewport.width(), viewport.height())
            fill(editor, editor.theme)
