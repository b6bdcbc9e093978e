"""A prompt block in a code editor: keeps its place in the text, docks where it has none, grows and shrinks by rows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

from PySide6.QtCore import QEasingCurve, QObject, QPropertyAnimation, QTimer
from PySide6.QtWidgets import QGraphicsOpacityEffect

from redraft.api.editor import TextChange
from redraft.api.prompt_block import PromptClosed, PromptEvent, PromptModel
from redraft.core.text import TextRange
from redraft.qt.editor.annotation_rows import BLANK
from redraft.qt.editor.annotations import AnnotationRegistry, RowOrder
from redraft.qt.editor.changes import moved_range
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.editor_view import BLOCK_NAME
from redraft.qt.editor.inline_diff.range_strip import Band, RangeStrip
from redraft.qt.editor.numbers import Margin
from redraft.qt.editor.prompt_block.block import PromptBlock
from redraft.qt.editor.prompt_block.top_dock import TopDock

SIDE_AIR: Final = 40
"""Pixels of the view's width that the block leaves blank."""
LEAST_AIR: Final = 4
"""Blank pixels above and below the block together, at least."""
MOST_STEPS: Final = 4
"""Rows; a larger change of height is made at once."""
_numbers = count(1)


def show_prompt(
    editor: CodeEditor, anchor: TextRange, model: PromptModel, *, on_event: Callable[[PromptEvent], None]
) -> PromptBlockView:
    """Show a prompt block in an editor, directly above the first line of `anchor`."""
    return PromptBlockView(editor, AnnotationRegistry.of(editor), anchor, model, on_event)


class PromptBlockView(QObject):
    """An `api.PromptHandle` over a `CodeEditor`.

    Blank rows above the first line make room for the block; above line 0 there can be none, so there the whole
    viewport gives way by as many rows.
    """

    def __init__(
        self,
        editor: CodeEditor,
        registry: AnnotationRegistry,
        anchor: TextRange,
        model: PromptModel,
        on_event: Callable[[PromptEvent], None],
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._registry = registry
        self._on_event = on_event
        self._owner = f"prompt-{next(_numbers)}"
        self._range = anchor
        self._theme = editor.theme
        self._line = -1
        self._rows = 0
        self._is_placing = False
        self._is_closed = False
        self.block = PromptBlock(editor.theme, editor.viewport())
        self.block.setObjectName(BLOCK_NAME)
        self.block.hide()
        self._dock = TopDock(editor)
        self._strip = RangeStrip(editor.theme, editor.viewport())
        self._settle = QTimer(self)
        self._settle.timeout.connect(self._on_settle)
        self.block.wanted.connect(self._on_wanted)
        self.block.height_changed.connect(self._on_height_changed)
        editor.text_changed.connect(self._on_text_changed)
        editor.view_changed.connect(self._place)
        self._resize_block()
        self.block.set_model(model)
        self._set_rows(self._wanted_rows())
        self._reveal()
        self._fade_in()

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the block."""
        return not self._is_closed and self.block.has_focus

    def update(self, model: PromptModel) -> None:
        """Show another model."""
        if not self._is_closed:
            self.block.set_model(model)

    def focus(self) -> None:
        """Give the field the keyboard."""
        if not self._is_closed:
            self._reveal()
            self.block.focus_field()

    def dispose(self) -> None:
        """Take the block away; the text moves back in one paint."""
        if self._is_closed:
            return
        self._is_closed = True
        had_focus = self.block.has_focus
        self._settle.stop()
        editor = self._editor
        editor.text_changed.disconnect(self._on_text_changed)
        editor.view_changed.disconnect(self._place)
        self._set_dock(0)
        self._registry.clear(self._owner)
        self._registry.flush()
        editor.gutter.stress(self._owner, range(0))
        for widget in (self.block, self._strip):
            widget.hide()
            widget.deleteLater()
        if had_focus:
            editor.focus_text()
        self._dock.deleteLater()
        self.deleteLater()

    def close(self) -> None:
        """Take the block away and say so: its tab is closed."""
        if not self._is_closed:
            self.dispose()
            self._on_event(PromptClosed())

    def _on_wanted(self, event: PromptEvent) -> None:
        if not self._is_closed:
            self._on_event(event)

    @property
    def _first_line(self) -> int:
        return self._editor.lineFromPosition(self._editor.to_byte(self._range.start))

    @property
    def _last_line(self) -> int:
        editor, span = self._editor, self._range
        end = editor.to_byte(span.end)
        line = editor.lineFromPosition(end)
        return line - 1 if line > self._first_line and editor.positionFromLine(line) == end else line

    def _wanted_rows(self) -> int:
        return -(-(self.block.wanted_height() + LEAST_AIR) // self._editor.row_height())

    def _on_height_changed(self) -> None:
        """Grow or shrink by whole rows, one after the other where there are few."""
        wanted = self._wanted_rows()
        steps = abs(wanted - self._rows)
        settle = self._editor.theme.motion("settle")
        if not self._rows or steps == 0 or steps > MOST_STEPS or not settle:
            self._settle.stop()
            self._set_rows(wanted)
        else:
            self._settle.start(max(settle // steps, 1))
            self._on_settle()

    def _on_settle(self) -> None:
        wanted = self._wanted_rows()
        step = (wanted > self._rows) - (wanted < self._rows)
        if self._rows + step == wanted:
            self._settle.stop()
        self._set_rows(self._rows + step)

    def _set_rows(self, rows: int) -> None:
        """Make room of so many rows above the first line."""
        line = self._first_line
        if (rows, line) == (self._rows, self._line) and self._has_its_rows():
            self._place()
            return
        self._rows = rows
        if self._line > 0:
            self._registry.clear(self._owner)
        self._line = line
        self._set_dock(0 if line else rows)
        if line:
            self._registry.set_rows(self._owner, line - 1, (BLANK,) * rows, RowOrder.PROMPT)
        self._is_placing = True
        self._registry.flush()
        self._is_placing = False
        self._place()

    def _has_its_rows(self) -> bool:
        return self._line == 0 or self._registry.lines_of(self._owner) == [self._line - 1]

    def _set_dock(self, rows: int) -> None:
        """Let the text begin so many rows lower, for a block that has no line above it."""
        self._dock.set_height(rows * self._editor.row_height())
        home = self._editor if rows else self._editor.viewport()
        if self.block.parentWidget() is not home and not self._is_closed:
            self.block.setParent(home)

    def _resize_block(self) -> None:
        editor = self._editor
        wanted = min(editor.theme.size("prompt_max_width"), editor.viewport().width() - SIDE_AIR)
        room = editor.viewport().width() - editor.text_left() - 8
        self.block.resize(max(min(wanted, room), 240), self.block.height())
        rows = (editor.viewport().height() + self._dock.height) // max(editor.row_height(), 1)
        self.block.set_view_rows(rows)

    def _place(self) -> None:
        """Put the block over its rows, or at the edge of the view they have left it by."""
        if self._is_placing or self._is_closed:
            return
        self._is_placing = True
        if self._theme is not self._editor.theme:
            self._theme = self._editor.theme
            self.block.set_theme(self._theme)
            self._strip.set_theme(self._theme)
        self._resize_block()
        editor, height = self._editor, self.block.wanted_height()
        room = self._rows * editor.row_height()
        if self._line:
            y = self._rows_y() + (room - height) // 2
            edge = editor.viewport().height() - height - LEAST_AIR // 2
            y = max(min(y, edge), LEAST_AIR // 2)
        else:
            y = (room - height) // 2
        self.block.setGeometry(editor.text_left(), y, self.block.width(), height)
        self.block.show()
        self.block.raise_()
        self._place_strip()
        self._is_placing = False

    def _rows_y(self) -> int:
        """Where the block's own rows begin in the viewport; far above it where they are folded away."""
        editor, line = self._editor, self._line - 1
        if not editor.lineVisible(line):
            return editor.line_y(self._line) - self._rows * editor.row_height()
        above = self._registry.rows_above(self._owner, line, RowOrder.PROMPT)
        return editor.line_y(line) + (editor.row_count(line) + above) * editor.row_height()

    def _place_strip(self) -> None:
        """The bar over exactly the lines that are meant."""
        editor = self._editor
        first, last = self._first_line, self._last_line
        editor.gutter.stress(self._owner, range(first, last + 1))
        visible = [line for line in editor.visible_lines() if first <= line <= last]
        bands: list[Band] = []
        if visible and not self._range.is_empty:
            y = editor.line_y(visible[0])
            end = editor.line_y(visible[-1]) + editor.row_count(visible[-1]) * editor.row_height()
            bands.append(Band(y, end - y, "accent.bar"))
        left = sum(editor.marginWidthN(margin) for margin in (Margin.SYMBOLS, Margin.NUMBERS))
        self._strip.show_bands(bands, left, editor.row_height())
        self._strip.lower()

    def _reveal(self) -> None:
        """Scroll as little as shows the block and its range; of a long range, as much as the block leaves room for."""
        editor = self._editor
        if not self._line:
            return
        editor.ensureVisible(self._line)
        editor.ensureVisible(self._line - 1)
        top, shown = editor.firstVisibleLine(), editor.linesOnScreen()
        first = editor.visibleFromDocLine(self._line) - self._rows
        last = self._last_line
        end = editor.visibleFromDocLine(last) + editor.row_count(last) + 1
        if first < top:
            editor.setFirstVisibleLine(first)
        elif end > top + shown:
            editor.setFirstVisibleLine(min(first, end - shown))
        self._place()

    def _fade_in(self) -> None:
        """Opening is by opacity alone; the effect goes as soon as it is done."""
        duration = self._editor.theme.motion("normal")
        if not duration:
            return
        effect = QGraphicsOpacityEffect(self.block)
        self.block.setGraphicsEffect(effect)
        fade = QPropertyAnimation(effect, b"opacity", self.block)
        fade.setDuration(duration)
        fade.setStartValue(0.0)
        fade.setEndValue(1.0)
        fade.setEasingCurve(QEasingCurve.Type.OutCubic)
        fade.finished.connect(self._on_faded)
        fade.start(QPropertyAnimation.DeletionPolicy.DeleteWhenStopped)

    def _on_faded(self) -> None:
        if not self._is_closed:
            self.block.setGraphicsEffect(None)  # type: ignore[arg-type]  # null takes the effect away

    def _on_text_changed(self, change: TextChange) -> None:
        self._range = followed(self._range, change)
        self._set_rows(self._rows)


def followed(anchor: TextRange, change: TextChange) -> TextRange:
    """Where the lines a block is about are after a change.

    What is put in at their very beginning belongs to them: accepting the first hunk must not move the block below it.
    """
    if change.start == anchor.start and len(change.removed) <= len(anchor):
        return TextRange(anchor.start, anchor.end + len(change.added) - len(change.removed))
    return moved_range(anchor, change)[0]
