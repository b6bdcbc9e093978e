"""A ring that turns while something is at work."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from redraft.qt.theme import Theme

TURN = 1200
"""Milliseconds of one turn."""

FRAME = 40
"""Milliseconds between two pictures."""


class Ring(QWidget):
    """Turns once in 1.2 s while it is on screen; with reduced motion it stands still, three quarters drawn."""

    def __init__(self, theme: Theme, *, size: int = 14, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._size = size
        self._angle = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME)
        self._timer.timeout.connect(self._on_frame)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Working")

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._restart()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_ring(painter, QRectF(self.rect()), self._theme, self._angle)
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        self._restart()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def _restart(self) -> None:
        if self.isVisible() and not self._theme.reduced_motion:
            self._timer.start()
        else:
            self._timer.stop()

    def _on_frame(self) -> None:
        self._angle = (self._angle + 360 * FRAME / TURN) % 360
        self.update()


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
