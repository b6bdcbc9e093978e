"""A dim word beside a selection that names the key for an edit; it waits for a still selection and covers no code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from redraft.qt.editor.code_editor import CodeEditor

DELAY: Final = 400
"""Milliseconds a selection rests before the key is named."""

GAP: Final = 16


class SelectionHint(QWidget):
    """Stands after the end of the line in which a selection ends.

    Args:
        editor: Where it stands.
        words: What it says now; nothing keeps it away.
    """

    def __init__(self, editor: CodeEditor, words: Callable[[], str]) -> None:
        super().__init__(editor.viewport())
        self._editor = editor
        self._words = words
        self._text = ""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY)
        self._timer.timeout.connect(self._appear)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Hint")
        self.hide()
        editor.selection_changed.connect(self._on_selection_changed)
        editor.text_changed.connect(self._on_selection_changed)
        editor.view_changed.connect(self._on_view_changed)

    @property
    def text(self) -> str:
        """What it says, while it is shown."""
        return self._text if self.isVisible() else ""

    def _on_selection_changed(self) -> None:
        self.hide()
        if self._editor.selectionEmpty():
            self._timer.stop()
        else:
            self._timer.start()

    def _on_view_changed(self) -> None:
        if self.isVisible():
            self._appear()

    def _appear(self) -> None:
        self._text = "" if self._editor.selectionEmpty() else self._words()
        place = self._place() if self._text else None
        if place is None:
            self.hide()
            return
        self.setGeometry(place)
        self.show()
        self.update()

    def _place(self) -> QRect | None:
        """Behind the line's end, if it is in view and there is room."""
        editor = self._editor
        end = editor.selectionEnd()
        line = editor.lineFromPosition(end)
        if line and end == editor.positionFromLine(line):
            line -= 1  # a selection of whole lines ends before the next one
        if not editor.lineVisible(line):
            return None
        x = editor.pointXFromPosition(editor.lineEndPosition(line)) + GAP
        width = round(QFontMetricsF(editor.theme.font("micro")).horizontalAdvance(self._text)) + 2
        y = editor.line_y(line)
        is_in_view = 0 <= y < editor.viewport().height() and x + width < editor.viewport().width()
        return QRect(x, y, width, editor.row_height()) if is_in_view else None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the words on the text's line of writing."""
        painter = QPainter(self)
        painter.setFont(self._editor.theme.font("micro"))
        painter.setPen(self._editor.theme.color("editor.ghost"))
        painter.drawText(QPointF(0, self._editor.gutter.baseline()), self._text)
        painter.end()
