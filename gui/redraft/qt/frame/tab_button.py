"""One tab: the name of a file, with a ring, a count or a dot for what goes on in it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QEnterEvent, QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box, draw_focus_ring, set_plain_tooltip
from redraft.qt.widgets.pressable import Pressable
from redraft.qt.widgets.ring import Ring

PADDING = 14
GAP = 8
CROSS = 16
DOT = 8


@dataclass(frozen=True, slots=True)
class TabModel:
    """What a tab shows.

    Attributes:
        id: Comes back in the signals.
        title: The file's name, with as much of its folder as tells it from others.
        tooltip: The whole path.
        is_modified: Whether there are unsaved changes.
        is_running: Whether a model writes in it.
        undecided: Proposed hunks that wait for a decision.
        busy: What is done to the file at the moment (`"opening"`), if that takes long.
    """

    id: int
    title: str
    tooltip: str = ""
    is_modified: bool = False
    is_running: bool = False
    undecided: int = 0
    busy: str = ""

    @property
    def turns(self) -> bool:
        """Whether a ring turns in it."""
        return self.is_running or bool(self.busy)

    @property
    def accessible_name(self) -> str:
        """All that the tab shows, in words."""
        parts = [self.title, self.busy] if self.busy else [self.title]
        if self.is_running:
            parts.append("an edit is running")
        if self.undecided:
            parts.append(f"{self.undecided} hunks to decide")
        if self.is_modified:
            parts.append("unsaved")
        return ", ".join(parts)


class TabButton(Pressable):
    """One tab; while the pointer is over it, a cross stands where its mark is."""

    close_wanted = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme, model: TabModel, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._model = model
        self._ring = Ring(theme, parent=self)
        self.setCheckable(True)
        self.set_model(model)

    @property
    def model(self) -> TabModel:
        """What it shows."""
        return self._model

    def set_model(self, model: TabModel) -> None:
        """Show another state."""
        self._model = model
        self.setAccessibleName(model.accessible_name)
        set_plain_tooltip(self, model.tooltip)
        self._place_ring()
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._ring.set_theme(theme)
        super().set_theme(theme)

    def draw(self, painter: QPainter) -> None:
        """Draw the ground, the title and the mark."""
        theme, current = self.theme, self.isChecked()
        painter.fillRect(self.rect(), theme.color("surface.0" if current else "surface.1"))
        right = self.width() - 1
        painter.fillRect(QRect(right, 0, 1, self.height()), theme.color("border.soft"))
        if not current:
            painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), theme.color("border.soft"))
        elif theme.shows_edges:
            painter.fillRect(QRect(0, 0, self.width(), 2), theme.color("accent.bar"))
        painter.setFont(self._font())
        painter.setPen(
            theme.color("text.primary" if current else "text.secondary" if self.is_hovered else "text.muted")
        )
        title = QRect(PADDING, 0, self.width() - 2 * PADDING, self.height())
        painter.drawText(title, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._model.title)
        self._draw_mark(painter)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), 0, theme)

    def sizeHint(self) -> QSize:
        # The heavier font decides, so that a tab keeps its width when it comes to the front.
        title = QFontMetrics(self.theme.font("body", weight=500)).horizontalAdvance(self._model.title)
        mark = self._mark_width()
        return QSize(2 * PADDING + title + (GAP + mark if mark else 0) + 1, self.theme.size("tab"))

    def resizeEvent(self, event: object) -> None:
        self._place_ring()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self.close_wanted.emit()
        elif event.button() == Qt.MouseButton.LeftButton and not self._hits_cross(event):
            self.clicked.emit()
            event.ignore()  # the row handles dragging
        else:
            event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._hits_cross(event):
            self.close_wanted.emit()
        event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._place_ring()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._place_ring()

    def _font(self) -> QFont:
        return self.theme.font("body", weight=500 if self.isChecked() else 400)

    def _mark_width(self) -> int:
        if self._model.turns:
            return self._ring.sizeHint().width()
        if self._model.undecided:
            digits = QFontMetrics(self.theme.font("micro")).horizontalAdvance(str(self._model.undecided))
            return max(digits + 10, 17)
        if self._model.is_modified:
            return DOT
        return CROSS if self.isChecked() else 0

    def _mark_box(self) -> QRect:
        width = self._mark_width() or CROSS
        right = self.width() - 1 - (PADDING if self._mark_width() else 3)
        return QRect(right - width, (self.height() - CROSS) // 2, width, CROSS)

    def _draw_mark(self, painter: QPainter) -> None:
        theme, box = self.theme, self._mark_box()
        if self.is_hovered or (self.isChecked() and self._is_plain()):
            self._draw_cross(painter)
        elif self._model.turns:
            return  # the ring is a widget of its own
        elif self._model.undecided:
            edge = theme.color("accent.text") if theme.shows_edges else None
            draw_box(painter, box, theme.radius("small"), fill=theme.color("accent.tint"), edge=edge)
            painter.setFont(theme.font("micro", weight=600, tabular=True))
            painter.setPen(theme.color("accent.text"))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(self._model.undecided))
        elif self._model.is_modified:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("text.muted"))
            center = QRectF(box).center()
            painter.drawEllipse(center, DOT / 2, DOT / 2)

    def _is_plain(self) -> bool:
        return not (self._model.turns or self._model.undecided or self._model.is_modified)

    def _draw_cross(self, painter: QPainter) -> None:
        theme, box = self.theme, self._cross_box()
        under_pointer = self.is_hovered and box.contains(self.mapFromGlobal(self.cursor().pos()))
        fill = "surface.3" if under_pointer else "surface.0" if self.isChecked() else "surface.1"
        draw_box(painter, box, theme.radius("small"), fill=theme.color(fill))
        painter.setPen(theme.color("text.secondary" if self.is_hovered else "text.muted"))
        draw_glyph(painter, box.adjusted(2, 2, -2, -2), theme.icon_char("close"))

    def _cross_box(self) -> QRect:
        center = self._mark_box().center()
        return QRect(center.x() - CROSS // 2 + 1, (self.height() - CROSS) // 2, CROSS, CROSS)

    def _hits_cross(self, event: QMouseEvent) -> bool:
        return self._cross_box().adjusted(-3, -6, 3, 6).contains(event.position().toPoint())

    def _place_ring(self) -> None:
        self._ring.setVisible(self._model.turns and not self.is_hovered)
        size = self._ring.sizeHint().width()
        box = self._mark_box()
        self._ring.setGeometry(box.x(), (self.height() - size) // 2, size, size)
