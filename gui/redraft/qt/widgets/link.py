"""A link: words to click on."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_focus_ring
from redraft.qt.widgets.pressable import Pressable


class LinkButton(Pressable):
    """Words in the colour of a link."""

    def __init__(self, theme: Theme, text: str, *, weight: int = 500, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._weight = weight
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Show other words; none hide the link."""
        self.setText(text)
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the words, underlined under the pointer."""
        font = self.theme.font("small", weight=self._weight)
        font.setUnderline(self.is_hovered)
        painter.setFont(font)
        painter.setPen(self.theme.color("accent.text" if self.isEnabled() else "text.disabled"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), self.theme.radius("small"), self.theme)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.theme.font("small", weight=self._weight)).horizontalAdvance(self.text())
        return QSize(width + 4, 18)
