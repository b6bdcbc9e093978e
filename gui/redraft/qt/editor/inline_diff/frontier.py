"""The cell at the end of the line being written; it pulses by itself, so that the text need not repaint."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from redraft.qt.theme import Theme

FRAME: Final = 50
"""Milliseconds between two pictures."""

FAINTEST: Final = 0.4
"""Opacity of the bar at its weakest."""


class FrontierCell(QWidget):
    """A block cursor that pulses between full and 40 %; it stands still where motion is reduced."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME)
        self._timer.timeout.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Writing here")
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._restart()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        self._restart()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def _restart(self) -> None:
        if self.isVisible() and self._theme.motion("sweep"):
            self._clock.start()
            self._timer.start()
        else:
            self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("diff.frontier.line"))
        painter.setOpacity(self._strength())
        painter.fillRect(self.rect(), self._theme.color("accent.bar"))
        painter.end()

    def _strength(self) -> float:
        sweep = self._theme.motion("sweep")
        if not sweep or not self._clock.isValid():
            return 1.0
        wave = (1 + math.cos(2 * math.pi * self._clock.elapsed() / sweep)) / 2
        return FAINTEST + (1 - FAINTEST) * wave
