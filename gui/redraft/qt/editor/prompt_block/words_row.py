"""The first part of the block: the words (a field, or plain text), a note and the main button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import PromptModel
from redraft.qt.editor.prompt_block.actions import ActionButtons
from redraft.qt.editor.prompt_block.words_field import WordsField
from redraft.qt.editor.prompt_block.wrapped_text import WrappedText
from redraft.qt.theme import Theme
from redraft.qt.widgets import PlainLabel

GAP: Final = 12
ROW: Final = 20
OVERHANG: Final = 2
"""The button is higher than a row of text by this much above and below."""


class WordsRow(QWidget):
    """Shows the words of a `PromptModel`; what is typed is never overwritten by an echo of itself."""

    def __init__(self, theme: Theme, on_action: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = ""
        self.was_typed = False
        self.field = WordsField(theme, parent=self)
        self._text = WrappedText(theme, max_rows=theme.size("prompt_max_text_rows"), parent=self)
        self._note = PlainLabel(theme, font="small", color="text.muted", parent=self)
        self._main = ActionButtons(theme, self, on_action)
        self.field.typed.connect(self._on_typed)

    def set_model(self, model: PromptModel) -> None:
        """Show other words, note and button."""
        self.field.setVisible(model.editable)
        self._text.setVisible(not model.editable)
        self.field.set_hint(model.placeholder or "Instruction")
        self.field.set_completes(bool(model.rows))
        if model.editable and model.words != self._shown and model.words != self.field.words():
            self.field.set_words(model.words)
            self.was_typed = False
        self._shown = model.words
        is_reviewed = model.refine is not None
        font, color = ("body", "text.secondary") if is_reviewed else ("prompt", "text.primary")
        self._text.set_text(model.words, font=font, color=color)
        self._note.set_text(model.note)
        self._note.setVisible(bool(model.note))
        self._main.set_actions((model.main,) if model.main else ())
        self._place()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for part in (self.field, self._text, self._note, self._main):
            part.set_theme(theme)

    def stops(self) -> list[QWidget]:
        """Its parts in the order of the Tab key."""
        return [self.field, *self._main.buttons]

    def height_for(self, width: int) -> int:
        """How high it is at a width, in px."""
        inner = self._text_width(width)
        if self.field.isVisibleTo(self):
            return self.field.height_for(inner, self._theme.size("prompt_max_text_rows"))
        return self._text.height_for(inner)

    def _text_width(self, width: int) -> int:
        for button in self._main.buttons:
            width -= button.sizeHint().width() + GAP
        if self._note.isVisibleTo(self):
            width -= self._note.sizeHint().width() + GAP
        return max(width, 40)

    def _place(self) -> None:
        right = self._main.place(self.width(), ROW // 2 + OVERHANG)
        if self._note.isVisibleTo(self):
            width = self._note.sizeHint().width()
            note_right = right - (GAP if self._main.buttons else 0)
            self._note.setGeometry(note_right - width, OVERHANG, width, ROW)
        inner = self._text_width(self.width())
        height = self.height_for(self.width())
        for part in (self.field, self._text):
            part.setGeometry(0, OVERHANG, inner, height)

    def _on_typed(self) -> None:
        self.was_typed = True
        self._shown = self.field.words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
