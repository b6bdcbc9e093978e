"""Draws text that runs from right to left, which Scintilla on Qt lays out with no width and so does not show.

Each such letter gets a blank cell as its representation; whole runs are then drawn over their cells, shaped and in
their own order. The caret still moves through the cells in the order of the text: a limit of the engine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from pyside6_scintilla import ScintillaEdit

from redraft.qt.editor.numbers import TEXT_AIR
from redraft.qt.editor.raw import set_representation

if TYPE_CHECKING:
    from redraft.qt.editor.editor_view import EditorView

_LETTERS: Final = (
    "\u05be\u05c0\u05c3\u05c6\u05d0-\u05f4\u0608\u060b\u060d\u061b\u061d-\u064a\u066d-\u066f"
    "\u0671-\u06d5\u06e5\u06e6\u06ee\u06ef\u06fa-\u070d\u0710\u0712-\u072f\u074d-\u07a5\u07b1"
    "\u07c0-\u07ea"
)
_MARKS: Final = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0"
    "\u07eb-\u07f3"
)
RUN: Final = re.compile(f"[{_LETTERS}](?:[{_LETTERS}{_MARKS} ]*[{_LETTERS}{_MARKS}])?")
_ONE: Final = re.compile(f"[{_LETTERS}]")
_MARK: Final = re.compile(f"[{_MARKS}]")
_BLANK: Final = "\u00a0"
_NOTHING: Final = "\u200b"


def prepare_right_to_left(editor: ScintillaEdit) -> None:
    """Give every right-to-left letter a blank cell, and their marks none."""
    for code in range(0x590, 0x800):
        character = chr(code)
        shown = _BLANK if _ONE.match(character) else _NOTHING if _MARK.match(character) else None
        if shown is not None:
            set_representation(editor, character, shown)


class RightToLeft:
    """Draws the runs of one editor; costs nothing until a text has some."""

    def __init__(self, editor: EditorView) -> None:
        self._editor = editor
        self._has_runs = False
        prepare_right_to_left(editor)

    def note(self, text: str) -> None:
        """Hear of text that is in the buffer."""
        self._has_runs = self._has_runs or not (text.isascii() or _ONE.search(text) is None)

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Draw the runs in an area of the viewport."""
        if not self._has_runs:
            return
        editor = self._editor
        text_area = QRect(editor.text_left() - TEXT_AIR, 0, editor.viewport().width(), editor.viewport().height())
        painter.setClipRect(area.intersected(text_area))
        for line in editor.visible_lines():
            start = editor.positionFromLine(line)
            text = bytes(editor.get_text_range(start, editor.lineEndPosition(line)).data()).decode("utf-8", "replace")
            for run in RUN.finditer(text):
                first = start + len(text[: run.start()].encode())
                self._paint_run(painter, run[0], first, first + len(run[0].encode()))
        painter.setClipping(False)

    def _paint_run(self, painter: QPainter, run: str, first: int, end: int) -> None:
        editor = self._editor
        x, y = editor.pointXFromPosition(first), editor.pointYFromPosition(first)
        width = editor.pointXFromPosition(end) - x
        style = editor.styleAt(first)
        font = editor.theme.code_font()
        font.setPixelSize(editor.font_pixels())
        font.setItalic(bool(editor.styleItalic(style)))
        painter.save()
        painter.setFont(font)
        fore = editor.styleFore(style)
        painter.setPen(QColor(fore & 0xFF, fore >> 8 & 0xFF, fore >> 16 & 0xFF))
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        natural = QFontMetricsF(font).horizontalAdvance(run)
        painter.translate(x, y + editor.gutter.baseline())
        if width > 0 and natural > width:
            painter.scale(width / natural, 1)
        painter.drawText(QPointF(max(0.0, (width - natural) / 2), 0), run)
        painter.restore()
