"""The prompt block: draws a `PromptModel`, always in the same three parts (words, state, footer)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from redraft.api.prompt_block import (
    ActionTriggered,
    ChipRemoved,
    Escaped,
    PromptEvent,
    PromptModel,
    RowChosen,
    RowCompleted,
    RowMoved,
    Submitted,
    WordsChanged,
)
from redraft.qt.editor.prompt_block.chips_row import ChipsRow
from redraft.qt.editor.prompt_block.footer import Footer
from redraft.qt.editor.prompt_block.palette_list import PaletteList
from redraft.qt.editor.prompt_block.refine_field import RefineField
from redraft.qt.editor.prompt_block.state_strip import StripWidget
from redraft.qt.editor.prompt_block.words_field import ENTER, WordsField
from redraft.qt.editor.prompt_block.words_row import OVERHANG, WordsRow
from redraft.qt.editor.prompt_block.wrapped_text import WrappedText
from redraft.qt.theme import Theme
from redraft.qt.widgets import ProgressLine
from redraft.qt.widgets.painting import draw_box

LEFT: Final = 14
RIGHT: Final = 12
LOW_VIEW: Final = 30
"""A view of fewer rows keeps the palette short."""


class PromptBlock(QWidget):
    """One block; shows a model and reports what the user wants as `PromptEvent`s."""

    wanted = Signal(object)
    height_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._model = PromptModel()
        self._view_rows = LOW_VIEW
        self._height = 0
        self._words = WordsRow(theme, self._trigger, self)
        self._palette = PaletteList(theme, self._choose, self)
        self._chips = ChipsRow(theme, self._trigger, self._remove_chip, self)
        self._strip = StripWidget(theme, self._trigger, self)
        self._answer = WrappedText(theme, parent=self)
        self._refine = RefineField(theme, self._trigger, self)
        self._progress = ProgressLine(theme, parent=self)
        self._footer = Footer(theme, self._trigger, self)
        self._lines: list[int] = []
        for field in (self._words.field, self._refine.field):
            field.typed.connect(self._on_typed)
            field.submitted.connect(self._on_submitted)
            field.moved.connect(lambda step, at_edge: self._say(RowMoved(step, at_edge)))
            field.completed.connect(self._on_completed)
            field.escaped.connect(lambda: self._say(Escaped()))
            field.focus_changed.connect(self.update)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    @property
    def model(self) -> PromptModel:
        """What it shows."""
        return self._model

    def set_model(self, model: PromptModel) -> None:
        """Show another model."""
        had_focus = self.has_focus
        self._model = model
        self.setAccessibleName(model.name)
        self._words.set_model(model)
        self._palette.set_rows(model.rows, model.current_row, model.heading_action)
        self._refine.set_model(model)
        numbers = "" if model.chips_in_footer else model.numbers
        self._chips.set_content(model.chips, numbers, model.model if model.refine is None else None)
        if model.strip is not None:
            self._strip.set_strip(model.strip)
        self._answer.set_text(model.answer, font="body", color="text.secondary")
        self._progress.set_value(model.progress if model.strip is None else None)
        self._footer.set_model(model)
        self._show_parts()
        self._arrange()
        self._order_stops()
        # A press anywhere in the block leaves the keyboard in its field, or gives it to it.
        self.setFocusProxy(self._active_field())  # type: ignore[arg-type]  # none takes the proxy away
        if had_focus and not self.has_focus:
            self.focus_field()

    def set_view_rows(self, rows: int) -> None:
        """How many rows of text the view has."""
        if (rows < LOW_VIEW) != (self._view_rows < LOW_VIEW):
            self._view_rows = rows
            self._arrange()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        parts = (
            self._words, self._palette, self._chips, self._strip,
            self._answer, self._refine, self._progress, self._footer,
        )  # fmt: skip
        for part in parts:
            part.set_theme(theme)
        self._arrange()
        self.update()

    def wanted_height(self) -> int:
        """How high it wants to be at its width, in px."""
        return self._height

    def focus_field(self) -> None:
        """Give the field the keyboard; text that was not just typed is selected."""
        field = self._active_field()
        if field is None:
            self.setFocus()
            return
        field.setFocus()
        if field is self._words.field and not self._words.was_typed:
            field.selectAll()

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the block."""
        focused = QApplication.focusWidget()
        return focused is not None and (focused is self or self.isAncestorOf(focused))

    @property
    def holds_words(self) -> bool:
        """Whether words stand in the field that has the keyboard."""
        field = self._active_field()
        return field is not None and field.hasFocus() and bool(field.words())

    def _active_field(self) -> WordsField | None:
        if self._model.editable:
            return self._words.field
        return self._refine.field if self._model.refine is not None else None

    def _say(self, event: PromptEvent) -> None:
        self.wanted.emit(event)

    def _trigger(self, action_id: str) -> None:
        self._say(ActionTriggered(action_id))

    def _choose(self, row_id: str, action: str) -> None:
        self._say(RowChosen(row_id, action))

    def _remove_chip(self, chip_id: str) -> None:
        self._say(ChipRemoved(chip_id))

    def _on_typed(self) -> None:
        field = self._active_field()
        if field is not None:
            self._say(WordsChanged(field.words(), field.caret()))
        self._arrange()

    def _on_submitted(self) -> None:
        field = self._active_field()
        if self._model.rows and self._model.current_row:
            self._say(RowChosen(self._model.current_row))
        elif field is None or (field is self._refine.field and not field.words()):
            self._press_enter()
        else:
            self._say(Submitted(field.words()))

    def _press_enter(self) -> None:
        """Do what the button does that bears the Enter key."""
        model = self._model
        strip = model.strip.actions if model.strip is not None else ()
        actions = (*strip, *model.actions, *((model.main,) if model.main is not None else ()))
        wanted = next((action for action in actions if action.key == "Enter" and action.enabled), None)
        if wanted is not None:
            self._trigger(wanted.id)

    def _on_completed(self) -> None:
        if self._model.current_row:
            self._say(RowCompleted(self._model.current_row))

    def _show_parts(self) -> None:
        model = self._model
        self._palette.setVisible(bool(model.rows))
        self._chips.setVisible(not self._chips.is_empty)
        self._strip.setVisible(model.strip is not None)
        self._answer.setVisible(bool(model.answer))
        self._refine.setVisible(model.refine is not None)
        self._progress.setVisible(model.strip is None and model.progress is not None)
        self._footer.setVisible(not model.chips_in_footer)

    def _order_stops(self) -> None:
        """Tab goes through the block as it is read, though its parts were made at different times."""
        parts = (self._words, self._chips, self._strip, self._refine, self._footer)
        stops = [stop for part in parts for stop in part.stops()]
        for one, other in pairwise(stops):
            QWidget.setTabOrder(one, other)

    def _arrange(self) -> None:
        """Put every part in its place for this width, and say so if the height changed."""
        height = self._place_parts()
        self.update()
        if height != self._height:
            self._height = height
            self.height_changed.emit()

    def _place_parts(self) -> int:
        """Lay the parts out from the top; gives the height they take."""
        model, width = self._model, self.width()
        inner = max(width - LEFT - RIGHT, 1)
        self._lines = []
        y = 13 if model.rows or model.refine is not None else 10 if model.strip is not None else 12
        words = self._words.height_for(inner)
        self._words.setGeometry(LEFT, y - OVERHANG, inner, max(words, 20) + 2 * OVERHANG)
        y += words + (12 if model.rows else 9 if model.refine is not None else 7)
        if model.rows:
            self._lines.append(y)
            height = self._palette.height_for(is_low=self._view_rows < LOW_VIEW)
            self._palette.setGeometry(1, y + 1, width - 2, height)
            y += height + 1
        elif model.strip is not None:
            y += 3
        if self._chips.isVisibleTo(self) and not model.chips_in_footer:
            y = self._place_chips(y, inner)
        if model.strip is not None:
            self._strip.setGeometry(1, y, width - 2, self._strip.height_for(width - 2))
            y += self._strip.height()
        if model.answer:
            height = self._answer.height_for(inner)
            self._answer.setGeometry(LEFT, y + 8, inner, height)
            y += height + 18
        if model.refine is not None:
            height = self._refine.height_for(inner)
            self._refine.setGeometry(LEFT, y, inner, height)
            y += height + 11
        return self._place_footer(y, inner)

    def _place_chips(self, y: int, inner: int) -> int:
        height = self._chips.height_for(inner)
        self._chips.setGeometry(LEFT, y, inner, height)
        return y + height + 11

    def _place_footer(self, y: int, inner: int) -> int:
        self._lines.append(y)
        self._progress.setGeometry(1, y - 1, self.width() - 2, 2)
        self._progress.raise_()
        if self._model.chips_in_footer:
            height = self._chips.height_for(inner)
            self._chips.setGeometry(LEFT, y + 9, inner, height)
            return y + height + 18
        height = self._footer.height_for(self.width() - 2)
        self._footer.setGeometry(1, y + 1, self.width() - 2, height - 2)
        return y + height

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._theme
        is_typing = self._words.field.hasFocus()
        edge = theme.color("accent.bar" if is_typing else "border.default")
        radius = theme.radius("large")
        draw_box(painter, self.rect(), radius, fill=theme.color("surface.2"), edge=edge)
        for y in self._lines:
            painter.fillRect(QRect(1, y, self.width() - 2, 1), theme.color("border.soft"))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no part of the block wants end here: the text below never takes them for typing."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self._say(Escaped())
        elif event.key() in ENTER and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self._press_enter()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The pointer never falls through to the text."""
        field = self._active_field()
        if field is not None:
            field.setFocus()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Over the block the text still scrolls."""
        event.ignore()
