"""What stands left of the text: line numbers, and chevrons to fold by.

Scintilla's own number margin knows one colour for all numbers and three pixels of air, so the numbers are painted over
an empty margin, as part of the same paint.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from redraft.qt.editor import numbers
from redraft.qt.editor.numbers import Margin

if TYPE_CHECKING:
    from redraft.qt.editor.editor_view import EditorView

_HEADER: Final = 0x2000  # SC_FOLDLEVELHEADERFLAG
_LEFT_AIR: Final = 4
_NUMBER_SIZE: Final = 12 / 13
"""Size of a number to the size of the code."""


class Margins:
    """Paints the margins of one editor and answers to the mouse there."""

    def __init__(self, editor: EditorView) -> None:
        self._editor = editor
        self._stressed: dict[str, range] = {}
        self._is_hovered = False
        self._shows_numbers = True

    @property
    def right(self) -> int:
        """Where symbols and numbers end, in pixels."""
        editor = self._editor
        return editor.marginWidthN(Margin.SYMBOLS) + editor.marginWidthN(Margin.NUMBERS)

    def stress(self, owner: str, lines: range) -> None:
        """Draw the numbers of some lines stronger; an empty range takes that back."""
        if self._stressed.get(owner, range(0)) != lines:
            self._stressed[owner] = lines
            self.update()

    def update(self) -> None:
        """Paint the margins again."""
        viewport = self._editor.viewport()
        viewport.update(0, 0, self.right, viewport.height())

    def fit(self) -> None:
        """Make room for the digits of the last line."""
        editor = self._editor
        digits = len(str(editor.lineCount()))
        width = ceil(self._metrics().horizontalAdvance("0" * digits)) + numbers.NUMBERS_AIR + _LEFT_AIR
        width = max(numbers.NUMBERS_WIDTH, width) if self._shows_numbers else 0
        if editor.marginWidthN(Margin.NUMBERS) != width:
            editor.setMarginWidthN(Margin.NUMBERS, width)

    def show_numbers(self, shown: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Whether lines are numbered; without numbers their margin is gone."""
        if shown != self._shows_numbers:
            self._shows_numbers = shown
            self.fit()
            self._editor.viewport().update()
            self._editor.view_changed.emit()

    def hover(self, x: float) -> None:
        """The pointer is at `x`; chevrons show while it is in the margins."""
        is_hovered = 0 <= x < self.right
        if is_hovered != self._is_hovered:
            self._is_hovered = is_hovered
            self.update()

    def foldable_line_at(self, x: float, y: float) -> int | None:
        """The line whose chevron is at a place."""
        editor = self._editor
        if not 0 <= x < editor.marginWidthN(Margin.SYMBOLS):
            return None
        line = editor.docLineFromVisible(editor.firstVisibleLine() + int(y) // editor.row_height())
        is_own_row = 0 <= y - editor.line_y(line) < editor.row_height()
        return line if is_own_row and editor.foldLevel(line) & _HEADER else None

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Draw what lies in an area of the viewport."""
        if area.left() >= self.right:
            return
        painter.setFont(self._metrics_font())
        metrics = QFontMetricsF(painter.font())
        baseline = self.baseline()
        rows = self._editor.row_height()
        stressed = self._stressed_lines()
        for line in self._editor.visible_lines():
            y = self._editor.line_y(line)
            if y + rows < area.top() or y > area.bottom():
                continue
            if self._shows_numbers:
                self._paint_number(painter, metrics, line, y + baseline, is_stressed=line in stressed)
            self._paint_chevron(painter, line, y + rows / 2)

    def _paint_number(
        self, painter: QPainter, metrics: QFontMetricsF, line: int, baseline: float, *, is_stressed: bool
    ) -> None:
        text = str(line + 1)
        x = self.right - numbers.NUMBERS_AIR - metrics.horizontalAdvance(text)
        painter.setPen(self._color("editor.number_current" if is_stressed else "editor.number"))
        painter.drawText(QPointF(x, baseline), text)

    def _paint_chevron(self, painter: QPainter, line: int, middle: float) -> None:
        editor = self._editor
        if not editor.foldLevel(line) & _HEADER or editor.markerGet(line) & numbers.OVERLAY_MARKER_MASK:
            return
        is_open = bool(editor.foldExpanded(line))
        if is_open and not self._is_hovered:
            return
        x = editor.marginWidthN(Margin.SYMBOLS) / 2
        points = [(-3.5, -1.5), (0, 2), (3.5, -1.5)] if is_open else [(-1.5, -3.5), (2, 0), (-1.5, 3.5)]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._color("text.muted"), 1.3))
        painter.drawPolyline(QPolygonF([QPointF(x + dx, middle + dy) for dx, dy in points]))
        painter.restore()

    def _stressed_lines(self) -> set[int]:
        lines = {self._editor.lineFromPosition(self._editor.currentPos())}
        return lines.union(*_visible_parts(self._stressed.values(), self._editor.visible_lines()))

    def baseline(self) -> float:
        """From the top of a row to where letters stand, as Scintilla has it for the text."""
        font = self._editor.theme.code_font()
        font.setPixelSize(self._editor.font_pixels())
        return round(QFontMetricsF(font).ascent()) + self._editor.extraAscent()

    def _metrics_font(self) -> QFont:
        font = self._editor.theme.code_font()
        font.setPixelSize(max(1, round(self._editor.font_pixels() * _NUMBER_SIZE)))
        return font

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._metrics_font())

    def _color(self, name: str) -> QColor:
        return self._editor.theme.color(name)


def _visible_parts(ranges: Iterable[range], visible: Iterable[int]) -> list[set[int]]:
    lines = list(visible)
    return [{line for line in lines if line in part} for part in ranges]
