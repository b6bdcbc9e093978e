"""One predicted edit as a small diff: what goes is tinted where it stands, what comes stands in rows below it."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QPoint

from redraft.core.diff.emphasis import Spans, emphasis
from redraft.core.diff.hunks import Hunk
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.predicted import PredictedEdit
from redraft.core.text import TextIndex, TextRange, split_lines, without_end
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.layout import Layout, PlacedHunk
from redraft.qt.editor.inline_diff.looks import DiffLooks
from redraft.qt.editor.inline_diff.marks import Marks, define_marks
from redraft.qt.editor.inline_diff.range_strip import WIDTH, Band, RangeStrip
from redraft.qt.editor.inline_diff.rows import RowMaker, RowSize
from redraft.qt.editor.inline_diff.rows_view import ProposedRows
from redraft.qt.editor.inline_diff.syntax import ProposalSyntax

_numbers = count(1)


class SmallDiff:
    """Draws at most one hunk; without buttons, for nothing is under review."""

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._owner = f"predicted-{next(_numbers)}"
        self._registry = AnnotationRegistry.of(editor)
        self._rows: ProposedRows | None = None
        self._marks = Marks(editor, self._words_of)
        self._syntax: ProposalSyntax | None = None
        self._layout = Layout(0, 0)
        self._is_busy = False
        self.strip = RangeStrip(editor.theme, editor.viewport())
        self.strip.hide()

    @property
    def placed(self) -> PlacedHunk | None:
        """The hunk that is drawn."""
        return next(iter(self._layout.hunks), None)

    def show(self, edit: PredictedEdit) -> None:
        """Draw an edit, in place of what was drawn before."""
        placed = placed_hunk(self._editor.text_index(), edit)
        self.clear()
        self._is_busy = True
        define_marks(self._editor, self._editor.theme)
        self._syntax = ProposalSyntax(self._editor, placed.line)
        self._syntax.feed(placed.hunk.new_lines)
        self._layout = Layout(placed.line, max(placed.end, placed.line), (placed,))
        maker = RowMaker(DiffLooks(self._editor.theme), RowSize.of(self._editor, self._registry))
        self._rows = ProposedRows(self._registry, self._owner, maker)
        self._rows.show(self._layout, self._syntax, lambda _placed: False)
        self._registry.flush()
        self._marks.show(self._layout)
        self.strip.set_theme(self._editor.theme)
        self._place_strip()
        self._is_busy = False

    def place(self) -> None:
        """Put marks and bars where the lines are now."""
        if self.placed is not None and not self._is_busy:
            self._marks.show(self._layout)
            self._place_strip()

    def end_point(self) -> QPoint:
        """Where the first row that comes ends, in the viewport, or the first that goes where none comes."""
        editor, placed = self._editor, self.placed
        if placed is None or self._rows is None:
            return QPoint()
        new = placed.hunk.new_lines
        if not new:
            end = editor.lineEndPosition(placed.line)
            return QPoint(editor.pointXFromPosition(end), editor.line_y(placed.line))
        rows_above = editor.row_count(placed.anchor) + self._rows.rows_above(placed)
        width = len(without_end(new[0]).expandtabs(editor.tabWidth())) * self._registry.blank_width()
        x = editor.text_left() - editor.xOffset() + round(width)
        return QPoint(x, editor.line_y(placed.anchor) + rows_above * editor.row_height())

    def clear(self) -> None:
        """Draw nothing."""
        if self.placed is None:
            return
        self._is_busy = True
        last = self._editor.lineCount() - 1
        self._marks.forget(min(self._layout.first, last), min(self._layout.end, last))
        if self._rows is not None:
            self._rows.clear()
        if self._syntax is not None:
            self._syntax.dispose()
        self._registry.flush()
        self._editor.refresh_current_line()
        self._rows, self._syntax, self._layout = None, None, Layout(0, 0)
        self.strip.show_bands((), 0, self._editor.row_height())
        self._is_busy = False

    def close(self) -> None:
        """Draw nothing any more."""
        self.clear()
        self.strip.deleteLater()

    def _place_strip(self) -> None:
        """Bars beside what goes and what comes, and their tint up to the text."""
        editor, placed = self._editor, self.placed
        if placed is None or self._rows is None:
            return
        height = editor.row_height()
        bands: list[Band] = []
        if placed.end > placed.line:
            rows = sum(editor.row_count(line) for line in range(placed.line, placed.end))
            top = editor.line_y(placed.line)
            bands.append(Band(top, rows * height, "diff.removed.bar", "diff.removed.line", "-"))
        if placed.hunk.new_lines:
            above = editor.row_count(placed.anchor) + self._rows.rows_above(placed)
            top = editor.line_y(placed.anchor) + above * height
            rows = self._rows.row_count(placed)
            bands.append(Band(top, rows * height, "diff.added.bar", "diff.added.line", "+"))
        self.strip.show_bands(bands, editor.text_left() - WIDTH, height)

    def _words_of(self, line: int) -> Spans:
        placed = self._layout.hunk_at(line)
        return emphasis(placed.hunk).old(line - placed.line) if placed is not None else ()


def placed_hunk(index: TextIndex, edit: PredictedEdit) -> PlacedHunk:
    """The whole lines that an edit changes, and what they become."""
    first, last = index.line_at(edit.start), index.line_at(edit.end)
    span = TextRange(index.line_range(first).start, index.line_range(last).end)
    old = span.of(index.text)
    new = old[: edit.start - span.start] + edit.added + old[edit.end - span.start :]
    hunks = diff_lines(split_lines(old), split_lines(new))
    hunk = hunks[0] if len(hunks) == 1 else Hunk(0, tuple(split_lines(old)), tuple(split_lines(new)))
    line = first + hunk.old_start
    if line == 0 and hunk.is_insertion and index.text:
        # No row can stand above line 0: it is shown as a replacement of that line.
        top = index.line_range(0).of(index.text)
        hunk = Hunk(0, (top,), (*hunk.new_lines, top))
    return PlacedHunk(1, hunk, line, line + len(hunk.old_lines))
