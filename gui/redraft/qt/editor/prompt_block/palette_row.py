"""One row of the palette: a preset with its name, or an earlier instruction with its two small buttons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from redraft.api.prompt_block import PaletteRow
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, KeyBadge
from redraft.qt.widgets.painting import draw_box

PADDING: Final = 8
NAME: Final = 74
KEY: Final = 104
ICON: Final = 14
BUTTON: Final = 24
LABELS: Final = {"edit": ("edit", "Edit these words"), "remove": ("delete", "Remove from the history")}


class PaletteRowWidget(QWidget):
    """Shows a `PaletteRow`; the pointer chooses it, the keyboard stays in the field."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, row: PaletteRow, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.row = row
        self._is_current = False
        self._is_hovered = False
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setAccessibleName(" ".join(filter(None, (row.title, row.detail, row.source, row.key))))
        self._badge = KeyBadge(theme, row.key, parent=self)
        self._buttons: list[IconButton] = []
        for name in row.actions:
            icon, label = LABELS.get(name, (name, name.capitalize()))
            button = IconButton(theme, icon, label, side=BUTTON, icon_size=ICON, parent=self)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setAccessibleName(f"{label}: {row.title}")
            button.clicked.connect(lambda _checked=False, name=name: self.chosen.emit(name))
            self._buttons.append(button)

    def set_current(self, current: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Whether Enter would choose it."""
        if current != self._is_current:
            self._is_current = current
            self._badge.set_raised(current)
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._badge.set_theme(theme)
        for button in self._buttons:
            button.set_theme(theme)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, self._theme.size("list_row"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        size = self._badge.sizeHint()
        right = self.width() - PADDING
        self._badge.setGeometry(right - size.width(), (self.height() - size.height()) // 2, size.width(), size.height())
        for index, button in enumerate(reversed(self._buttons)):
            button.setGeometry(right - (index + 1) * BUTTON, (self.height() - BUTTON) // 2, BUTTON, BUTTON)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, row = self._theme, self.row
        if self._is_current or self._is_hovered:
            edge = theme.color("border.strong") if theme.shows_edges and self._is_current else None
            draw_box(painter, self.rect(), theme.radius("medium"), fill=theme.color("surface.3"), edge=edge)
        right = self._draw_source(painter)
        x = PADDING
        if row.icon:
            color = "accent.text" if self._is_current and not row.actions else "text.muted"
            painter.setPen(theme.color(color))
            draw_glyph(painter, QRect(x, (self.height() - ICON) // 2, ICON, ICON), theme.icon_char(row.icon))
            x += ICON + PADDING
        end = self._draw_title(painter, x, right)
        if row.detail:
            x = end + PADDING if row.icon else max(x + NAME, end + PADDING)
            color = "text.muted" if row.icon else "text.secondary"
            self._draw(painter, x, right, row.detail, color, 400)
        painter.end()

    def _draw_source(self, painter: QPainter) -> int:
        """The source column; gives the right end of what stands before it."""
        theme, row = self._theme, self.row
        right = self.width() - PADDING
        if self._buttons:
            right -= len(self._buttons) * BUTTON + PADDING
        elif row.source:
            right -= KEY
        elif row.key:
            right -= self._badge.width() + PADDING
        if not row.source:
            return right
        font = theme.font("micro" if not self._buttons else "small", weight=400)
        width = QFontMetrics(font).horizontalAdvance(row.source)
        painter.setFont(font)
        painter.setPen(theme.color("text.muted"))
        painter.drawText(QRect(right - width, 0, width + 1, self.height()), Qt.AlignmentFlag.AlignVCenter, row.source)
        return right - width - PADDING

    def _draw_title(self, painter: QPainter, x: int, right: int) -> int:
        row = self.row
        is_words = bool(row.actions)
        usual = 400 if is_words else 500 if row.icon else 600
        color = "text.secondary" if is_words and not self._is_current else "text.primary"
        for text, is_matched in matched_runs(row.title.split("\n", 1)[0], row.matched):
            if x >= right:
                break
            weight, tone = (700, "accent.text") if is_matched else (usual, color)
            x = self._draw(painter, x, right, text, tone, weight)
        return x

    def _draw(self, painter: QPainter, x: int, right: int, text: str, color: str, weight: int) -> int:
        font = self._theme.font("body", weight=weight)
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(right - x, 0))
        painter.setFont(font)
        painter.setPen(self._theme.color(color))
        painter.drawText(QRect(x, 0, max(right - x, 0) + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, shown)
        return x + metrics.horizontalAdvance(shown)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._is_hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self.update()
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit("")


def matched_runs(title: str, matched: tuple[int, ...]) -> Iterator[tuple[str, bool]]:
    """A title cut into runs that are matched and runs that are not."""
    places = set(matched)
    start = 0
    for index in range(1, len(title) + 1):
        if index == len(title) or (index in places) != (start in places):
            yield title[start:index], start in places
            start = index
