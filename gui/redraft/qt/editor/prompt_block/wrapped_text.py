"""Plain text over several rows, shortened after the last one that fits."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QWidget

from redraft.core.text import TextIndex
from redraft.qt.theme import Theme


class WrappedText(QWidget):
    """Shows text as it is, never as markup, with the line height of the theme."""

    def __init__(self, theme: Theme, *, max_rows: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._font_name = "prompt"
        self._color = "text.primary"
        self._max_rows = max_rows

    def set_text(self, text: str, *, font: str = "prompt", color: str = "text.primary") -> None:
        """Show a text in a font and colour of the theme."""
        self._text, self._font_name, self._color = text, font, color
        self.setAccessibleName(text)
        self.update()

    def text(self) -> str:
        """What it shows."""
        return self._text

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def height_for(self, width: int) -> int:
        """How high it is at a width, in px."""
        return max(len(self._rows(width)), 1) * self._theme.line_height(self._font_name)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height_for(max(self.width(), 1)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._theme.font(self._font_name))
        painter.setPen(self._theme.color(self._color))
        height = self._theme.line_height(self._font_name)
        for index, row in enumerate(self._rows(self.width())):
            painter.drawText(QRect(0, index * height, self.width(), height), Qt.AlignmentFlag.AlignVCenter, row)
        painter.end()

    def _rows(self, width: int) -> list[str]:
        font = self._theme.font(self._font_name)
        rows = [row for line in self._text.split("\n") for row in wrap_rows(line, self._theme, self._font_name, width)]
        if len(rows) > self._max_rows:
            last = f"{rows[self._max_rows - 1].rstrip()}…"
            rows[self._max_rows - 1 :] = [QFontMetrics(font).elidedText(last, Qt.TextElideMode.ElideRight, width)]
        return rows


def wrap_rows(line: str, theme: Theme, font: str, width: int, *, weight: int | None = None) -> list[str]:
    """One line broken into rows of at most `width` px, at words where it can be."""
    layout = QTextLayout(line, theme.font(font, weight=weight, tabular=weight is not None))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    # QTextLayout counts UTF-16 units, as all of Qt does.
    index = TextIndex(line)
    rows: list[str] = []
    layout.beginLayout()
    while True:
        row = layout.createLine()
        if not row.isValid():
            break
        row.setLineWidth(max(width, 1))
        row.setPosition(QPointF(0, 0))
        start = row.textStart()
        rows.append(line[index.from_utf16(start) : index.from_utf16(start + row.textLength())].rstrip())
    layout.endLayout()
    return rows or [""]
