"""A pill at the edge of the view that says where a predicted edit is, and which key goes there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.icons import draw_glyph
from redraft.qt.widgets.key_badge import badge_size, draw_badge
from redraft.qt.widgets.painting import draw_box, set_plain_tooltip
from redraft.qt.widgets.pressable import Pressable

HEIGHT: Final = 26
PADDING: Final = 10
GAP: Final = 7
FROM_BAR: Final = 28
FROM_EDGE: Final = 12
WIDEST_SUMMARY: Final = 320


@dataclass(frozen=True, slots=True)
class PillModel:
    """What it says: where the edit is, what it changes, the key; `is_above` for one above the view."""

    place: str
    summary: str = ""
    key: str = ""
    is_above: bool = False


class FarEditPill(Pressable):
    """Stands at the right of the viewport, at the edge that is nearest the edit."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor.theme, editor.viewport())
        self._editor = editor
        self._model = PillModel("")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    @property
    def model(self) -> PillModel:
        """What it says."""
        return self._model

    def show_model(self, model: PillModel) -> None:
        """Say something, at its place."""
        self._model = model
        self.setAccessibleName(f"Predicted edit: {model.place} {model.summary}".rstrip())
        set_plain_tooltip(self, "Go to the predicted edit")
        viewport = self._editor.viewport()
        width = min(self._width(), viewport.width() - 2 * FROM_BAR)
        y = FROM_EDGE if model.is_above else viewport.height() - HEIGHT - FROM_EDGE
        self.setGeometry(viewport.width() - width - FROM_BAR, y, width, HEIGHT)
        self.show()
        self.raise_()
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw arrow, place, summary and key."""
        theme, model = self.theme, self._model
        fill = theme.color("surface.3" if self.is_hovered else "surface.2")
        draw_box(painter, self.rect(), HEIGHT / 2, fill=fill, edge=theme.color("border.default"))
        size = theme.size("icon_small")
        x = PADDING
        painter.setPen(theme.color("accent.text"))
        glyph = theme.icon_char("far_edit_above" if model.is_above else "far_edit_below")
        draw_glyph(painter, QRect(x, (HEIGHT - size) // 2, size, size), glyph)
        x += size + GAP
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self._place_font())
        painter.setPen(theme.color("text.primary"))
        painter.drawText(QRect(x, 0, self._advance(self._place_font(), model.place) + 2, HEIGHT), flags, model.place)
        x += self._advance(self._place_font(), model.place) + GAP
        if model.summary:
            font = theme.font("small")
            painter.setFont(font)
            painter.setPen(theme.color("text.secondary"))
            width = self._summary_width()
            shown = QFontMetrics(font).elidedText(model.summary, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QRect(x, 0, width + 2, HEIGHT), flags, shown)
            x += width + GAP
        if model.key:
            badge = badge_size(theme, model.key)
            box = QRect(x, (HEIGHT - badge.height()) // 2, badge.width(), badge.height())
            draw_badge(painter, box, theme, model.key, raised=True)

    def _width(self) -> int:
        model = self._model
        width = 2 * PADDING + self.theme.size("icon_small") + GAP + self._advance(self._place_font(), model.place)
        if model.summary:
            width += GAP + self._summary_width()
        if model.key:
            width += GAP + badge_size(self.theme, model.key).width()
        return width

    def _summary_width(self) -> int:
        return min(self._advance(self.theme.font("small"), self._model.summary), WIDEST_SUMMARY)

    def _place_font(self) -> QFont:
        return self.theme.font("small", weight=500)

    def _advance(self, font: QFont, text: str) -> int:
        return QFontMetrics(font).horizontalAdvance(text)
