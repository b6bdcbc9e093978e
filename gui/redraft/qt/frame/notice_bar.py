"""A bar above the text that says one thing about the file and offers what to do."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle, Tone
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton, PlainLabel

HEIGHT = 36
GROUNDS = {
    Tone.PLAIN: ("surface.2", "text.muted", "info"),
    Tone.ACCENT: ("accent.tint", "accent.text", "info"),
    Tone.OK: ("state.ok_tint", "state.ok", "ok"),
    Tone.WARN: ("state.warn_tint", "state.warn", "problem"),
    Tone.ERROR: ("state.error_tint", "state.error", "error"),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence, and the actions it offers as (id, label); the last is the one advised."""

    text: str
    tone: Tone = Tone.PLAIN
    actions: tuple[tuple[str, str], ...] = ()


class NoticeBar(QWidget):
    """Shows a notice, or is hidden."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._notice: Notice | None = None
        self._buttons: list[KeyButton] = []
        self._label = PlainLabel(theme, font="small", color="text.primary")
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(40, 0, 12, 0)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._label, 1)
        self.setFixedHeight(HEIGHT)
        self.hide()

    @property
    def notice(self) -> Notice | None:
        """What is shown."""
        return self._notice

    @property
    def buttons(self) -> list[KeyButton]:
        """The actions as buttons."""
        return self._buttons

    def set_notice(self, notice: Notice | None) -> None:
        """Show a notice, or nothing."""
        self._notice = notice
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        if notice is not None:
            self._label.set_text(notice.text)
            self.setAccessibleName(notice.text)
            for number, (action, label) in enumerate(notice.actions):
                is_last = number == len(notice.actions) - 1
                style = ActionStyle.DEFAULT if is_last else ActionStyle.FLAT
                button = KeyButton(self._theme, label, style=style)
                button.clicked.connect(lambda _=False, chosen=action: self.chosen.emit(chosen))
                self._layout.addWidget(button)
                self._buttons.append(button)
        self.setVisible(notice is not None)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._label.set_theme(theme)
        for button in self._buttons:
            button.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        ground, color, icon = GROUNDS[self._notice.tone if self._notice else Tone.PLAIN]
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(ground))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self._theme.color("border.soft"))
        painter.setPen(self._theme.color(color))
        draw_glyph(painter, QRect(16, (self.height() - 16) // 2, 16, 16), self._theme.icon_char(icon))
        painter.end()
