"""Indent guides: a thin line under every level of indentation that holds more than one row's text together.

Scintilla's own guides are a pixmap whose last row is never filled (a black dot under each guide), are dotted where the
row height is odd, and paint over the tint of a line; so they are off, and these are drawn instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter
from pyside6_scintilla import Scintilla

if TYPE_CHECKING:
    from redraft.qt.editor.editor_view import EditorView

_FAR: Final = 200
"""Blank lines looked past for the text above or below them."""

_MOST: Final = 40
"""Levels that are drawn; deeper ones are data, not code."""


def blank_depth(above: int, below: int, width: int) -> int:
    """How many levels hold a blank line together, from the indentation in columns of the text around it."""
    if above < below:
        return 1 + above // width
    return -(-below // width)


class IndentGuides:
    """Draws the guides of one editor, at the end of every paint."""

    def __init__(self, editor: EditorView) -> None:
        self._editor = editor
        self.is_shown = True

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Draw what is in an area."""
        editor = self._editor
        width = editor.indent() or editor.tabWidth()
        if not self.is_shown or not width:
            return
        ratio = editor.devicePixelRatioF()
        space = editor.textWidth(Scintilla.StylesCommon.Default, " " * 100) / 100
        left = editor.text_left() - editor.xOffset()
        color = editor.theme.color("editor.guide")
        caret = self._caret_cell(width)
        painter.setClipRect(QRect(editor.text_left(), 0, editor.viewport().width(), editor.viewport().height()))
        for line in editor.visible_lines():
            top = editor.line_y(line)
            height = editor.row_height() * editor.row_count(line)
            if top > area.bottom() or top + height < area.top():
                continue
            for level in range(1, self._depth(line, width)):
                if (line, level) != caret:
                    # One device pixel at least, and on whole ones, so that no guide is blurred.
                    x = round((left + level * width * space) * ratio) / ratio
                    painter.fillRect(QRectF(x, top, max(1.0, round(ratio)) / ratio, height), color)
        painter.setClipping(False)

    def _depth(self, line: int, width: int) -> int:
        """How many levels a line lies under, the text's own left edge included."""
        if self._is_blank(line):
            above, below = self._text_near(line, -1), self._text_near(line, 1)
            depth = 0 if above is None or below is None else blank_depth(above, below, width)
        else:
            depth = -(-self._editor.lineIndentation(line) // width)
        return min(depth, _MOST)

    def _text_near(self, line: int, step: int) -> int | None:
        for near in range(line + step, line + step * _FAR, step):
            if not 0 <= near < self._editor.lineCount():
                return None
            if not self._is_blank(near):
                return self._editor.lineIndentation(near)
        return None

    def _is_blank(self, line: int) -> bool:
        return self._editor.lineIndentPosition(line) >= self._editor.lineEndPosition(line)

    def _caret_cell(self, width: int) -> tuple[int, int]:
        """Line and level where the caret stands: it is not to be painted over."""
        caret = self._editor.currentPos()
        column = self._editor.column(caret)
        return self._editor.lineFromPosition(caret), column // width if column % width == 0 else -1
