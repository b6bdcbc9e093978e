"""The side-by-side view of a proposal: the text as it is and as it would be, scrolling together."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.core.diff.spoken import describe_hunk
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.hunk_bar import HunkBar, Wish
from redraft.qt.editor.inline_diff.selection import matching_lines, matching_old_lines, selected_lines
from redraft.qt.editor.review.column import DiffColumn
from redraft.qt.editor.review.columns import make_columns
from redraft.qt.editor.review.pane import ReviewPane
from redraft.qt.editor.review.state import ReviewState
from redraft.qt.theme import Theme
from redraft.qt.widgets import PlainLabel
from redraft.qt.widgets.nesting import nest

AIR: Final = 10
ABOVE: Final = 3
"""Rows left above a hunk that is scrolled to."""
HEADING: Final = 26


class ColumnsPane(ReviewPane):
    """Two columns, and each hunk's buttons at the right of the new one."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor, "Side by side")
        theme = editor.theme
        self.old = DiffColumn(theme, "removed")
        self.new = DiffColumn(theme, "added")
        self.bars: list[HunkBar] = []
        self._headings: list[PlainLabel] = []
        self._state: ReviewState | None = None
        self._is_following = False
        columns = QHBoxLayout()
        columns.setSpacing(1)
        for column, name in ((self.old, "Now in the file"), (self.new, "Proposed")):
            column.setAccessibleName(name)
            self.watch_escape(column)
            columns.addWidget(self._titled(column, name), 1)
        nest(self.body, columns, 1)
        self.setFocusProxy(self.new)
        self.old.view_changed.connect(lambda: self._follow(self.old, self.new))
        self.new.view_changed.connect(lambda: self._follow(self.new, self.old))
        self.new.view_changed.connect(self._place_bars)

    def show_review(self, state: ReviewState) -> None:
        """Show the hunks; the current one is scrolled to when it becomes so."""
        super().show_review(state)
        before, self._state = self._state, state
        old, new = make_columns(state.text, state.hunks)
        if (old, new) != (self.old.side, self.new.side):
            for column, content in ((self.old, old), (self.new, new)):
                column.indentation = self.editor.indentation
                column.setZoom(state.zoom)
                column.show_column(content, state.language_id)
        if before is None or before.current != state.current:
            self._go_to(state.current)
        self._place_bars()

    def selected_part(self, hunk_id: int) -> tuple[range, range] | None:
        """The part of a hunk whose new lines are selected at the right, or whose old lines at the left."""
        state = self._state
        placed = next((placed for placed in state.hunks if placed.id == hunk_id), None) if state else None
        new = next((hunk for hunk in self.new.side.hunks if hunk.id == hunk_id), None)
        old = next((hunk for hunk in self.old.side.hunks if hunk.id == hunk_id), None)
        # At the very top a column may show a line more than the hunk has.
        if placed is None or new is None or old is None or new.hunk.new_lines != placed.hunk.new_lines:
            return None
        if added := selected_lines(self.new, new.line, new.end):
            return matching_old_lines(placed.hunk, added), added
        if removed := selected_lines(self.old, old.line, old.end):
            return removed, matching_lines(placed.hunk, removed)
        return None

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        super().set_theme(theme)
        for column in (self.old, self.new):
            column.set_theme(theme)
        for bar in self.bars:
            bar.set_theme(theme)
        for heading in self._headings:
            heading.set_theme(theme)

    def _titled(self, column: DiffColumn, name: str) -> QWidget:
        holder = QWidget(self)
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        heading = PlainLabel(self.editor.theme, name, font="micro", color="text.muted")
        heading.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 8, 0)
        row.addWidget(heading)
        nest(layout, row)
        layout.addWidget(column, 1)
        heading.setMinimumHeight(HEADING)
        self._headings.append(heading)
        return holder

    def _follow(self, moved: DiffColumn, other: DiffColumn) -> None:
        if self._is_following:
            return
        self._is_following = True
        if other.firstVisibleLine() != moved.firstVisibleLine():
            other.setFirstVisibleLine(moved.firstVisibleLine())
        if other.xOffset() != moved.xOffset():
            other.setXOffset(moved.xOffset())
        self._is_following = False

    def _go_to(self, hunk_id: int) -> None:
        hunk = next((hunk for hunk in self.new.side.hunks if hunk.id == hunk_id), None)
        if hunk is None:
            return
        row = self.new.row_of(hunk)
        top, rows = self.new.firstVisibleLine(), self.new.linesOnScreen()
        length = hunk.count + hunk.filler + 1
        if row - 1 < top or row + length > top + rows:
            self.new.setFirstVisibleLine(max(row - ABOVE - 1, 0))
        self.new.setEmptySelection(self.new.positionFromLine(hunk.line))

    def _place_bars(self) -> None:
        state = self._state
        if state is None:
            return
        hunks = self.new.side.hunks
        while len(self.bars) < len(hunks):
            self.bars.append(self._make_bar())
        height = self.new.viewport().height()
        for index, (bar, hunk) in enumerate(zip(self.bars, hunks, strict=False)):
            is_current = hunk.id == state.current
            place = f"{index + 1}/{len(hunks)}" if is_current and len(hunks) > 1 else ""
            bar.show_hunk(
                hunk.id, state.keys, place=place, current=is_current, can_accept=state.hunks[index].can_accept,
                room=self.new.viewport().width() - 2 * AIR,
            )  # fmt: skip
            bar.set_description(describe_hunk(state.hunks[index].hunk, index + 1, len(hunks)))
            y = self.new.header_y(hunk) + (self.new.row_height() - bar.height()) // 2
            bar.move(self.new.viewport().width() - AIR - bar.width(), y)
            bar.setVisible(-bar.height() < y < height)
        for bar in self.bars[len(hunks) :]:
            bar.hide()

    def _make_bar(self) -> HunkBar:
        bar = HunkBar(self.editor.theme, self.new.viewport())
        bar.pressed.connect(lambda wish: self._on_wish(bar.hunk_id, wish))
        return bar

    def _on_wish(self, hunk_id: int, wish: Wish) -> None:
        match wish:
            case Wish.ACCEPT:
                self.accept_wanted.emit(hunk_id)
            case Wish.REJECT:
                self.reject_wanted.emit(hunk_id)
            case Wish.NEXT:
                self.next_wanted.emit()
            case Wish.PREVIOUS:
                self.previous_wanted.emit()
            case Wish.PLACE:
                pass
