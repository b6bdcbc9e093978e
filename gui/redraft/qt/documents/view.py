"""What stands under a tab: the notice bar, and the editor."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.frame.notice_bar import NoticeBar
from redraft.qt.theme import Theme


class DocumentView(QWidget):
    """Holds an editor; other bars of the same file go above or below it."""

    def __init__(self, theme: Theme, editor: CodeEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = editor
        self.notice = NoticeBar(theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notice)
        layout.addWidget(editor, 1)
        self._layout = layout

    def add_bar(self, bar: QWidget) -> None:
        """Put a bar between notice and text."""
        self._layout.insertWidget(1, bar)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self.notice.set_theme(theme)
        self.editor.set_theme(theme)
