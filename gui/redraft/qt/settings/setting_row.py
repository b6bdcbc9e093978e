"""One setting as a row: its name, its sentence, its field, and a way back to the default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.core.config.schema import Setting
from redraft.qt.settings.fields import ChoiceField, Field, ListField, Switch, TextField
from redraft.qt.settings.sections import title_of
from redraft.qt.settings.surfaces import Words, left_bar
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, PlainLabel
from redraft.qt.widgets.nesting import nest

FIELD_WIDTH = 252
UNITS = (
    ("Megabytes", "MB"),
    ("Seconds", "s"),
    ("Minutes", "min"),
    ("Columns", "columns"),
    ("in pixels", "px"),
    ("in percent", "%"),
    ("in characters", "characters"),
    ("tokens", "tokens"),
)


class SettingRow(QWidget):
    """Shows a value; reports `wanted` with another one, and `reset_wanted`."""

    wanted = Signal(object)
    reset_wanted = Signal()

    def __init__(self, theme: Theme, setting: Setting, choices: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__()
        self._theme = theme
        self._is_changed = False
        self.setting = setting
        self.title = PlainLabel(theme, title_of(setting), color="text.primary", weight=500)
        self.sentence = Words(theme, setting.sentence.replace("`", ""))
        self.fault = Words(theme, color="state.error")
        self.fault.hide()
        self.reset = IconButton(theme, "reset", f"Reset {title_of(setting)} to {default_words(setting)}")
        self.field = make_field(theme, setting, choices)
        self.field.setAccessibleName(title_of(setting))
        self.field.setAccessibleDescription(setting.sentence)
        self.field.committed.connect(self._on_committed)
        self.reset.clicked.connect(lambda _=False: self.reset_wanted.emit())
        self._lay_out()

    @property
    def is_changed(self) -> bool:
        """Whether it shows a value of the user's own."""
        return self._is_changed

    def show_value(self, value: Any, *, changed: bool) -> None:
        """Show the value in force, and whether it is the user's own."""
        self.field.set_value(spoken(value) if isinstance(self.field, TextField) else value)
        self._is_changed = changed
        self.reset.setVisible(changed)
        self.setAccessibleDescription("Changed" if changed else "")
        self.show_fault("")
        self.update()

    def show_fault(self, sentence: str) -> None:
        """Say under the field why what is written cannot be taken; nothing where it can."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        self.field.set_invalid(bool(sentence))

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_changed:
            painter = QPainter(self)
            left_bar(painter, self, self._theme)
            painter.end()

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.title)
        words.addWidget(self.sentence)
        words.addWidget(self.fault)
        head = QHBoxLayout()
        head.setSpacing(12)
        nest(head, words, 1)
        self.reset.setVisible(False)
        head.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignVCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(15, 10, 14, 10)
        layout.setSpacing(8)
        nest(layout, head)
        if isinstance(self.field, ListField):
            layout.addWidget(self.field)
            return
        if not isinstance(self.field, Switch):
            self.field.setFixedWidth(FIELD_WIDTH)
        head.addWidget(self.field, 0, Qt.AlignmentFlag.AlignVCenter)

    def _on_committed(self) -> None:
        try:
            self.wanted.emit(self.setting.check(parsed(self.setting, self.field.value())))
        except ValueError:
            self.show_fault(f"This must be {self.setting.wanted}.")


def make_field(theme: Theme, setting: Setting, choices: Sequence[tuple[str, str]] = ()) -> Field:
    """The field for a setting's type; `choices` turn a text into a choice, as value and label."""
    if choices or setting.type == "choice":
        return ChoiceField(theme, choices or [(choice, label_of(choice)) for choice in setting.choices])
    if setting.type == "bool":
        return Switch(theme)
    if setting.type == "list":
        return ListField(theme)
    is_number = setting.type in {"int", "float"}
    return TextField(theme, note=unit_of(setting) if is_number else "", code=not is_number)


def parsed(setting: Setting, value: Any) -> Any:
    """What was typed, in the setting's type.

    Raises:
        ValueError: It is no number.
    """
    if setting.type not in {"int", "float"} or not isinstance(value, str):
        return value
    bare = "".join(value.split()).replace("−", "-")
    return int(bare) if setting.type == "int" else float(bare.replace(",", "."))


def spoken(value: Any) -> str:
    """A value as it stands in a field: long whole numbers in groups of three."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}".replace(",", " ")


def unit_of(setting: Setting) -> str:
    """The unit of a number, from its sentence."""
    return next((unit for words, unit in UNITS if words in setting.sentence), "")


def label_of(choice: str) -> str:
    """A choice as people read it: `"on_focus_change"` is "On focus change"."""
    return choice.upper() if choice in {"lf", "crlf"} else choice.replace("_", " ").capitalize()


def default_words(setting: Setting) -> str:
    """The default in words."""
    default = setting.default
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, tuple):
        return "the list that comes with Redraft" if default else "an empty list"
    return label_of(default) if setting.type == "choice" else (spoken(default) or "nothing")
