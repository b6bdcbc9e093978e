"""A button with an icon, a label and, in a quieter colour, the key that does the same."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import ActionStyle
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box, draw_focus_ring
from redraft.qt.widgets.pressable import Pressable

GAP = 6
FILLED = {
    ActionStyle.PRIMARY: ("accent.fill", "accent.fill_hover"),
    ActionStyle.ACCEPT: ("accept.fill", "accept.fill_hover"),
}


@dataclass(frozen=True, slots=True)
class ButtonColors:
    """Token names of one button's colours; an empty fill is none."""

    fill: str
    fill_hover: str
    fill_pressed: str
    label: str
    icon: str
    key: str


def button_colors(style: ActionStyle) -> ButtonColors:
    """The colours of a style."""
    if style in FILLED:
        fill, hover = FILLED[style]
        return ButtonColors(fill, hover, hover, "text.on_fill", "text.on_fill", "text.on_fill")
    if style is ActionStyle.FLAT:
        return ButtonColors("", "surface.3", "surface.4", "text.secondary", "text.muted", "text.muted")
    label = "reject.text" if style is ActionStyle.REJECT else "text.primary"
    icon = {ActionStyle.STOP: "state.error", ActionStyle.REJECT: "reject.text"}.get(style, "text.secondary")
    return ButtonColors("surface.3", "surface.4", "surface.4", label, icon, "text.muted")


class KeyButton(Pressable):
    """Label and key in one button; 24 px high, or 30 px where `large` (dialogs)."""

    def __init__(  # noqa: PLR0913 - two facts and a few looks, by keyword
        self,
        theme: Theme,
        label: str,
        *,
        key: str = "",
        icon: str = "",
        style: ActionStyle = ActionStyle.DEFAULT,
        large: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._key = key
        self._icon = icon
        self._style = style
        self._is_large = large
        self._has_room = True
        self.set_label(label)

    @property
    def key(self) -> str:
        """The key shown after the label."""
        return self._key

    def set_label(self, label: str) -> None:
        """Show another label."""
        self.setText(label)
        self.setAccessibleName(label)
        self._changed()

    def set_key(self, key: str) -> None:
        """Show another key, or none."""
        self._key = key
        self._changed()

    def set_room(self, *, has_room: bool) -> None:
        """Whether there is room to draw the key beside the label; else it is told in the tooltip."""
        if has_room != self._has_room:
            self._has_room = has_room
            if self.toolTip() in {"", self._key}:  # else it says more
                self.setToolTip("" if has_room else self._key)
            self._changed()

    def set_icon(self, icon: str) -> None:
        """Show the icon of another meaning, or none."""
        self._icon = icon
        self._changed()

    def draw(self, painter: QPainter) -> None:
        """Draw the box, then icon, label and key."""
        colors = button_colors(self._style)
        theme, radius = self.theme, self.theme.radius("medium")
        fill = colors.fill
        if self.isDown():
            fill = colors.fill_pressed
        elif self.is_hovered:
            fill = colors.fill_hover
        edge = theme.color("border.default") if theme.shows_edges and self._style not in FILLED and fill else None
        if fill:
            draw_box(painter, self.rect(), radius, fill=theme.color(fill), edge=edge)
        x = (self.width() - self._content_width()) // 2
        if self._icon:
            size = theme.size("icon_small")
            painter.setPen(self._color(colors.icon))
            draw_glyph(painter, QRect(x, (self.height() - size) // 2, size, size), theme.icon_char(self._icon))
            x += size + GAP
        x = self._draw_text(painter, x, self.text(), self._label_font(), colors.label)
        if self._key and self._has_room:
            self._draw_text(painter, x + GAP, self._key, theme.font("micro"), colors.key)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), radius, theme)

    def sizeHint(self) -> QSize:
        theme = self.theme
        padding = 7 if self._style is ActionStyle.FLAT else 9
        if self._is_large:
            padding = 14
        height = theme.size("button_large" if self._is_large else "button")
        return QSize(self._content_width() + 2 * padding, height)

    def _draw_text(self, painter: QPainter, x: int, text: str, font: QFont, color: str) -> int:
        width = QFontMetrics(font).horizontalAdvance(text)
        painter.setFont(font)
        painter.setPen(self._color(color))
        painter.drawText(QRect(x, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
        return x + width

    def _color(self, token: str) -> QColor:
        return self.theme.color(token if self.isEnabled() else "text.disabled")

    def _content_width(self) -> int:
        width = QFontMetrics(self._label_font()).horizontalAdvance(self.text())
        if self._icon:
            width += self.theme.size("icon_small") + (GAP if self.text() else 0)
        if self._key and self._has_room:
            width += GAP + QFontMetrics(self.theme.font("micro")).horizontalAdvance(self._key)
        return width

    def _label_font(self) -> QFont:
        return self.theme.font("body" if self._is_large else "small", weight=500)

    def _changed(self) -> None:
        self.setAccessibleDescription(self._key)
        self.updateGeometry()
        self.update()
