"""A button that paints itself: hover, pressed and focus states in the theme's colours."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from redraft.qt.theme import Theme


class Pressable(QAbstractButton):
    """Base of the small buttons: subclasses say how large they are and draw their content.

    A click leaves the keyboard where it is (in the text); the Tab key reaches every button.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @property
    def theme(self) -> Theme:
        """The theme it is drawn in."""
        return self._theme

    @property
    def is_hovered(self) -> bool:
        """Whether the pointer is over it and it can be pressed."""
        return self._is_hovered and self.isEnabled()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the button; the base draws nothing."""

    def sizeHint(self) -> QSize:
        return QSize(self._theme.size("button"), self._theme.size("button"))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter)
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._is_hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self.update()
        super().leaveEvent(event)

    def hideEvent(self, event: Any) -> None:
        self._is_hovered = False
        super().hideEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and not event.modifiers():
            self.click()
            return
        super().keyPressEvent(event)
