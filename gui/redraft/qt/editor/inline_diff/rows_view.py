"""The proposed lines of one overlay, as rows in the annotation registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.core.diff.emphasis import emphasis
from redraft.core.diff.hunks import Hunk
from redraft.core.text import line_end
from redraft.qt.editor.annotation_rows import BLANK, StyledRow
from redraft.qt.editor.annotations import AnnotationRegistry, RowOrder
from redraft.qt.editor.inline_diff.layout import Layout, PlacedHunk
from redraft.qt.editor.inline_diff.looks import Tint
from redraft.qt.editor.inline_diff.rows import LazyRows, ProposedLine, RowMaker
from redraft.qt.editor.inline_diff.syntax import ProposalSyntax


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown for one hunk, to tell whether it must be written again."""

    anchor: int
    order: RowOrder
    hunk: Hunk
    bar_line: int | None
    """The line below which a row of their own holds the hunk's buttons."""


class ProposedRows:
    """Keeps the registry's rows equal to a layout; only what changed is touched."""

    def __init__(self, registry: AnnotationRegistry, owner: str, maker: RowMaker) -> None:
        self._registry = registry
        self._owner = owner
        self._maker = maker
        self._shown: dict[int, Shown] = {}
        self._placed: dict[int, PlacedHunk] = {}
        self._partial: tuple[int, str] | None = None

    def set_maker(self, maker: RowMaker) -> None:
        """Make all rows anew in another way."""
        self.clear()
        self._maker = maker

    def clear(self) -> None:
        """Take all rows away."""
        self._registry.clear(self._owner)
        for hunk_id in self._shown:
            self._registry.clear(self._name(hunk_id))
        self._shown.clear()
        self._placed.clear()
        self._partial = None

    def show(self, layout: Layout, syntax: ProposalSyntax, needs_bar_row: Callable[[PlacedHunk], bool]) -> None:
        """Show the new lines of all hunks."""
        gone = self._shown.keys() - {placed.id for placed in layout.hunks}
        for hunk_id in gone:
            self._remove(hunk_id, None)
        fresh: list[tuple[PlacedHunk, Shown]] = []
        for placed in layout.hunks:
            # Most hunks are as they were in the last frame: they cost one comparison.
            if self._placed.get(placed.id) == placed:
                continue
            bar_line = placed.line - 1 if placed.line > 0 and needs_bar_row(placed) else None
            shown = Shown(placed.anchor, order_of(placed), placed.hunk, bar_line)
            if self._shown.get(placed.id) != shown:
                self._remove(placed.id, shown)
                fresh.append((placed, shown))
            self._placed[placed.id] = placed
        for placed, shown in fresh:
            self._show_hunk(placed, shown, syntax)
            self._shown[placed.id] = shown
        self._show_partial(layout, syntax)

    def row_count(self, placed: PlacedHunk) -> int:
        """Rows of a hunk's new lines."""
        if not self._maker.size.columns:
            return len(placed.hunk.new_lines)
        return sum(self._maker.row_count(line) for line in placed.hunk.new_lines)

    def rows_above(self, placed: PlacedHunk) -> int:
        """Rows of others between a hunk's line and its own."""
        return self._registry.rows_above(self._name(placed.id), placed.anchor, order_of(placed))

    def _name(self, hunk_id: int) -> str:
        """Each hunk's rows are its own: after edits two insertions may stand at one line. Sorted as they were made."""
        return f"{self._owner}-{hunk_id:06}"

    def has_bar_row(self, placed: PlacedHunk) -> bool:
        """Whether the hunk's buttons stand in a row of their own above it."""
        shown = self._shown.get(placed.id)
        return shown is not None and shown.bar_line is not None

    def _remove(self, hunk_id: int, new: Shown | None) -> None:
        """Take a hunk's rows away, but for those that are about to be replaced."""
        self._placed.pop(hunk_id, None)
        shown = self._shown.pop(hunk_id, None)
        if shown is None:
            return
        if new is None or (new.anchor, new.order) != (shown.anchor, shown.order):
            self._registry.set_rows(self._name(hunk_id), shown.anchor, (), shown.order)
        if shown.bar_line is not None and (new is None or new.bar_line != shown.bar_line):
            self._registry.set_rows(self._name(hunk_id), shown.bar_line, (), RowOrder.BAR)

    def _show_hunk(self, placed: PlacedHunk, shown: Shown, syntax: ProposalSyntax) -> None:
        lines = placed.hunk.new_lines
        counts: Sequence[int] | int = len(lines)
        if self._maker.size.columns:
            counts = [self._maker.row_count(line) for line in lines]

        def make(index: int) -> tuple[StyledRow, ...]:
            inks = syntax.inks(placed.new_start + index, lines[index])
            words = emphasis(placed.hunk).new(index)
            return self._maker.rows(ProposedLine(lines[index], inks, words, note=end_note(placed.hunk, index)))

        self._registry.set_rows(self._name(placed.id), shown.anchor, LazyRows(counts, make), shown.order)
        if shown.bar_line is not None:
            self._registry.set_rows(self._name(placed.id), shown.bar_line, (BLANK,), RowOrder.BAR)

    def _show_partial(self, layout: Layout, syntax: ProposalSyntax) -> None:
        wanted = None
        if layout.frontier is not None and layout.frontier > 0:
            wanted = (layout.frontier - 1, layout.partial)
        if wanted == self._partial:
            return
        if self._partial is not None and (wanted is None or wanted[0] != self._partial[0]):
            self._registry.set_rows(self._owner, self._partial[0], (), RowOrder.FRONTIER)
        self._partial = wanted
        if wanted is not None:
            inks = syntax.partial_inks(wanted[1])
            rows = self._maker.rows(ProposedLine(wanted[1], inks, tint=Tint.FRONTIER))
            self._registry.set_rows(self._owner, wanted[0], rows, RowOrder.FRONTIER)


def order_of(placed: PlacedHunk) -> RowOrder:
    """Where among the rows of a line a hunk's stand."""
    return RowOrder.INSERTED if placed.stands_before else RowOrder.PROPOSED


NO_END: Final = "no newline at the end"
NEW_END: Final = "newline added at the end"


def end_note(hunk: Hunk, index: int) -> str:
    """What is said about the end of a text where only that is changed."""
    if index != len(hunk.new_lines) - 1 or not hunk.old_lines:
        return ""
    old, new = line_end(hunk.old_lines[-1]), line_end(hunk.new_lines[-1])
    if bool(old) == bool(new):
        return ""
    return NEW_END if new else NO_END
