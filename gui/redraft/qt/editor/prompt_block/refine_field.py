"""The field for a follow-up below a result, with the model chip at its right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import Chip, PromptModel
from redraft.qt.editor.prompt_block.chips_row import MODEL
from redraft.qt.editor.prompt_block.words_field import WordsField
from redraft.qt.theme import Theme
from redraft.qt.widgets import ChipWidget
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

PADDING: Final = 11
AIR: Final = 7


class RefineField(QWidget):
    """A field of one to eight rows in a box."""

    def __init__(self, theme: Theme, on_action: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.field = WordsField(theme, font="body", parent=self)
        self._model = ChipWidget(theme, Chip(MODEL, ""), opens_menu=True, parent=self)
        self._model.clicked.connect(lambda: on_action(MODEL))
        self.field.focus_changed.connect(self.update)

    def set_model(self, model: PromptModel) -> None:
        """Show another placeholder and model chip; an appearing field is empty."""
        if model.refine is None:
            if self.field.words():
                self.field.set_words("")
        else:
            self.field.set_hint(model.refine)
        self._model.setVisible(model.model is not None)
        if model.model is not None:
            self._model.set_chip(model.model)
        self._place()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.field.set_theme(theme)
        self._model.set_theme(theme)
        self.update()

    def stops(self) -> list[QWidget]:
        """Its parts in the order of the Tab key."""
        return [self.field, self._model]

    def height_for(self, width: int) -> int:
        """How high it is at a width, in px."""
        text = self.field.height_for(self._text_width(width), self._theme.size("prompt_max_text_rows"))
        return text + 2 * AIR

    def sizeHint(self) -> QSize:
        return QSize(200, self.height_for(200))

    def _text_width(self, width: int) -> int:
        taken = 2 * PADDING
        if self._model.isVisibleTo(self):
            taken += self._model.sizeHint().width()
        return max(width - taken, 40)

    def _place(self) -> None:
        size = self._model.sizeHint()
        self._model.setGeometry(self.width() - size.width() - AIR + 1, AIR - 1, size.width(), size.height())
        self.field.setGeometry(PADDING, AIR, self._text_width(self.width()), max(self.height() - 2 * AIR, 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._theme
        radius = theme.radius("medium")
        draw_box(painter, self.rect(), radius, fill=theme.color("surface.0"), edge=theme.color("border.strong"))
        if self.field.hasFocus():
            draw_focus_ring(painter, self.rect(), radius, theme)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.field.setFocus()
