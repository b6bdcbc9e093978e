"""The strip over range margin and air: bar, + and -, and the tint of the air, unbroken over all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from redraft.qt.editor.numbers import RANGE_WIDTH, TEXT_AIR
from redraft.qt.theme import Theme

WIDTH: Final = RANGE_WIDTH + TEXT_AIR


@dataclass(frozen=True, slots=True)
class Band:
    """Some rows of one kind: where they are in the viewport, and the tokens of their colours."""

    y: int
    height: int
    bar: str
    tint: str = "surface.0"
    glyph: str = ""


class RangeStrip(QWidget):
    """Paints bands at the left of the text; the pointer passes through."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._bands: tuple[Band, ...] = ()
        self._row_height = 22
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Changed lines")

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def show_bands(self, bands: Sequence[Band], left: int, row_height: int) -> None:
        """Draw other bands; none hides the strip."""
        self._row_height = row_height
        if not bands:
            self._bands = ()
            self.hide()
            return
        top = bands[0].y
        box = QRect(left, top, WIDTH, bands[-1].y + bands[-1].height - top)
        moved = tuple(Band(band.y - top, band.height, band.bar, band.tint, band.glyph) for band in bands)
        if box != self.geometry():
            self.setGeometry(box)
        if moved != self._bands:
            self._bands = moved
            self.update()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._theme
        bar = theme.size("range_bar")
        font = theme.code_font()
        font.setBold(True)
        painter.setFont(font)
        painter.fillRect(event.rect(), theme.color("surface.0"))
        for band in self._bands:
            if not event.rect().intersects(QRect(0, band.y, WIDTH, band.height)):
                continue
            painter.fillRect(RANGE_WIDTH, band.y, TEXT_AIR, band.height, theme.color(band.tint))
            painter.fillRect(0, band.y, bar, band.height, theme.color(band.bar))
            if band.glyph and theme.shows_glyphs:
                painter.setPen(theme.color(band.bar))
                # Of a long line that is wrapped, only few of its rows are in the view.
                hidden = max(event.rect().top() - band.y, 0) // self._row_height
                last = min(band.y + band.height, event.rect().bottom() + 1)
                for y in range(band.y + hidden * self._row_height, last, self._row_height):
                    box = QRect(bar, y, RANGE_WIDTH - bar, self._row_height)
                    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, band.glyph)
        painter.end()
