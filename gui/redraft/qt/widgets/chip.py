"""A chip: a small fact with an icon, a name and a count, that can be taken away."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import Chip, Tone
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box, draw_focus_ring, set_plain_tooltip
from redraft.qt.widgets.pressable import Pressable

PADDING = 7
GAP = 5
TONES = {
    Tone.PLAIN: ("surface.3", "text.secondary"),
    Tone.ACCENT: ("accent.tint", "accent.text"),
    Tone.OK: ("state.ok_tint", "state.ok"),
    Tone.WARN: ("state.warn_tint", "state.warn"),
    Tone.ERROR: ("state.error_tint", "state.error"),
}


class ChipWidget(Pressable):
    """Shows a `Chip`; hover or focus shows a cross in place of the count where it is removable.

    `opens_menu` adds a caret (or the chip's `detail` as a key), as on the model chip.
    """

    removed = Signal()

    def __init__(self, theme: Theme, chip: Chip, *, opens_menu: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._opens_menu = opens_menu
        self._chip = chip
        self.set_chip(chip)

    @property
    def chip(self) -> Chip:
        """What it shows."""
        return self._chip

    def set_chip(self, chip: Chip) -> None:
        """Show another fact."""
        self._chip = chip
        self.setAccessibleName(f"{chip.label}, {chip.detail}" if chip.detail else chip.label)
        self.setAccessibleDescription("Delete removes it" if chip.removable else chip.tooltip)
        set_plain_tooltip(self, chip.tooltip)
        self.updateGeometry()
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the box, then icon, name, and count, cross or caret."""
        theme, chip = self.theme, self._chip
        fill, color = TONES[chip.tone]
        if chip.tone is Tone.PLAIN and (self.isDown() or (self.is_hovered and self._opens_menu)):
            fill = "surface.4"
        edge = theme.color(color if chip.tone is not Tone.PLAIN else "border.default") if theme.shows_edges else None
        draw_box(painter, self.rect(), theme.radius("small"), fill=theme.color(fill), edge=edge)
        x = PADDING
        size = theme.size("icon_small")
        if chip.icon:
            painter.setPen(theme.color("text.muted" if chip.tone is Tone.PLAIN else color))
            draw_glyph(painter, QRect(x, (self.height() - size) // 2, size, size), theme.icon_char(chip.icon))
            x += size + GAP
        painter.setFont(self._label_font())
        painter.setPen(theme.color(color))
        width = self._width_of(chip.label)
        painter.drawText(QRect(x, 0, width + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, chip.label)
        x += width
        if self._shows_cross or (self._opens_menu and not chip.detail):
            painter.setPen(theme.color("text.muted" if chip.tone is Tone.PLAIN else color))
            draw_glyph(painter, self._cross_box(), theme.icon_char("close" if self._shows_cross else "expanded"))
        elif chip.detail:
            painter.setPen(theme.color("text.muted" if chip.tone is Tone.PLAIN else color))
            painter.drawText(QRect(x + GAP, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, chip.detail)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), theme.radius("small"), theme)

    @property
    def _shows_cross(self) -> bool:
        return self._chip.removable and (self.is_hovered or self.hasFocus())

    def _label_font(self) -> QFont:
        return self.theme.font("small", weight=500 if self._chip.tone is not Tone.PLAIN else 400)

    def _width_of(self, text: str) -> int:
        return QFontMetrics(self._label_font()).horizontalAdvance(text)

    def _cross_box(self) -> QRect:
        size = 12
        return QRect(self.width() - PADDING - size, (self.height() - size) // 2, size, size)

    def sizeHint(self) -> QSize:
        chip = self._chip
        width = 2 * PADDING + self._width_of(chip.label)
        if chip.icon:
            width += self.theme.size("icon_small") + GAP
        tail = self._width_of(chip.detail) if chip.detail else 0
        if chip.removable or (self._opens_menu and not chip.detail):
            tail = max(tail, 12)
        return QSize(width + (GAP + tail if tail else 0), self.theme.size("chip"))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point: QPoint = event.position().toPoint()
        if self._shows_cross and self._cross_box().adjusted(-GAP, -GAP, PADDING, GAP).contains(point):
            self.setDown(False)
            self.removed.emit()
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._chip.removable and event.key() in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.removed.emit()
            return
        super().keyPressEvent(event)
