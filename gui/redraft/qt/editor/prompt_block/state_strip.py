"""The strip across the block that says in one sentence what goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import StateStrip, Tone
from redraft.qt.editor.prompt_block.actions import ActionButtons
from redraft.qt.editor.prompt_block.wrapped_text import wrap_rows
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import Ring

HEIGHT = 36
ROW = 20
MOST_ROWS = 4
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


@dataclass(frozen=True, slots=True)
class Run:
    """Words in one look."""

    words: str
    color: str
    weight: int


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

    def height_for(self, width: int) -> int:
        """How high it is at a width, in px: what does not fit into a row goes on in the next."""
        return HEIGHT + (len(self._rows(width)) - 1) * ROW

    def sizeHint(self) -> QSize:
        return QSize(200, self.height_for(max(self.width(), 1)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self._ring.setGeometry(LEFT, (HEIGHT - ICON) // 2, ICON, ICON)
        self._actions.place(self.width() - RIGHT, HEIGHT // 2)

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
        right = x + self._room(self.width())
        for place, row in enumerate(self._rows(self.width())):
            left = x
            for run in row:
                box = QRect(left, place * ROW, max(right - left, 0), HEIGHT)
                left = self._draw(painter, box, run) + GAP - 2
        painter.end()

    def _room(self, width: int) -> int:
        """How wide a row of words may be."""
        left = LEFT + (ICON + GAP if self._strip.icon or self._strip.busy else 0)
        buttons = sum(button.sizeHint().width() + GAP for button in self._actions.buttons)
        return max(width - left - buttons - RIGHT, 1)

    def _rows(self, width: int) -> list[list[Run]]:
        """The words in rows: one while it is busy or they fit, since nothing should jump."""
        strip, room = self._strip, self._room(width)
        text = Run(strip.text, "text.primary", 500 if strip.detail else 400)
        detail = Run(strip.detail, "text.secondary", 400)
        runs = [run for run in (text, detail) if run.words]
        needed = sum(self._metrics(run).horizontalAdvance(run.words) + GAP - 2 for run in runs) - GAP + 2
        if strip.busy or needed <= room:
            return [runs]
        rows = [
            [replace(run, words=row)]
            for run in runs
            for row in wrap_rows(run.words, self._theme, "small", room, weight=run.weight)
        ]
        return rows[:MOST_ROWS]

    def _metrics(self, run: Run) -> QFontMetrics:
        return QFontMetrics(self._theme.font("small", weight=run.weight, tabular=True))

    def _draw(self, painter: QPainter, box: QRect, run: Run) -> int:
        metrics = self._metrics(run)
        painter.setFont(self._theme.font("small", weight=run.weight, tabular=True))
        painter.setPen(self._theme.color(run.color))
        shown = metrics.elidedText(run.words, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
        return box.left() + metrics.horizontalAdvance(shown)
