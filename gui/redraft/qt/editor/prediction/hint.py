"""Says beside a prediction which keys take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.widgets.key_badge import badge_size, draw_badge

GAP: Final = 20
"""Between the text and the hint."""
BETWEEN: Final = 14
"""Between a word and the next key."""
AIR: Final = 7
"""Between a key and its word."""

KeyWords = Sequence[tuple[str, str]]
"""Keys, each with what it does."""


class KeyHint(QWidget):
    """Stands behind the end of a predicted row, where no code is."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor.viewport())
        self._editor = editor
        self._words: tuple[tuple[str, str], ...] = ()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    @property
    def words(self) -> tuple[tuple[str, str], ...]:
        """The keys it names, while it is shown."""
        return self._words if self.isVisible() else ()

    def show_at(self, end: QPoint, words: KeyWords) -> None:
        """Show keys behind a place; as many as there is room for."""
        room = self._editor.viewport().width() - end.x() - GAP
        fitting = [(key, word) for key, word in words if key]
        while fitting and self._width(fitting) > room:
            fitting.pop()
        self._words = tuple(fitting)
        is_in_view = 0 <= end.y() < self._editor.viewport().height()
        if not fitting or not is_in_view:
            self.hide()
            return
        self.setAccessibleName(", ".join(f"{key} {word}" for key, word in fitting))
        self.setGeometry(end.x() + GAP, end.y(), self._width(fitting), self._editor.row_height())
        self.show()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw each key in its box, and its word."""
        theme = self._editor.theme
        painter = QPainter(self)
        x = 0
        for key, word in self._words:
            size = badge_size(theme, key)
            box = QRect(x, (self.height() - size.height()) // 2, size.width(), size.height())
            draw_badge(painter, box, theme, key)
            x = box.right() + 1 + AIR
            painter.setPen(theme.color("text.muted"))
            painter.drawText(QRect(x, 0, self._advance(word) + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, word)
            x += self._advance(word) + BETWEEN
        painter.end()

    def _width(self, words: KeyWords) -> int:
        theme = self._editor.theme
        parts = sum(badge_size(theme, key).width() + AIR + self._advance(word) for key, word in words)
        return parts + BETWEEN * (len(words) - 1) + 2

    def _advance(self, word: str) -> int:
        return QFontMetrics(self._editor.theme.font("micro")).horizontalAdvance(word)
