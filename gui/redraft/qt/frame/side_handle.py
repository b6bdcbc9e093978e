"""The edge between side bar and text, which can be dragged."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

WIDTH = 7


class SideHandle(QWidget):
    """Lies over the line between two widgets and shows nothing."""

    dragged_to = Signal(int)
    """The new place of the line, in the parent's coordinates."""

    reset_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.SplitHCursor)

    def place(self, x: int, height: int) -> None:
        """Lie over a line at `x`."""
        self.setGeometry(x - WIDTH // 2, 0, WIDTH, height)
        self.raise_()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged_to.emit(self.mapToParent(event.position().toPoint()).x())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset_wanted.emit()
