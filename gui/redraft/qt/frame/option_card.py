"""A card for one of several ways, of which one is chosen."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import PlainLabel
from redraft.qt.widgets.painting import draw_box, draw_focus_ring


class OptionCard(QWidget):
    """One way to get a model: a radio button, two lines, and for the chosen one its own row."""

    chosen = Signal()
    opened = Signal()

    def __init__(self, theme: Theme, title: str, detail: str, *, note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._note = note
        self._is_chosen = False
        self.title = PlainLabel(theme, title, color="text.primary", weight=600)
        self.detail = PlainLabel(theme, detail, font="small")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(48, 15, 16, 15)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.title)
        self._layout.addSpacing(2)
        self._layout.addWidget(self.detail)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(title)
        self.setAccessibleDescription(detail)

    def add_row(self, row: QWidget) -> None:
        """Put something of its own below the two lines."""
        self._layout.addWidget(row)

    def set_chosen(self, chosen: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Whether this is the one chosen."""
        self._is_chosen = chosen
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.title.set_theme(theme)
        self.detail.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, chosen = self._theme, self._is_chosen
        painter = QPainter(self)
        fill = theme.color("accent.tint" if chosen else "surface.2")
        edge = theme.color("accent.fill" if chosen else "border.default")
        draw_box(painter, self.rect(), theme.radius("large"), fill=fill, edge=edge)
        self._draw_radio(painter)
        if self._note:
            self._draw_note(painter)
        else:
            painter.setPen(theme.color("text.secondary"))
            draw_glyph(painter, QRect(self.width() - 31, 17, 15, 15), theme.icon_char("collapsed"))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), theme.radius("large"), theme)
        painter.end()

    def mouseReleaseEvent(self, event: object) -> None:
        self.chosen.emit()
        if not self._note:
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            self.chosen.emit()
        elif event.key() == Qt.Key.Key_Right and not self._note:
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def _draw_radio(self, painter: QPainter) -> None:
        theme = self._theme
        circle = QRectF(16.75, 16.75, 14.5, 14.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._is_chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent.fill"))
            painter.drawEllipse(circle.adjusted(-0.75, -0.75, 0.75, 0.75))
            painter.setBrush(theme.color("text.on_fill"))
            painter.drawEllipse(circle.center(), 3, 3)
        else:
            painter.setPen(QPen(theme.color("border.strong"), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(circle)

    def _draw_note(self, painter: QPainter) -> None:
        theme = self._theme
        painter.setFont(theme.font("micro"))
        width = painter.fontMetrics().horizontalAdvance(self._note) + 12
        box = QRect(self.width() - 16 - width, 17, width, 16)
        draw_box(painter, box, theme.radius("small"), fill=theme.color("surface.2"))
        painter.setPen(theme.color("accent.text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._note)
