"""Small marks that say a state in a word, as at the right of a provider."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from redraft.api.prompt_block import Tone
from redraft.qt.theme import Theme
from redraft.qt.widgets.chip import TONES
from redraft.qt.widgets.painting import draw_box

PADDING = 6
HEIGHT = 18


def mark_width(theme: Theme, text: str) -> int:
    """How wide a mark is."""
    return QFontMetrics(theme.font("micro")).horizontalAdvance(text) + 2 * PADDING


def draw_mark(painter: QPainter, box: QRect, theme: Theme, text: str, tone: Tone) -> None:
    """Draw a mark into a box."""
    fill, color = TONES[tone]
    edge = theme.color(color) if theme.shows_edges else None
    draw_box(painter, box, theme.radius("small"), fill=theme.color(fill), edge=edge)
    painter.setFont(theme.font("micro"))
    painter.setPen(theme.color(color))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class Mark(QWidget):
    """A mark as a widget; hidden without a text."""

    def __init__(self, theme: Theme, text: str = "", tone: Tone = Tone.PLAIN) -> None:
        super().__init__()
        self._theme = theme
        self._text = text
        self._tone = tone
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_mark(text, tone)

    @property
    def text(self) -> str:
        """What it says."""
        return self._text

    def set_mark(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Say something else."""
        self._text, self._tone = text, tone
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(mark_width(self._theme, self._text), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_mark(painter, self.rect(), self._theme, self._text, self._tone)
        painter.end()
