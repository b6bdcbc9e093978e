"""A square button that shows an icon only; its label is tooltip and accessible name."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box, draw_focus_ring, set_plain_tooltip
from redraft.qt.widgets.pressable import Pressable


class IconButton(Pressable):
    """An icon of a meaning in a square of `side` px (26 in the frame, 24 in the prompt block)."""

    def __init__(  # noqa: PLR0913 - two facts and a few looks, by keyword
        self,
        theme: Theme,
        icon: str,
        label: str,
        *,
        key: str = "",
        side: int = 26,
        icon_size: int = 16,
        color: str = "text.muted",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self._icon = icon
        self._color = color
        self._side = side
        self._icon_size = icon_size
        self.set_label(label, key=key)

    def set_label(self, label: str, *, key: str = "") -> None:
        """Name the button, and the key that does the same."""
        self.setAccessibleName(label)
        set_plain_tooltip(self, f"{label}  {key}" if key else label)

    def set_icon(self, icon: str, color: str = "text.muted") -> None:
        """Show the icon of another meaning."""
        self._icon, self._color = icon, color
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the hover box and the icon."""
        theme, radius = self.theme, self.theme.radius("medium")
        if self.isDown() or self.isChecked():
            draw_box(painter, self.rect(), radius, fill=theme.color("surface.4"))
        elif self.is_hovered:
            draw_box(painter, self.rect(), radius, fill=theme.color("surface.3"))
        size = self._icon_size
        color = "text.secondary" if self.is_hovered and self._color == "text.muted" else self._color
        painter.setPen(theme.color(color if self.isEnabled() else "text.disabled"))
        box = QRect((self.width() - size) // 2, (self.height() - size) // 2, size, size)
        draw_glyph(painter, box, theme.icon_char(self._icon))
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), radius, theme)

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)
