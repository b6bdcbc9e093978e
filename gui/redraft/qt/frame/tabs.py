"""The row of tabs: one per open file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from redraft.qt.frame.tab_button import TabButton, TabModel
from redraft.qt.theme import Theme


class TabStrip(QWidget):
    """All tabs in a row; they scroll with the wheel when there is no room, and change places by dragging."""

    chosen = Signal(int)
    close_wanted = Signal(int)
    moved = Signal(int, int)
    menu_wanted = Signal(int, QPoint)
    new_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._buttons: list[TabButton] = []
        self._current: int | None = None
        self._scroll = 0
        self._dragged: TabButton | None = None
        self.setFixedHeight(theme.size("tab"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Open files")

    @property
    def buttons(self) -> Sequence[TabButton]:
        """The tabs from left to right."""
        return self._buttons

    def set_tabs(self, tabs: Sequence[TabModel], current: int | None) -> None:
        """Show these tabs, and one of them in front."""
        known = {button.model.id: button for button in self._buttons}
        self._buttons = [known.pop(tab.id) if tab.id in known else self._make(tab) for tab in tabs]
        for button in known.values():
            button.hide()
            button.deleteLater()
        self._current = current
        for button, tab in zip(self._buttons, tabs, strict=True):
            button.setChecked(tab.id == current)
            if button.model != tab:
                button.set_model(tab)
        self._place(reveal=True)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for button in self._buttons:
            button.set_theme(theme)
        self._place(reveal=False)
        self.update()

    def _make(self, tab: TabModel) -> TabButton:
        button = TabButton(self._theme, tab, self)
        button.clicked.connect(lambda: self.chosen.emit(button.model.id))
        button.close_wanted.connect(lambda: self.close_wanted.emit(button.model.id))
        button.menu_wanted.connect(lambda point: self.menu_wanted.emit(button.model.id, point))
        button.show()
        return button

    def _place(self, *, reveal: bool) -> None:
        widths = [button.sizeHint().width() for button in self._buttons]
        if reveal:
            self._reveal(widths)
        self._scroll = max(0, min(self._scroll, sum(widths) - self.width()))
        x = -self._scroll
        for button, width in zip(self._buttons, widths, strict=True):
            button.setGeometry(x, 0, width, self.height())
            x += width
        self.update()

    def _reveal(self, widths: list[int]) -> None:
        places = [button.model.id for button in self._buttons]
        if self._current not in places:
            return
        place = places.index(self._current)
        left = sum(widths[:place])
        right = left + widths[place]
        self._scroll = min(max(self._scroll, right - self.width()), left)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface.1"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self._theme.color("border.soft"))
        painter.end()

    def resizeEvent(self, event: object) -> None:
        self._place(reveal=True)

    def wheelEvent(self, event: QWheelEvent) -> None:
        delta = event.angleDelta()
        self._scroll -= (delta.y() or delta.x()) // 2
        self._place(reveal=False)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        child = self.childAt(event.position().toPoint())
        self._dragged = child if isinstance(child, TabButton) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        start = self._buttons.index(self._dragged)
        x = int(event.position().x())
        for place, button in enumerate(self._buttons):
            middle = button.geometry().center().x()
            if (place < start and x < middle) or (place > start and x > middle):
                self.moved.emit(start, place)
                return

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._dragged = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.childAt(event.position().toPoint()) is None:
            self.new_wanted.emit()
