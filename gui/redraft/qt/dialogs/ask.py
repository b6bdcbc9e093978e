"""A small dialog: one question, one sentence about it, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton
from redraft.qt.widgets.nesting import nest

WIDTH = 420


@dataclass(frozen=True, slots=True)
class Choice:
    """A button; Enter presses the default one."""

    id: str
    label: str
    is_default: bool = False


class AskDialog(QDialog):
    """Shows the question; `answer` is the choice made, `"cancel"` when it was closed."""

    def __init__(
        self, parent: QWidget | None, theme: Theme, question: str, detail: str, choices: Sequence[Choice]
    ) -> None:
        super().__init__(parent)
        self.answer = "cancel"
        self.buttons: dict[str, KeyButton] = {}
        self._default: KeyButton | None = None
        self.setWindowTitle("Redraft")
        self.setModal(True)
        self.setFixedWidth(WIDTH)
        layout = QVBoxLayout(self)
        inset = theme.space("xl")
        layout.setContentsMargins(inset, inset, inset, theme.space("l"))
        layout.setSpacing(theme.space("s"))
        layout.addWidget(_label(question, theme, "title", "text.primary"))
        layout.addWidget(_label(detail, theme, "body", "text.secondary"))
        layout.addSpacing(theme.space("m"))
        row = QHBoxLayout()
        row.setSpacing(theme.space("s"))
        row.addStretch(1)
        for choice in choices:
            row.addWidget(self._make_button(theme, choice))
        nest(layout, row)
        self.setAccessibleName(question)
        self.setAccessibleDescription(detail)

    def _make_button(self, theme: Theme, choice: Choice) -> KeyButton:
        style = ActionStyle.PRIMARY if choice.is_default else ActionStyle.DEFAULT
        button = KeyButton(theme, choice.label, style=style, large=True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(lambda: self._choose(choice.id))
        self.buttons[choice.id] = button
        if choice.is_default:
            self._default = button
        return button

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._default is not None:
            self._default.setFocus(Qt.FocusReason.TabFocusReason)

    def _choose(self, answer: str) -> None:
        self.answer = answer
        self.accept()


def _label(text: str, theme: Theme, font: str, color: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setFont(theme.font(font))
    label.setStyleSheet(f"color: {theme.hex(color)}")
    return label


def ask(parent: QWidget | None, theme: Theme, question: str, detail: str, choices: Sequence[Choice]) -> str:
    """Ask and wait; return the id of the choice, `"cancel"` when the dialog was closed."""
    dialog = AskDialog(parent, theme, question, detail, choices)
    dialog.exec()
    dialog.deleteLater()
    return dialog.answer
