"""Tints of real lines: markers behind removed and pending ones, boxes behind changed words.

Only lines near the view carry any, so that the cost does not grow with the proposal. Markers are kept by handle and
boxes within the range of their own overlay: several overlays in one document never touch each other's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPainter, QPolygonF
from pyside6_scintilla import Scintilla

from redraft.core.diff.emphasis import Spans
from redraft.core.text import without_end
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.layout import Layout, LineKind
from redraft.qt.editor.raw import Message, bgr, send_bytes
from redraft.qt.theme import Theme

ARROW: Final = 11
NEAR: Final = 60
"""Lines above and below the view that are marked too."""


class DiffMarker(IntEnum):
    """Marker numbers of overlays (of 0 to 11)."""

    REMOVED = 0
    PENDING = 1
    OFFERED = 2
    FRONTIER = 3


class DiffIndicator(IntEnum):
    """Indicator numbers of overlays (of 8 to 19)."""

    REMOVED_WORD = 8


MARKERS: Final = {
    LineKind.REMOVED: DiffMarker.REMOVED,
    LineKind.PENDING: DiffMarker.PENDING,
    LineKind.OFFERED: DiffMarker.OFFERED,
}
TINTS: Final = {
    DiffMarker.REMOVED: "diff.removed.line",
    DiffMarker.PENDING: "diff.pending.line",
    DiffMarker.OFFERED: "diff.offered.line",
}


def define_marks(editor: CodeEditor, theme: Theme) -> None:
    """Give markers and indicators their looks; the same for all overlays of an editor."""
    for marker, token in TINTS.items():
        editor.markerDefine(marker, Scintilla.MarkerSymbol.Background)
        editor.markerSetBack(marker, bgr(theme.color(token)))
    define_arrow(editor, theme)
    word = DiffIndicator.REMOVED_WORD
    editor.indicSetStyle(word, Scintilla.IndicatorStyle.FullBox)
    editor.indicSetUnder(word, True)
    editor.indicSetAlpha(word, 255)
    editor.indicSetOutlineAlpha(word, 255)
    editor.indicSetFore(word, bgr(theme.color("diff.removed.word")))


def define_arrow(editor: CodeEditor, theme: Theme) -> None:
    """Scintilla's own arrows fill the row; this one is as small as the other signs in the margin."""
    image = QImage(ARROW, ARROW, QImage.Format.Format_RGBA8888)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent.bar"))
    painter.drawPolygon(QPolygonF([QPointF(2, 1), QPointF(9, 5.5), QPointF(2, 10)]))
    painter.end()
    editor.rGBAImageSetWidth(image.width())
    editor.rGBAImageSetHeight(image.height())
    editor.rGBAImageSetScale(100)
    send_bytes(editor, Message.MarkerDefineRGBAImage, DiffMarker.FRONTIER, bytes(image.constBits()))


@dataclass
class LineMarks:
    """What one line carries."""

    kind: LineKind
    words: Spans = ()
    handle: int = -1


@dataclass
class Marks:
    """The marks of one overlay."""

    editor: CodeEditor
    words_of: Callable[[int], Spans]
    """Changed words of a removed document line, in code points."""

    _lines: dict[int, LineMarks] = field(default_factory=dict)
    _arrow: tuple[int, int] = (-1, -1)
    _shown: tuple[Layout, range] | None = None

    def show(self, layout: Layout) -> None:
        """Mark the lines near the view."""
        near = self._near(layout)
        if self._shown is not None and self._shown[0] is layout and self._shown[1] == near:
            return
        self._shown = (layout, near)
        wanted = self._wanted(layout, near)
        for line in [line for line in self._lines if line not in wanted]:
            self._unmark(line, self._lines.pop(line))
        for line, marks in wanted.items():
            known = self._lines.get(line)
            if known is not None and (known.kind, known.words) == (marks.kind, marks.words):
                continue
            if known is not None:
                self._unmark(line, known)
            self._mark(line, marks)
            self._lines[line] = marks
        self._show_arrow(layout.frontier)
        self.editor.refresh_current_line()

    def forget(self, first: int, last: int) -> None:
        """Take all marks away, after lines between `first` and `last` may have moved."""
        editor = self.editor
        for marks in self._lines.values():
            editor.markerDeleteHandle(marks.handle)
        if any(marks.words for marks in self._lines.values()):
            start, end = editor.positionFromLine(first), editor.lineEndPosition(min(last, editor.lineCount() - 1))
            editor.setIndicatorCurrent(DiffIndicator.REMOVED_WORD)
            editor.indicatorClearRange(start, max(end - start, 0))
        self._lines.clear()
        self._shown = None
        self._show_arrow(None)

    def _near(self, layout: Layout) -> range:
        """The overlay's lines in view and a little beyond."""
        editor = self.editor
        top = editor.firstVisibleLine()
        first = max(editor.docLineFromVisible(top) - NEAR, layout.first)
        return range(first, min(editor.docLineFromVisible(top + editor.linesOnScreen()) + NEAR, layout.end))

    def _wanted(self, layout: Layout, near: range) -> Mapping[int, LineMarks]:
        wanted: dict[int, LineMarks] = {}
        for line in near:
            kind = layout.kind_of(line)
            if kind is not LineKind.CONTEXT:
                wanted[line] = LineMarks(kind, self.words_of(line) if kind is LineKind.REMOVED else ())
        return wanted

    def _mark(self, line: int, marks: LineMarks) -> None:
        editor = self.editor
        marks.handle = editor.markerAdd(line, MARKERS[marks.kind])
        if not marks.words:
            return
        start = editor.positionFromLine(line)
        content = bytes(editor.get_text_range(start, editor.positionFromLine(line + 1)).data())
        text = without_end(content.decode("utf-8", "replace"))
        editor.setIndicatorCurrent(DiffIndicator.REMOVED_WORD)
        for first, last in marks.words:
            before, word = len(text[:first].encode()), len(text[first:last].encode())
            editor.indicatorFillRange(start + before, word)

    def _unmark(self, line: int, marks: LineMarks) -> None:
        editor = self.editor
        editor.markerDeleteHandle(marks.handle)
        if marks.words and line < editor.lineCount():
            start = editor.positionFromLine(line)
            editor.setIndicatorCurrent(DiffIndicator.REMOVED_WORD)
            editor.indicatorClearRange(start, editor.lineLength(line))

    def _show_arrow(self, line: int | None) -> None:
        at, handle = self._arrow
        if line == at and handle >= 0:
            return
        if handle >= 0:
            self.editor.markerDeleteHandle(handle)
        self._arrow = (-1, -1) if line is None else (line, self.editor.markerAdd(line, DiffMarker.FRONTIER))
