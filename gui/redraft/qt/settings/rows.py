"""A row of a card that says two lines and carries what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.qt.icons import draw_glyph
from redraft.qt.settings.surfaces import Words
from redraft.qt.theme import Theme
from redraft.qt.widgets import PlainLabel
from redraft.qt.widgets.nesting import nest


class ActionRow(QWidget):
    """An icon, a name and a sentence at the left; what `add` is given at the right."""

    def __init__(self, theme: Theme, name: str, sentence: str = "", *, icon: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self.name = PlainLabel(theme, name, color="text.primary", weight=500)
        self.sentence = Words(theme, sentence)
        self.sentence.setVisible(bool(sentence))
        self.fault = Words(theme, color="state.error")
        self.fault.hide()
        self.setAccessibleName(name)
        words = QVBoxLayout()
        words.setSpacing(0)
        for part in (self.name, self.sentence, self.fault):
            words.addWidget(part)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(47 if icon else 15, 8, 14, 8)
        self._layout.setSpacing(theme.space("s"))
        nest(self._layout, words, 1)

    def add(self, widget: QWidget) -> None:
        """Add something at the right."""
        self._layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_sentence(self, sentence: str) -> None:
        """Say something else."""
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))

    def show_fault(self, sentence: str) -> None:
        """Say what went wrong; nothing where nothing did."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._icon:
            painter = QPainter(self)
            painter.setPen(self._theme.color("text.secondary"))
            box = QRect(15, (self.height() - 18) // 2, 18, 18)
            draw_glyph(painter, box, self._theme.icon_char(self._icon))
            painter.end()
