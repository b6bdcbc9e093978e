"""Everything one overlay draws, behind three calls: show, place, close."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from redraft.api.inline_diff import DiffKeys, HunkState
from redraft.core.diff.emphasis import Spans, emphasis
from redraft.core.text import TextRange
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.hunk_bar import Wish
from redraft.qt.editor.inline_diff.layout import Layout, PlacedHunk
from redraft.qt.editor.inline_diff.looks import DiffLooks
from redraft.qt.editor.inline_diff.marks import Marks, define_marks
from redraft.qt.editor.inline_diff.notes import DecisionNotes, note_of
from redraft.qt.editor.inline_diff.placing import OverlayWidgets
from redraft.qt.editor.inline_diff.rows import RowMaker, RowSize
from redraft.qt.editor.inline_diff.rows_view import ProposedRows
from redraft.qt.editor.inline_diff.scroll_marks import scroll_marks
from redraft.qt.editor.inline_diff.syntax import ProposalSyntax
from redraft.qt.theme import Theme


class OverlayDrawing:
    """Rows, marks, notes and widgets of one overlay."""

    def __init__(
        self,
        editor: CodeEditor,
        registry: AnnotationRegistry,
        owner: str,
        on_wish: Callable[[int, Wish], None],
        on_hover: Callable[[int], None],
        first_line: int,
    ) -> None:
        self._editor = editor
        self._owner = owner
        self._syntax = ProposalSyntax(editor, first_line)
        self._registry = registry
        self._looks = DiffLooks(editor.theme)
        self.layout = Layout(0, 0)
        self._keys = DiffKeys()
        self._current = -1
        self._place = ""
        self._is_busy = False
        self._maker = RowMaker(self._looks, RowSize.of(editor, registry))
        self._rows = ProposedRows(registry, owner, self._maker)
        self._marks = Marks(editor, self._words_of)
        self._notes = DecisionNotes(editor, registry, owner)
        self._widgets = OverlayWidgets(editor, registry, self._rows, owner, on_wish, on_hover)
        define_marks(editor, editor.theme)

    @property
    def theme(self) -> Theme:
        """The theme it is drawn in."""
        return self._looks.theme

    def show(self, layout: Layout, new_side: Sequence[str], keys: DiffKeys, current: int, place: str) -> None:
        """Draw a layout over the new side as far as it is known; `place` stands on the current hunk's buttons."""
        self._syntax.feed(new_side)
        self.layout, self._keys, self._current, self._place = layout, keys, current, place
        self._rows.show(layout, self._syntax, self._needs_bar_row)
        self._is_busy = True
        self._registry.flush()
        self._is_busy = False
        self._editor.set_scroll_marks(self._owner, scroll_marks(layout))
        self._editor.gutter.stress(self._owner, range(0) if layout.is_done else range(layout.first, layout.end))
        self.place()

    def place(self) -> None:
        """Put marks and widgets where the text is now."""
        if self._is_busy:
            return
        self._is_busy = True
        size = RowSize.of(self._editor, self._registry)
        if size != self._maker.size:
            self._maker = RowMaker(self._looks, size)
            self._rows.set_maker(self._maker)
            self._rows.show(self.layout, self._syntax, self._needs_bar_row)
            self._registry.flush()
        self._marks.show(self.layout)
        self._widgets.place(self.layout, self.layout.partial, self._keys, self._current, self._place)
        self._is_busy = False

    def unmark(self, *, lines_moved: bool) -> None:
        """Take away what belongs to lines before they are counted anew; rows too, if they are not where they were."""
        self._marks.forget(self.layout.first, self.layout.end)
        if lines_moved:
            self._rows.clear()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._looks = DiffLooks(theme)
        self._syntax.restyle()
        define_marks(self._editor, theme)
        self._maker = RowMaker(self._looks, RowSize.of(self._editor, self._registry))
        self._rows.set_maker(self._maker)
        self._notes.restyle(self._looks)
        self._widgets.set_theme(theme)

    def show_note(self, hunk_id: int, line: int, state: HunkState) -> None:
        """Say quietly below a line what was decided."""
        self._notes.show(hunk_id, line, note_of(state, self._keys.undo), self._looks)

    def take_back_note(self, hunk_id: int) -> None:
        """The decision was undone."""
        self._notes.take_back(hunk_id)

    def is_in_view(self, placed: PlacedHunk) -> bool:
        """Whether a hunk's first row is on screen."""
        row = self._editor.visibleFromDocLine(placed.line) - self._editor.firstVisibleLine()
        return 0 <= row < self._editor.linesOnScreen()

    def reveal(self, placed: PlacedHunk) -> None:
        """Scroll as little as shows a hunk, and open folds over it."""
        editor = self._editor
        for line in range(placed.line, min(placed.end, placed.line + 200)):
            editor.ensureVisible(line)
        rows = editor.linesOnScreen()
        first = editor.visibleFromDocLine(placed.line)
        last = editor.visibleFromDocLine(placed.anchor) + editor.row_count(placed.anchor) + self._rows.row_count(placed)
        top = editor.firstVisibleLine()
        if first < top + 1 or last > top + rows - 1:
            middle = (rows - (last - first)) // 2
            editor.setFirstVisibleLine(max(first - max(middle, 3), 0))

    def close(self, region: TextRange) -> None:
        """Take everything away."""
        self._is_busy = True
        first = self._editor.lineFromPosition(self._editor.to_byte(region.start))
        last = self._editor.lineFromPosition(self._editor.to_byte(region.end))
        self._marks.forget(first, last)
        self._rows.clear()
        self._notes.clear()
        self._notes.deleteLater()
        self._widgets.close()
        self._syntax.dispose()
        self._registry.flush()
        self._editor.set_scroll_marks(self._owner, ())
        self._editor.gutter.stress(self._owner, range(0))
        self._editor.refresh_current_line()

    def _words_of(self, line: int) -> Spans:
        placed = self.layout.hunk_at(line)
        if placed is None or not placed.line <= line < placed.end or placed.needs_review:
            return ()
        return emphasis(placed.hunk).old(line - placed.line)

    def _needs_bar_row(self, placed: PlacedHunk) -> bool:
        lines = placed.hunk.old_lines or placed.hunk.new_lines
        return self._widgets.needs_bar_row(placed, lines[0])
