"""The one place that writes Scintilla annotations: rows of several owners below a line, composed and padded.

A Scintilla line has a single annotation, so whoever wants rows below a line asks here. Four measured traps are
handled in this module and nowhere else: clearing is done line by line with a null pointer (clearing all wipes the
work of others and costs 138 ms in a large file); colour ends with the text, so rows are padded with blanks to the
width of the view; painting reads an annotation from its beginning for every visible row, so of a long one only the
rows near the view are written, the others stay blank; and rows that appear above the view must not move it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTimer
from pyside6_scintilla import Scintilla, ScintillaEdit

from redraft.qt.editor.annotation_rows import RowEncoder, StyledRow
from redraft.qt.editor.raw import Message, send_bytes

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

MAX_ROWS: Final = 32_000
"""Scintilla counts the rows of one annotation in 16 bits."""
LONG: Final = 240
"""From this many rows on, only those near the view are written."""
NEAR: Final = 80


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
    """What stands below one line: the rows of each owner, and which of them are written out."""

    def __init__(self) -> None:
        self.parts: dict[tuple[int, str], Sequence[StyledRow]] = {}
        self.written = range(0)

    @property
    def row_count(self) -> int:
        """Rows of all owners, as many as Scintilla can show."""
        return min(sum(len(rows) for rows in self.parts.values()), MAX_ROWS)

    def offset_of(self, owner: str, order: int) -> int:
        """Rows that stand above those of an owner."""
        return sum(len(rows) for key, rows in self.parts.items() if key < (order, owner))

    def rows(self, wanted: range) -> Iterator[StyledRow]:
        """The rows at the given places, in order."""
        start = 0
        for _, rows in sorted(self.parts.items(), key=lambda part: part[0]):
            first, last = max(wanted.start - start, 0), min(wanted.stop - start, len(rows))
            for index in range(first, last):
                yield rows[index]
            start += len(rows)


class AnnotationRegistry(QObject):
    """Keeps styled rows per line, owner and order, and writes them as annotations."""

    def __init__(self, editor: ScintillaEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._annotations: dict[int, Annotation] = {}
        self._dirty: set[int] = set()
        self._encoder = RowEncoder(editor)
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.flush)
        editor.annotationSetVisible(Scintilla.AnnotationVisible.Standard.value)
        # The back of a row then fills its extra ascent and descent too.
        editor.setPhasesDraw(Scintilla.PhasesDraw.Multiple.value)
        editor.modified.connect(self._on_modified)
        editor.resized.connect(self._on_view_changed)
        # Named like a method, this is the signal at run time.
        cast("SignalInstance", editor.zoom).connect(self._on_view_changed)
        editor.verticalScrolled.connect(self._on_view_changed)
        editor.horizontalScrolled.connect(self._on_view_changed)
        editor.updateUi.connect(self._on_view_changed)

    @staticmethod
    def of(editor: ScintillaEdit) -> AnnotationRegistry:
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

    def rows_above(self, owner: str, line: int, order: int = RowOrder.PROPOSED) -> int:
        """Rows of others between a line and the rows an owner has below it."""
        annotation = self._annotations.get(line)
        return annotation.offset_of(owner, order) if annotation else 0

    def row_count(self, line: int) -> int:
        """Rows of all owners below a line."""
        annotation = self._annotations.get(line)
        return annotation.row_count if annotation else 0

    def lines_of(self, owner: str) -> list[int]:
        """The lines below which an owner has rows."""
        return sorted(
            line for line, annotation in self._annotations.items() if any(key[1] == owner for key in annotation.parts)
        )

    def blank_width(self) -> float:
        """Width of a character in px."""
        self._encoder.measure()
        return self._encoder.blank

    def restyle(self) -> None:
        """Define all styles anew, after a change of theme, font or default style."""
        self._encoder.reset()
        self._dirty.update(self._annotations)
        self.flush()

    def flush(self) -> None:
        """Write now what would be written in the next turn of the event loop."""
        self._timer.stop()
        if not self._dirty:
            return
        with self._view_kept():
            self._encoder.measure()
            dirty, self._dirty = self._dirty, set()
            for line in sorted(dirty):
                self._write(line)
        self._refresh_long()

    def _touch(self, line: int) -> None:
        self._dirty.add(line)
        if not self._timer.isActive():
            self._timer.start()

    def _write(self, line: int) -> None:
        annotation = self._annotations.get(line)
        if line >= self._editor.lineCount():
            return
        if annotation is None or not annotation.row_count:
            self._annotations.pop(line, None)
            self._editor.send(Message.AnnotationSetText, line, 0)
            return
        count = annotation.row_count
        annotation.written = self._rows_near_view(line, count)
        text, styles = self._encoder.encode(annotation.rows(annotation.written), annotation.written, count)
        send_bytes(self._editor, Message.AnnotationSetText, line, text)
        send_bytes(self._editor, Message.AnnotationSetStyles, line, styles)

    def _rows_near_view(self, line: int, count: int) -> range:
        if count < LONG:
            return range(count)
        visible = self._visible_rows(line)
        return range(min(max(visible.start - NEAR, 0), count), max(min(visible.stop + NEAR, count), 0))

    def _visible_rows(self, line: int) -> range:
        editor = self._editor
        top = editor.visibleFromDocLine(line) + editor.wrapCount(line)
        first = editor.firstVisibleLine() - top
        return range(first, first + editor.linesOnScreen() + 1)

    def _refresh_long(self) -> None:
        """Write the rows of long annotations that have come near the view."""
        for line, annotation in self._annotations.items():
            count = annotation.row_count
            if count < LONG:
                continue
            visible = self._visible_rows(line)
            first, last = max(visible.start, 0), min(visible.stop, count)
            if first < last and not (annotation.written.start <= first and last <= annotation.written.stop):
                self._write(line)

    @contextmanager
    def _view_kept(self) -> Iterator[None]:
        """Keep the text at the top of the view in its place while rows come and go above it."""
        editor = self._editor
        first = editor.firstVisibleLine()
        line = editor.docLineFromVisible(first)
        offset = first - editor.visibleFromDocLine(line)
        yield
        wanted = editor.visibleFromDocLine(line) + min(offset, editor.wrapCount(line) + self.row_count(line))
        if first > 0 and wanted != editor.firstVisibleLine():
            editor.setFirstVisibleLine(wanted)

    def _on_view_changed(self) -> None:
        if not self._annotations:
            return
        if self._encoder.measure():
            self._dirty.update(self._annotations)
            self.flush()
        else:
            self._refresh_long()

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
