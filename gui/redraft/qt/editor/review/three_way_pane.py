"""A hunk whose text was changed since, three ways: as it was, as it is, and as it was proposed; one choice ends it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.merge import merge_lines
from redraft.core.text import split_lines
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.layout import PlacedHunk
from redraft.qt.editor.review.column import DiffColumn
from redraft.qt.editor.review.columns import Column, ColumnHunk
from redraft.qt.editor.review.pane import ReviewPane
from redraft.qt.editor.review.state import ReviewState
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton, PlainLabel
from redraft.qt.widgets.nesting import nest


class ChoiceRow(QWidget):
    """What can be done with the hunk."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.label = PlainLabel(theme, font="small", color="text.secondary")
        self.keep = KeyButton(theme, "Keep the file's lines", style=ActionStyle.DEFAULT)
        self.take = KeyButton(theme, "Take the proposal", style=ActionStyle.DEFAULT)
        self.merge = KeyButton(theme, "Merge both", style=ActionStyle.PRIMARY)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 10, 0)
        layout.setSpacing(8)
        layout.addWidget(self.label, 1)
        for button in (self.keep, self.take, self.merge):
            layout.addWidget(button)
        self.setFixedHeight(40)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.label.set_theme(theme)
        for button in (self.keep, self.take, self.merge):
            button.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("state.warn_tint"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self._theme.color("border.soft"))
        painter.end()


class ThreeWayPane(ReviewPane):
    """One hunk that needs review after the other; the first of them is shown unless the current one is such."""

    taken = Signal(int, tuple)
    """A hunk, and the lines that are to stand in its place."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor, "Compare three ways")
        theme = editor.theme
        self._placed_id = -1
        self._proposed: tuple[str, ...] = ()
        self._merged: tuple[str, ...] | None = None
        self.choices = ChoiceRow(theme, self)
        self.choices.keep.clicked.connect(self._on_keep)
        self.choices.take.clicked.connect(self._on_take)
        self.choices.merge.clicked.connect(self._on_merge)
        self.body.addWidget(self.choices)
        self.was, self.now, self.proposed = (DiffColumn(theme, name) for name in ("removed", "added", "added"))
        self._headings: list[PlainLabel] = []
        columns = QHBoxLayout()
        columns.setSpacing(1)
        names = ("When you asked", "Now in the file", "Proposed")
        for column, name in zip((self.was, self.now, self.proposed), names, strict=True):
            column.setAccessibleName(name)
            self.watch_escape(column)
            nest(columns, self._titled(column, name), 1)
        nest(self.body, columns, 1)
        self.setFocusProxy(self.choices.take)
        for button in (self.choices.keep, self.choices.take, self.choices.merge):
            self.watch_escape(button)

    def show_review(self, state: ReviewState) -> None:
        """Show a hunk that needs review; with none left the pane closes."""
        super().show_review(state)
        stale = [placed for placed in state.hunks if placed.needs_review]
        if not stale:
            self.close_wanted.emit()
            return
        placed = next((placed for placed in stale if placed.id == state.current), stale[0])
        lines = tuple(split_lines(state.text)[placed.line : placed.end])
        base, new = placed.hunk.old_lines, placed.hunk.new_lines
        merged = merge_lines(base, lines, new)
        self._placed_id, self._proposed = placed.id, new
        self._merged = tuple(merged) if merged is not None else None
        for column, side in ((self.was, base), (self.now, lines), (self.proposed, new)):
            column.indentation = self.editor.indentation
            column.setZoom(state.zoom)
            column.show_column(_changed_from(base, side, is_now=column is self.now), state.language_id)
        self._show_choices(state, placed)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        super().set_theme(theme)
        self.choices.set_theme(theme)
        for column in (self.was, self.now, self.proposed):
            column.set_theme(theme)
        for heading in self._headings:
            heading.set_theme(theme)

    def _on_keep(self) -> None:
        self.reject_wanted.emit(self._placed_id)

    def _on_take(self) -> None:
        self.taken.emit(self._placed_id, self._proposed)

    def _on_merge(self) -> None:
        if self._merged is not None:
            self.taken.emit(self._placed_id, self._merged)

    def _show_choices(self, state: ReviewState, placed: PlacedHunk) -> None:
        place = state.hunks.index(placed) + 1
        how = "the changes lie apart" if self._merged is not None else "the changes meet; choose one side"
        self.choices.label.set_text(f"Hunk {place} of {len(state.hunks)}, line {placed.line + 1}: {how}")
        self.choices.merge.setVisible(self._merged is not None)

    def _titled(self, column: DiffColumn, name: str) -> QVBoxLayout:
        heading = PlainLabel(self.editor.theme, name, font="micro", color="text.muted")
        heading.setMinimumHeight(26)
        self._headings.append(heading)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 8, 0)
        row.addWidget(heading)
        layout = QVBoxLayout()
        layout.setSpacing(0)
        nest(layout, row)
        layout.addWidget(column, 1)
        return layout


def _changed_from(base: tuple[str, ...], side: tuple[str, ...], *, is_now: bool) -> Column:
    """The lines of one side, with those marked that are not as they were."""
    hunks: list[ColumnHunk] = []
    shift = 0
    for hunk in diff_lines(base, side):
        line = hunk.old_start + shift
        hunks.append(ColumnHunk(0, hunk, line, len(hunk.new_lines), 0, needs_review=is_now, is_bare=True))
        shift += len(hunk.new_lines) - len(hunk.old_lines)
    return Column("".join(side), tuple(hunks))
