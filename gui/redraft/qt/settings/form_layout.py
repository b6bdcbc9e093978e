"""Rows of a form: a label in its column, fields beside it, and under them the sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.qt.settings.surfaces import Words
from redraft.qt.theme import Theme
from redraft.qt.widgets import PlainLabel
from redraft.qt.widgets.nesting import nest

LABEL = 116
GAP = 14


@dataclass(frozen=True, slots=True)
class Labelled:
    """A field with its label; the first one of a row has it in the column, the others directly before them."""

    label: str
    field: QWidget
    width: int = 0


class FormRow(QWidget):
    """One row; every field is named for screen readers by its label."""

    def __init__(self, theme: Theme, fields: Sequence[Labelled], *, tail: QWidget | None = None) -> None:
        super().__init__()
        self.fault = Words(theme, color="state.error")
        self.fault.hide()
        line = QHBoxLayout()
        line.setSpacing(10)
        for place, entry in enumerate(fields):
            self._add(theme, line, entry, is_first=place == 0)
        if tail is not None:
            line.addWidget(tail)
        below = QHBoxLayout()
        below.setContentsMargins(LABEL + GAP, 0, 0, 0)
        below.addWidget(self.fault)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        nest(layout, line)
        nest(layout, below)

    def show_fault(self, sentence: str) -> None:
        """Say what is wrong; nothing where nothing is."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))

    def _add(self, theme: Theme, line: QHBoxLayout, entry: Labelled, *, is_first: bool) -> None:
        label = PlainLabel(theme, entry.label)
        if is_first:
            label.setFixedWidth(LABEL)
            line.addWidget(label)
            line.addSpacing(GAP - line.spacing())
        else:
            line.addSpacing(6)
            if entry.width:
                line.addStretch(1)
            line.addWidget(label, 0, Qt.AlignmentFlag.AlignVCenter)
        if not entry.field.accessibleName():
            entry.field.setAccessibleName(entry.label)
        if entry.width:
            entry.field.setFixedWidth(entry.width)
        line.addWidget(entry.field, 0 if entry.width else 1, Qt.AlignmentFlag.AlignVCenter)
