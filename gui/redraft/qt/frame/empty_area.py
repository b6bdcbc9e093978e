"""What stands in the middle while no file is open: the most useful keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from redraft.qt.frame.sidebar import KeyHint
from redraft.qt.theme import Theme
from redraft.qt.widgets.key_badge import badge_size, draw_badge

ROW = 32
HALF = 150


class EmptyArea(QWidget):
    """Draws a few labels with their keys, centred."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._hints: tuple[KeyHint, ...] = ()

    def set_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show these."""
        self._hints = tuple(hint for hint in hints if hint.key)
        self.setAccessibleName("No file is open")
        self.setAccessibleDescription(", ".join(f"{hint.label}: {hint.key}" for hint in self._hints))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("surface.0"))
        middle = self.width() // 2
        y = (self.height() - ROW * len(self._hints)) // 2
        for hint in self._hints:
            painter.setFont(theme.font("body"))
            painter.setPen(theme.color("text.muted"))
            label = QRect(middle - HALF, y, HALF - 8, ROW)
            painter.drawText(label, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, hint.label)
            size = badge_size(theme, hint.key)
            badge = QRect(middle + 8, y + (ROW - size.height()) // 2, size.width(), size.height())
            draw_badge(painter, badge, theme, hint.key)
            y += ROW
        painter.end()
