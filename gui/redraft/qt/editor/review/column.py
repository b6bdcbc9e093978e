"""One column of a side-by-side view: a read-only editor with the tints of its side, and blank rows to align it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pyside6_scintilla import Scintilla

from redraft.core.diff.emphasis import emphasis
from redraft.core.text import without_end
from redraft.qt.editor.annotation_rows import Look, StyledRow
from redraft.qt.editor.annotations import AnnotationRegistry, RowOrder
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.range_strip import Band, RangeStrip
from redraft.qt.editor.numbers import Margin
from redraft.qt.editor.raw import bgr
from redraft.qt.editor.review.columns import Column, ColumnHunk
from redraft.qt.editor.scroll_bar import ScrollMark
from redraft.qt.theme import Theme

CHANGED: Final = 0
STALE: Final = 1
WORD: Final = 8
FILLER: Final = "side-by-side"
GLYPHS: Final = {"removed": "-", "added": "+"}


class DiffColumn(CodeEditor):
    """Shows one side; `name` is `"removed"` or `"added"`, as in the names of the theme's colours."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme)
        self._name = name
        self._side = Column("", ())
        self._rows = AnnotationRegistry.of(self)
        self._strip = RangeStrip(theme, self.viewport())
        self._dress(theme)
        self.view_changed.connect(self._place_strip)

    @property
    def side(self) -> Column:
        """What is shown."""
        return self._side

    def show_column(self, column: Column, language_id: str) -> None:
        """Show another text with other hunks; the place in it stays."""
        top = self.firstVisibleLine()
        self.setReadOnly(False)
        if column.text != self._side.text or language_id != self.language_id:
            self.set_document(column.text, language_id)
        self.setReadOnly(True)
        self._side = column
        self._mark()
        self._fill()
        self.set_scroll_marks(FILLER, self._scroll_marks())
        self.setFirstVisibleLine(top)
        self._place_strip()

    def header_y(self, hunk: ColumnHunk) -> int:
        """Where the row for a hunk's buttons begins in the viewport, in px."""
        if not hunk.has_header:
            return self.line_y(0)
        below = self.line_y(hunk.line - 1) + self.row_height()
        above = self._rows.rows_above(FILLER, hunk.line - 1, RowOrder.BAR)
        return below + above * self.row_height()

    def row_of(self, hunk: ColumnHunk) -> int:
        """The row a hunk begins with, counted from the top of the text."""
        return self.visibleFromDocLine(hunk.line) if hunk.count else self.visibleFromDocLine(max(hunk.line - 1, 0))

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        super().set_theme(theme)
        if hasattr(self, "_strip"):  # the base class dresses itself before there is a side
            self._dress(theme)
            self._strip.set_theme(theme)
            self._fill()

    def _dress(self, theme: Theme) -> None:
        for marker, token in ((CHANGED, f"diff.{self._name}.line"), (STALE, "diff.offered.line")):
            self.markerDefine(marker, Scintilla.MarkerSymbol.Background)
            self.markerSetBack(marker, bgr(theme.color(token)))
        self.indicSetStyle(WORD, Scintilla.IndicatorStyle.FullBox)
        self.indicSetUnder(WORD, True)
        self.indicSetAlpha(WORD, 255)
        self.indicSetOutlineAlpha(WORD, 255)
        self.indicSetFore(WORD, bgr(theme.color(f"diff.{self._name}.word")))

    def _mark(self) -> None:
        self.markerDeleteAll(CHANGED)
        self.markerDeleteAll(STALE)
        self.setIndicatorCurrent(WORD)
        self.indicatorClearRange(0, self.length())
        for hunk in self._side.hunks:
            for line in range(hunk.line, hunk.end):
                self.markerAdd(line, STALE if hunk.needs_review else CHANGED)
                if not hunk.needs_review:
                    self._mark_words(hunk, line)
        self.refresh_current_line()

    def _mark_words(self, hunk: ColumnHunk, line: int) -> None:
        spoken = emphasis(hunk.hunk)
        index = line - hunk.line
        is_old = self._name == "removed"
        lines = hunk.hunk.old_lines if is_old else hunk.hunk.new_lines
        text, start = without_end(lines[index]), self.positionFromLine(line)
        for first, last in spoken.old(index) if is_old else spoken.new(index):
            self.indicatorFillRange(start + len(text[:first].encode()), len(text[first:last].encode()))

    def _fill(self) -> None:
        """Blank rows: one above each hunk for its buttons, and as many as the other side is longer."""
        self._rows.clear(FILLER)
        theme = self.theme
        blank = StyledRow(fill=Look(theme.hex("text.muted"), theme.hex("surface.1")))
        for hunk in self._side.hunks:
            above = max(hunk.line - 1, 0)
            if hunk.has_header:
                self._rows.set_rows(FILLER, above, (StyledRow(),), RowOrder.BAR)
            if hunk.filler:
                order = RowOrder.PROPOSED if hunk.count else RowOrder.INSERTED
                line = hunk.end - 1 if hunk.count else above
                self._rows.set_rows(FILLER, line, (blank,) * hunk.filler, order)
        self._rows.flush()

    def _scroll_marks(self) -> Iterator[ScrollMark]:
        for hunk in self._side.hunks:
            if hunk.count:
                kind = "offered" if hunk.needs_review else self._name
                yield ScrollMark(hunk.line, hunk.count, f"diff.{kind}.bar")

    def _place_strip(self) -> None:
        bands = []
        for line in self.visible_lines():
            hunk = self._side.hunk_at(line)
            if hunk is not None:
                kind = "offered" if hunk.needs_review else self._name
                glyph = GLYPHS[self._name]
                bands.append(Band(self.line_y(line), self.row_height(), f"diff.{kind}.bar", f"diff.{kind}.line", glyph))
        left = sum(self.marginWidthN(margin) for margin in (Margin.SYMBOLS, Margin.NUMBERS))
        self._strip.show_bands(_without_gaps(bands), left, self.row_height())


def _without_gaps(bands: list[Band]) -> list[Band]:
    """The bands with plain ones between them: a strip is one piece from its first to its last."""
    result: list[Band] = []
    for band in bands:
        if result:
            end = result[-1].y + result[-1].height
            if band.y > end:
                result.append(Band(end, band.y - end, "surface.0"))
        result.append(band)
    return result
