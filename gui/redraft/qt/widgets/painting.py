"""Small strokes every widget shares: rounded boxes, the focus ring, plain tooltips."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from redraft.qt.theme import Theme


def draw_box(painter: QPainter, rect: QRect, radius: float, *, fill: QColor | None, edge: QColor | None = None) -> None:
    """Fill a rounded box, and draw a 1 px edge inside it."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    shape = QRectF(rect)
    if edge is not None:
        shape.adjust(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(edge, 1))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(shape, radius, radius)
    painter.restore()


def draw_focus_ring(painter: QPainter, rect: QRect, radius: float, theme: Theme) -> None:
    """Draw the focus ring, inside the edge."""
    width = theme.size("focus_ring")
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("focus"), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = width / 2
    painter.drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius - inset, radius - inset)
    painter.restore()


def set_plain_tooltip(widget: QWidget, text: str) -> None:
    """Set a tooltip that is never read as markup, whoever wrote the text."""
    widget.setToolTip(f"<span>{escape(text)}</span>" if text else "")
