"""The one place that makes room below lines: rows of several owners, composed into one annotation per line.

A Scintilla line has a single annotation, so whoever wants rows below a line asks here. Scintilla keeps the room and
nothing else: the annotations hold blank rows, and what stands in them is painted here, in the same paint. Written as
styled annotations, thirty proposed rows took 31 ms to paint, for Scintilla measures each run of text in each of
its nine phases; they were cut to whole pixels, so that they drifted from the text above; and tints ended with the text.
Two measured traps are minded: rows are taken away line by line with a null pointer (clearing all wipes the work of
others and costs 138 ms in a large file), and rows that come and go above the view must not move it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QObject, QRect, QTimer
from PySide6.QtGui import QPainter
from pyside6_scintilla import Scintilla

from redraft.qt.editor.annotation_rows import RowPainter, StyledRow
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.numbers import TEXT_AIR
from redraft.qt.editor.raw import Message, send_bytes

MAX_ROWS: Final = 32_000
"""Scintilla counts the rows of one annotation in 16 bits."""


class RowOrder(IntEnum):
    """Which rows stand nearer to their line; the last ones stand directly above the next line."""

    PROPOSED = 0
    NOTE = 10
    GHOST = 20
    PROMPT = 50
    BAR = 55
    INSERTED = 60
    FRONTIER = 61


class Annotation:
    """What stands below one line: the rows of each owner, and how many of them Scintilla has made room for."""

    def __init__(self) -> None:
        self.parts: dict[tuple[int, str], Sequence[StyledRow]] = {}

    @property
    def row_count(self) -> int:
        """Rows of all owners, as many as there can be."""
        return min(sum(len(rows) for rows in self.parts.values()), MAX_ROWS)

    def offset_of(self, owner: str, order: int) -> int:
        """Rows that stand above those of an owner."""
        return sum(len(rows) for key, rows in self.parts.items() if key < (order, owner))

    def rows(self, wanted: range) -> Iterator[StyledRow]:
        """The rows at the given places, in order."""
        start = 0
        for _, rows in sorted(self.parts.items(), key=lambda part: part[0]):
            for index in range(max(wanted.start - start, 0), min(wanted.stop - start, len(rows))):
                yield rows[index]
            start += len(rows)


class AnnotationRegistry(QObject):
    """Keeps styled rows per line, owner and order; Scintilla makes room for them, and they are painted into it."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._annotations: dict[int, Annotation] = {}
        self._dirty: set[int] = set()
        self._painter = RowPainter(editor)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.flush)
        editor.annotationSetVisible(Scintilla.AnnotationVisible.Standard)
        editor.modified.connect(self._on_modified)
        editor.row_painters.append(self.paint)

    @staticmethod
    def of(editor: CodeEditor) -> AnnotationRegistry:
        """The registry of an editor; made when it is first asked for."""
        return editor.findChild(AnnotationRegistry) or AnnotationRegistry(editor)

    def set_rows(self, owner: str, line: int, rows: Sequence[StyledRow], order: int = RowOrder.PROPOSED) -> None:
        """Show rows below a line in place of the owner's earlier ones of that order; none takes them away."""
        annotation = self._annotations.get(line)
        if not rows:
            if annotation is not None and annotation.parts.pop((order, owner), None) is not None:
                self._touch(line)
            return
        if annotation is None:
            annotation = self._annotations[line] = Annotation()
        annotation.parts[order, owner] = rows
        self._touch(line)

    def clear(self, owner: str) -> None:
        """Take away all rows of an owner."""
        for line, annotation in self._annotations.items():
            mine = [key for key in annotation.parts if key[1] == owner]
            for key in mine:
                del annotation.parts[key]
            if mine:
                self._touch(line)

    def rows(self, line: int) -> list[StyledRow]:
        """All rows below a line, from the top."""
        annotation = self._annotations.get(line)
        return list(annotation.rows(range(annotation.row_count))) if annotation else []

    def rows_above(self, owner: str, line: int, order: int = RowOrder.PROPOSED) -> int:
        """Rows of others between a line and the rows an owner has below it."""
        annotation = self._annotations.get(line)
        return annotation.offset_of(owner, order) if annotation else 0

    def lines_of(self, owner: str) -> list[int]:
        """The lines below which an owner has rows."""
        return sorted(
            line for line, annotation in self._annotations.items() if any(key[1] == owner for key in annotation.parts)
        )

    def blank_width(self) -> float:
        """Width of a character in px."""
        return self._painter.blank

    def flush(self) -> None:
        """Make room now for what would have it in the next turn of the event loop."""
        self._timer.stop()
        if not self._dirty:
            return
        with self._view_kept():
            dirty, self._dirty = self._dirty, set()
            for line in sorted(dirty):
                self._make_room(line)
        self._editor.viewport().update()

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Paint the rows that show in an area of the viewport."""
        if not self._annotations:
            return
        editor, height = self._editor, self._editor.row_height()
        left = editor.text_left() - TEXT_AIR
        painter.save()
        painter.setClipRect(area.intersected(QRect(left, 0, editor.viewport().width() - left, area.bottom() + 1)))
        for line in editor.visible_lines():
            annotation = self._annotations.get(line)
            if annotation is None:
                continue
            top = editor.line_y(line) + editor.row_count(line) * height
            first = max((area.top() - top) // height, 0)
            last = min((area.bottom() - top) // height + 1, annotation.row_count)
            for index, row in enumerate(annotation.rows(range(first, last)), first):
                self._painter.paint(painter, row, top + index * height)
        painter.restore()

    def _touch(self, line: int) -> None:
        self._dirty.add(line)
        if not self._timer.isActive():
            self._timer.start()

    def _make_room(self, line: int) -> None:
        annotation = self._annotations.get(line)
        count = annotation.row_count if annotation else 0
        if not count:
            self._annotations.pop(line, None)
        if line >= self._editor.lineCount() or self._editor.annotationLines(line) == count:
            return
        if count:
            send_bytes(self._editor, Message.AnnotationSetText, line, b"\n" * (count - 1))
        else:
            self._editor.send(Message.AnnotationSetText, line, 0)

    @contextmanager
    def _view_kept(self) -> Iterator[None]:
        """Keep the text at the top of the view in its place while rows come and go above it."""
        editor = self._editor
        first = editor.firstVisibleLine()
        line = editor.docLineFromVisible(first)
        offset = first - editor.visibleFromDocLine(line)
        yield
        wanted = editor.visibleFromDocLine(line) + min(offset, editor.row_count(line) + editor.annotationLines(line))
        if first > 0 and wanted != editor.firstVisibleLine():
            editor.setFirstVisibleLine(wanted)

    def _on_modified(self, _kind: int, position: int, _length: int, lines_added: int, *_: object) -> None:
        """Follow the text: Scintilla moves its annotations along, all but those of the lines that were cut."""
        if not lines_added or not self._annotations:
            return
        line = self._editor.lineFromPosition(position)
        from_start = position == self._editor.positionFromLine(line)
        moved: dict[int, Annotation] = {}
        for old, annotation in sorted(self._annotations.items()):
            new = moved_line(old, line, lines_added, from_start=from_start)
            if new is None:
                continue
            if new in moved:
                moved[new].parts.update(annotation.parts)
            else:
                moved[new] = annotation
        self._annotations = moved
        self._dirty = {
            new for old in self._dirty if (new := moved_line(old, line, lines_added, from_start=from_start)) is not None
        }
        self._touch(line)


def moved_line(old: int, line: int, added: int, *, from_start: bool) -> int | None:
    """Where the rows below a line go when lines are added or cut at `line`; `None` if their line is gone."""
    if old < (line if from_start else line + 1):
        return old
    if added < 0 and old < line - added:
        return None
    return old + added
