"""The field for a model's id: typed, or chosen from the list that the server gives when the field is opened."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox

from redraft.qt.settings.fields import code_font, draw_caret
from redraft.qt.theme import Theme

INNER = "QLineEdit { border: none; background: transparent; padding: 0; min-height: 0; }"


class ModelField(QComboBox):
    """Reports `list_wanted` when it is opened and no list is known yet."""

    list_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._is_listed = False
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(10)
        self.setStyleSheet(INNER)
        line = self.lineEdit()
        if line is not None:
            line.setPlaceholderText("The server chooses")
        self.set_theme(theme)

    def value(self) -> str:
        """The model's id."""
        return self.currentText().strip()

    def set_value(self, model: str) -> None:
        """Show a model's id."""
        self.setEditText(model)

    def set_models(self, models: Sequence[str]) -> None:
        """Offer the server's models; what is written stays."""
        typed = self.currentText()
        self._is_listed = True
        before = self.blockSignals(True)
        self.clear()
        self.addItems(list(models))
        self.setEditText(typed)
        self.blockSignals(before)

    def forget_list(self) -> None:
        """The server is another one: ask it when the field is opened again."""
        self._is_listed = False

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.setFont(code_font(theme))
        self.update()

    def showPopup(self) -> None:
        if not self._is_listed:
            self.list_wanted.emit()
        if self.count():
            super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        draw_caret(painter, self, self._theme)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
