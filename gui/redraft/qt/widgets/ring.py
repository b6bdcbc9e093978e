"""A ring that turns while something is at work."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from redraft.qt.theme import Theme
from redraft.qt.widgets.moving import MovingWidget

TURN = 1200
"""Milliseconds of one turn."""

FRAME = 40
"""Milliseconds between two pictures."""


class Ring(MovingWidget):
    """Turns once in 1.2 s while it is on screen; with reduced motion it stands still, three quarters drawn."""

    def __init__(self, theme: Theme, *, size: int = 14, parent: QWidget | None = None) -> None:
        super().__init__(theme, FRAME, parent)
        self._size = size
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Working")

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_ring(painter, QRectF(self.rect()), self.theme, 360 * self.moved_for / TURN)
        painter.end()


def draw_ring(painter: QPainter, rect: QRectF, theme: Theme, angle: float) -> None:
    """Draw the ring with its bright part at an angle in degrees."""
    width = 2.0
    inset = width / 2 + 0.5
    circle = rect.adjusted(inset, inset, -inset, -inset)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme.color("accent.bar_dim"), width)
    painter.setPen(pen)
    painter.drawEllipse(circle)
    pen.setColor(theme.color("accent.bar"))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    span = 270 if theme.reduced_motion else 110
    painter.drawArc(circle, int((90 - angle) * 16), -span * 16)
