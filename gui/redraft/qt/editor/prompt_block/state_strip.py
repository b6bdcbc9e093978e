"""The strip across the block that says in one sentence what goes on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import StateStrip, Tone
from redraft.qt.editor.prompt_block.actions import ActionButtons
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import Ring

HEIGHT = 36
LEFT = 14
RIGHT = 12
ICON = 16
GAP = 8
TINTS = {
    Tone.ACCENT: "accent.tint",
    Tone.OK: "state.ok_tint",
    Tone.WARN: "state.warn_tint",
    Tone.ERROR: "state.error_tint",
}
ICONS = {
    Tone.PLAIN: "text.secondary",
    Tone.ACCENT: "accent.text",
    Tone.OK: "state.ok",
    Tone.WARN: "state.warn",
    Tone.ERROR: "state.error",
}


class StripWidget(QWidget):
    """Shows a `StateStrip`: icon or ring, the sentence, actions at the right."""

    def __init__(self, theme: Theme, on_action: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._strip = StateStrip("")
        self._ring = Ring(theme, size=ICON, parent=self)
        self._actions = ActionButtons(theme, self, on_action)

    def set_strip(self, strip: StateStrip) -> None:
        """Say another sentence."""
        self._strip = strip
        self._ring.setVisible(strip.busy and not strip.icon)
        self._actions.set_actions(strip.actions)
        self.setAccessibleName(f"{strip.text} {strip.detail}".strip())
        self._place()
        self.update()

    def stops(self) -> list[QWidget]:
        """Its parts in the order of the Tab key."""
        return list(self._actions.buttons)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._ring.set_theme(theme)
        self._actions.set_theme(theme)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self._ring.setGeometry(LEFT, (HEIGHT - ICON) // 2, ICON, ICON)
        self._text_right = self._actions.place(self.width() - RIGHT, HEIGHT // 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, strip = self._theme, self._strip
        tint = TINTS.get(strip.tone)
        if tint:
            painter.fillRect(self.rect(), theme.color(tint))
        x = LEFT
        if strip.icon:
            painter.setPen(theme.color(ICONS[strip.tone]))
            draw_glyph(painter, QRect(x, (HEIGHT - ICON) // 2, ICON, ICON), theme.icon_char(strip.icon))
        if strip.icon or strip.busy:
            x += ICON + GAP
        right = self._text_right - GAP if self._actions.buttons else self.width() - RIGHT
        weight = 500 if strip.detail else 400
        x = self._draw(painter, QRect(x, 0, max(right - x, 0), HEIGHT), strip.text, "text.primary", weight)
        x += GAP - 2
        self._draw(painter, QRect(x, 0, max(right - x, 0), HEIGHT), strip.detail, "text.secondary", 400)
        painter.end()

    def _draw(self, painter: QPainter, box: QRect, text: str, color: str, weight: int) -> int:
        font = self._theme.font("small", weight=weight, tabular=True)
        metrics = QFontMetrics(font)
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
        return box.left() + metrics.horizontalAdvance(shown)
