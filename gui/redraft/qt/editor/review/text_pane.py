"""The plain-text view of a proposal: readable without colours, and by screen readers, line by line.

Scintilla tells assistive technology nothing of its text. This pane is an ordinary text widget, which does.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.hidden import hidden_names
from redraft.qt.editor.review.pane import ReviewPane
from redraft.qt.editor.review.state import ReviewState
from redraft.qt.theme import Theme

READING: Final = Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse


class TextPane(ReviewPane):
    """Hunk headers and lines, with a caret that goes from hunk to hunk."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor, "Changes as text")
        self.field = QPlainTextEdit(self)
        self.field.setReadOnly(True)
        self.field.setTextInteractionFlags(READING)
        self.field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.field.setFrameStyle(0)
        self.field.setAccessibleName("Changes as text")
        self.field.setTabChangesFocus(True)
        self.watch_escape(self.field)
        self.body.addWidget(self.field, 1)
        self.setFocusProxy(self.field)
        self._headers: tuple[int, ...] = ()
        self._shown: tuple[str, int] = ("", -1)
        self._dress(editor.theme)

    @property
    def text(self) -> str:
        """What stands there."""
        return self.field.toPlainText()

    def show_review(self, state: ReviewState) -> None:
        """Show the hunks; the caret goes to the header of the current one."""
        super().show_review(state)
        words = state.in_words("Proposed changes")
        shown = (words.text, state.current)
        if shown == self._shown:
            return
        if words.text != self._shown[0]:
            self.field.setPlainText(_visible(words.text))
        self._shown = shown
        self._headers = words.headers
        if self._headers:
            self._go_to(self._headers[state.current_index])

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        super().set_theme(theme)
        self._dress(theme)

    def _go_to(self, line: int) -> None:
        block = self.field.document().findBlockByNumber(line)
        self.field.setTextCursor(QTextCursor(block))
        self.field.centerCursor()

    def _dress(self, theme: Theme) -> None:
        font = theme.code_font()
        font.setPixelSize(self.editor.font_pixels())
        self.field.setFont(font)
        self.field.document().setDocumentMargin(16)
        palette = QPalette(self.field.palette())
        roles = {
            QPalette.ColorRole.Base: "surface.0",
            QPalette.ColorRole.Text: "text.primary",
            QPalette.ColorRole.Highlight: "editor.selection",
            QPalette.ColorRole.HighlightedText: "text.primary",
        }
        for role, token in roles.items():
            palette.setColor(role, QColor(theme.hex(token)))
        self.field.setPalette(palette)


def _visible(text: str) -> str:
    """The text with the names of hidden characters in place of them, and nothing a text widget would take as an end."""
    names = hidden_names(text)
    if not names:
        return text
    return "".join(names.get(index, char) for index, char in enumerate(text))
