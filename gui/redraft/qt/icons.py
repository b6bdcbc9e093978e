"""Draws Phosphor glyphs, named by meaning in the theme tokens, as icons that follow any scale."""

from __future__ import annotations

import qtawesome
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QIconEngine, QPainter, QPixmap

PREFIX = "ph"


class GlyphEngine(QIconEngine):
    """One glyph in one colour, never drawn larger than its own size."""

    def __init__(self, glyph: str, color: QColor, disabled: QColor, size: int) -> None:
        super().__init__()
        self._glyph = glyph
        self._color = color
        self._disabled = disabled
        self._size = size

    def clone(self) -> QIconEngine:
        """Qt copies an icon that is shared and then changed."""
        return GlyphEngine(self._glyph, self._color, self._disabled, self._size)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        """The size asked for, up to the icon's own."""
        return size.boundedTo(QSize(self._size, self._size))

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw the glyph as large as the rectangle."""
        painter.save()
        painter.setPen(self._disabled if mode == QIcon.Mode.Disabled else self._color)
        draw_glyph(painter, rect, self._glyph)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The glyph on nothing."""
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return pixmap


def glyph(name: str) -> str:
    """The character of a Phosphor glyph.

    Raises:
        ValueError: There is no glyph of that name.
    """
    character: str = qtawesome.charmap(f"{PREFIX}.{name}")
    return character


def draw_glyph(painter: QPainter, rect: QRect, character: str) -> None:
    """Draw a glyph in the painter's pen, as large as the rectangle."""
    font: QFont = qtawesome.font(PREFIX, min(rect.width(), rect.height()))
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, character)
