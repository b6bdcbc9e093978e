"""The cell at the end of the line being written; it pulses by itself, so that the text need not repaint."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from redraft.qt.theme import Theme
from redraft.qt.widgets.moving import MovingWidget

FRAME: Final = 50
"""Milliseconds between two pictures."""

FAINTEST: Final = 0.4
"""Opacity of the bar at its weakest."""


class FrontierCell(MovingWidget):
    """A block cursor that pulses between full and 40 %; it stands still where motion is reduced."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, FRAME, parent)
        self.setAccessibleName("Writing here")
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.theme.color("diff.frontier.line"))
        painter.setOpacity(self._strength())
        painter.fillRect(self.rect(), self.theme.color("accent.bar"))
        painter.end()

    def _strength(self) -> float:
        sweep = self.theme.motion("sweep")
        wave = (1 + math.cos(2 * math.pi * self.moved_for / sweep)) / 2 if sweep else 1
        return FAINTEST + (1 - FAINTEST) * wave
