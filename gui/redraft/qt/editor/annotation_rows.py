"""Rows of styled text as values, and how they are painted where Scintilla left room for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.numbers import TEXT_AIR
from redraft.qt.editor.raw import Message

DEFAULT_STYLE: Final = 32
CACHED_ROWS: Final = 4096


@dataclass(frozen=True, slots=True)
class Look:
    """How text in a row is drawn; colours as `#rrggbb`."""

    fore: str
    back: str
    italic: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class StyledRow:
    """One row of text without tabs or line ends.

    Attributes:
        text: What it says.
        runs: Lengths in code points with their looks; together as long as the text.
        fill: The look of the row up to the right edge of the view; `None` leaves it as the view is.
    """

    text: str = ""
    runs: tuple[tuple[int, Look], ...] = ()
    fill: Look | None = None


BLANK: Final = StyledRow()


@dataclass(frozen=True, slots=True)
class PlacedRun:
    """A run with its place from the left of the text, in px."""

    x: float
    width: float
    text: str
    look: Look


class RowPainter:
    """Paints rows in the font of an editor, as it is zoomed, on the same raster as the text."""

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._key: tuple[object, ...] = ()
        self._font = QFont()
        self._italic = QFont()
        self._metrics = QFontMetricsF(self._font)
        self._blank = 8.0
        self._colors: dict[str, QColor] = {}
        self._cache: dict[StyledRow, tuple[PlacedRun, ...]] = {}

    @property
    def blank(self) -> float:
        """Width of a character in px."""
        self._measure()
        return self._blank

    def paint(self, painter: QPainter, row: StyledRow, y: int) -> None:
        """Paint a row whose top is at `y` in the viewport."""
        self._measure()
        editor = self._editor
        height, right = editor.row_height(), editor.viewport().width()
        left = editor.text_left() - editor.xOffset()
        back = ""
        if row.fill is not None:
            back = row.fill.back
            start = editor.text_left() - TEXT_AIR
            painter.fillRect(QRectF(start, y, right - start, height), self._color(back))
        baseline = y + editor.extraAscent() + round(self._metrics.ascent())
        for run in self._placed(row):
            x = left + run.x
            if x > right or x + run.width < 0:
                continue
            if row.fill is not None and run.look.back != back:
                painter.fillRect(QRectF(x, y, run.width, height), self._color(run.look.back))
            if not run.text.isspace():
                painter.setFont(self._italic if run.look.italic else self._font)
                painter.setPen(self._color(run.look.fore))
                painter.drawText(QPointF(x, baseline), run.text)

    def _placed(self, row: StyledRow) -> tuple[PlacedRun, ...]:
        found = self._cache.get(row)
        if found is not None:
            return found
        if len(self._cache) >= CACHED_ROWS:
            self._cache.clear()
        runs: list[PlacedRun] = []
        start, x = 0, 0.0
        for length, look in row.runs:
            text = row.text[start : start + length]
            width = length * self._blank if text.isascii() else self._metrics.horizontalAdvance(text)
            runs.append(PlacedRun(x, width, text, look))
            start, x = start + length, x + width
        placed = self._cache[row] = tuple(runs)
        return placed

    def _color(self, value: str) -> QColor:
        color = self._colors.get(value)
        if color is None:
            color = self._colors[value] = QColor(value)
        return color

    def _measure(self) -> None:
        """Take the font as Scintilla has it now."""
        editor = self._editor
        zoom = editor.send(Message.GetZoom)
        key = (editor.theme, zoom, editor.styleSizeFractional(DEFAULT_STYLE))
        if key == self._key:
            return
        self._key = key
        family = bytes(editor.styleFont(DEFAULT_STYLE).data()).rstrip(b"\0").decode()
        self._font = QFont(family)
        self._font.setPointSizeF(max(editor.styleSizeFractional(DEFAULT_STYLE) / 100 + zoom, 2.0))
        self._italic = QFont(self._font)
        self._italic.setItalic(True)
        self._metrics = QFontMetricsF(self._font)
        self._blank = max(self._metrics.horizontalAdvance(" " * 64) / 64, 1.0)
        self._cache.clear()
