"""Puts the widgets of an overlay where its rows are: strip, frontier cell and hunk buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from redraft.api.inline_diff import DiffKeys
from redraft.core.diff.spoken import describe_hunk
from redraft.qt.editor.annotations import AnnotationRegistry, RowOrder
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.editor_view import BLOCK_NAME
from redraft.qt.editor.inline_diff.frontier import FrontierCell
from redraft.qt.editor.inline_diff.hunk_bar import HunkBar, Wish
from redraft.qt.editor.inline_diff.layout import Layout, LineKind, PlacedHunk
from redraft.qt.editor.inline_diff.range_strip import Band, RangeStrip
from redraft.qt.editor.inline_diff.rows_view import ProposedRows
from redraft.qt.editor.numbers import Margin
from redraft.qt.theme import Theme

AIR: Final = 10
"""Between the hunk buttons and the scroll bar."""
CLEAR: Final = 16
"""Least distance between a hunk's first line and its buttons."""
BAR_WIDTH: Final = 344
"""Room kept for the buttons of a current hunk."""

BANDS: Final = {
    LineKind.CONTEXT: ("accent.bar", "surface.0", ""),
    LineKind.REMOVED: ("diff.removed.bar", "diff.removed.line", "-"),
    LineKind.PENDING: ("accent.bar_dim", "diff.pending.line", ""),
    LineKind.OFFERED: ("diff.offered.bar", "diff.offered.line", ""),
}
ADDED: Final = ("diff.added.bar", "diff.added.line", "+")
FRONTIER: Final = ("diff.added.bar", "diff.frontier.line", "")


class OverlayWidgets:
    """The child widgets of one overlay."""

    def __init__(
        self,
        editor: CodeEditor,
        registry: AnnotationRegistry,
        rows: ProposedRows,
        owner: str,
        on_wish: Callable[[int, Wish], None],
        on_hover: Callable[[int], None],
    ) -> None:
        self._editor = editor
        self._registry = registry
        self._rows = rows
        self._owner = owner
        self._on_wish = on_wish
        self._on_hover = on_hover
        viewport = editor.viewport()
        self.strip = RangeStrip(editor.theme, viewport)
        self.cell = FrontierCell(editor.theme, viewport)
        self.bars: list[HunkBar] = []

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self.strip.set_theme(theme)
        self.cell.set_theme(theme)
        for bar in self.bars:
            bar.set_theme(theme)

    def close(self) -> None:
        """Take all widgets away."""
        for widget in (self.strip, self.cell, *self.bars):
            widget.hide()
            widget.deleteLater()
        self.bars.clear()

    def place(self, layout: Layout, partial: str, keys: DiffKeys, current: int, place: str) -> None:
        """Put everything where it belongs now."""
        editor = self._editor
        lines = [line for line in editor.visible_lines() if layout.first - 1 <= line <= layout.end]
        bands = [] if layout.is_done else list(self._bands(layout, lines))
        left = sum(editor.marginWidthN(margin) for margin in (Margin.SYMBOLS, Margin.NUMBERS))
        self.strip.show_bands(merged(bands), left, editor.row_height())
        self._place_cell(layout, partial)
        self._place_bars(layout, keys, current, place)

    def _bands(self, layout: Layout, lines: list[int]) -> Iterator[Band]:
        editor, height = self._editor, self._editor.row_height()
        for line in lines:
            y = editor.line_y(line)
            below = y + editor.row_count(line) * height
            if layout.first <= line < layout.end:
                bar, tint, glyph = BANDS[layout.kind_of(line)]
                yield Band(y, below - y, bar, tint, glyph)
            for placed in layout.between(line, line):
                count = self._rows.row_count(placed)
                if placed.anchor == line and count:
                    above = self._rows.rows_above(placed)
                    yield Band(below + above * height, count * height, *ADDED)
            if layout.frontier is not None and layout.frontier - 1 == line:
                above = self._registry.rows_above(self._owner, line, RowOrder.FRONTIER)
                yield Band(below + above * height, height, *FRONTIER)

    def _place_cell(self, layout: Layout, partial: str) -> None:
        editor = self._editor
        line = None if layout.frontier is None else layout.frontier - 1
        if line is None or line < 0 or not editor.lineVisible(line):
            self.cell.hide()
            return
        height = editor.row_height()
        above = self._registry.rows_above(self._owner, line, RowOrder.FRONTIER)
        y = editor.line_y(line) + (editor.row_count(line) + above) * height
        width = self._registry.blank_width()
        x = editor.text_left() - editor.xOffset() + round(len(partial) * width)
        self.cell.setGeometry(x + 1, y + 3, max(round(width), 2), height - 6)
        self.cell.setVisible(x >= editor.text_left() and -height < y < editor.viewport().height())

    def _place_bars(self, layout: Layout, keys: DiffKeys, current: int, place: str) -> None:
        shown = 0
        viewport = self._editor.viewport()
        blocks = viewport.findChildren(QWidget, BLOCK_NAME, Qt.FindChildOption.FindDirectChildrenOnly)
        blocks = [block for block in blocks if not block.isHidden()]
        bottom = viewport.height()
        for placed in self._visible_hunks(layout):
            y = self._bar_y(placed)
            if not placed.is_settled or y is None or y >= bottom:
                continue
            if shown == len(self.bars):
                self.bars.append(self._make_bar())
            bar = self.bars[shown]
            is_current = placed.id == current
            bar.show_hunk(
                placed.id, keys, place=place if is_current else "", current=is_current,
                can_accept=placed.can_accept, room=viewport.width() - 2 * AIR,
            )  # fmt: skip
            bar.set_description(describe_hunk(placed.hunk, layout.number_of(placed), len(layout.hunks)))
            offset = (self._editor.row_height() - bar.height()) // 2
            bar.move(viewport.width() - AIR - bar.width(), y + offset)
            # Under a docked prompt block buttons would be cut off.
            bar.setVisible(not any(block.geometry().intersects(bar.geometry()) for block in blocks))
            shown += 1
        for bar in self.bars[shown:]:
            bar.hide()

    def _visible_hunks(self, layout: Layout) -> Iterator[PlacedHunk]:
        editor = self._editor
        top = editor.firstVisibleLine()
        first = editor.docLineFromVisible(top)
        last = editor.docLineFromVisible(top + editor.linesOnScreen() + 1)
        yield from layout.between(first - 1, last)

    def _bar_y(self, placed: PlacedHunk) -> int | None:
        """Where a hunk's buttons stand; at the top of the view once its first row has gone; `None` when all has."""
        editor, height = self._editor, self._editor.row_height()
        if not editor.lineVisible(placed.anchor):
            return None
        below = editor.line_y(placed.anchor) + editor.row_count(placed.anchor) * height
        above = self._rows.rows_above(placed)
        end = below + (above + self._rows.row_count(placed)) * height
        start = editor.line_y(placed.line) if placed.end > placed.line else below + above * height
        if self._rows.has_bar_row(placed):
            start -= height
        if end <= 0:
            return None
        return min(max(start, 0), max(end - height, start))

    def _make_bar(self) -> HunkBar:
        bar = HunkBar(self._editor.theme, self._editor.viewport())
        bar.pressed.connect(lambda wish: self._on_wish(bar.hunk_id, wish))
        bar.entered.connect(lambda: self._on_hover(bar.hunk_id))
        return bar

    def needs_bar_row(self, placed: PlacedHunk, first_text: str) -> bool:
        """Whether a hunk's first line reaches under its buttons."""
        editor = self._editor
        blank = self._registry.blank_width()
        end = editor.text_left() + len(first_text.rstrip().expandtabs(editor.tabWidth())) * blank
        return placed.is_settled and end + CLEAR > editor.viewport().width() - AIR - BAR_WIDTH


def merged(bands: list[Band]) -> list[Band]:
    """Bands from top to bottom; equal neighbours are one, and what lies between two is range."""
    result: list[Band] = []
    for band in sorted(bands, key=lambda band: band.y):
        if result:
            last = result[-1]
            end = last.y + last.height
            if end < band.y:
                last = Band(end, band.y - end, "accent.bar")
                result.append(last)
            if (last.bar, last.tint, last.glyph) == (band.bar, band.tint, band.glyph):
                result[-1] = Band(last.y, band.y + band.height - last.y, band.bar, band.tint, band.glyph)
                continue
        result.append(band)
    return result
