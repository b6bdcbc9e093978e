"""The head of a provider's card: who it is, and in marks what it does; a press opens or closes the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QSizePolicy

from redraft.api.prompt_block import Tone
from redraft.core.llm.probe import ProbeReport
from redraft.qt.icons import draw_glyph
from redraft.qt.settings.chips import HEIGHT, draw_mark, mark_width
from redraft.qt.theme import Theme
from redraft.qt.widgets import Pressable
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

ROW = 48
LEFT = 47


@dataclass(frozen=True, slots=True)
class HeaderModel:
    """What the head says; each mark is a text and its tone."""

    title: str
    detail: str = ""
    icon: str = "model_server"
    marks: Sequence[tuple[str, Tone]] = ()


class CardHeader(Pressable):
    """Checked while the card is open."""

    def __init__(self, theme: Theme, model: HeaderModel) -> None:
        super().__init__(theme)
        self._model = model
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_model(model)

    @property
    def model(self) -> HeaderModel:
        """What it says."""
        return self._model

    def set_model(self, model: HeaderModel) -> None:
        """Say something else."""
        self._model = model
        words = [model.title, model.detail, *(text for text, _ in model.marks)]
        self.setAccessibleName(", ".join(word for word in words if word))
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw icon, two lines, marks and caret."""
        theme, model = self.theme, self._model
        inner = self.rect().adjusted(4, 3, -4, -3)
        if self.is_hovered:
            draw_box(painter, inner, theme.radius("medium"), fill=theme.color("surface.3"))
        painter.setPen(theme.color("text.secondary"))
        draw_glyph(painter, QRect(15, (self.height() - 18) // 2, 18, 18), theme.icon_char(model.icon))
        right = self.width() - 32
        draw_glyph(painter, QRect(right, (self.height() - 16) // 2, 16, 16), theme.icon_char(self._caret))
        right -= 10
        for text, tone in reversed(model.marks):
            width = mark_width(theme, text)
            right -= width
            draw_mark(painter, QRect(right, (self.height() - HEIGHT) // 2, width, HEIGHT), theme, text, tone)
            right -= 6
        self._draw_line(painter, QRect(LEFT, 5, right - LEFT, 20), model.title, "body", "text.primary")
        self._draw_line(painter, QRect(LEFT, 24, right - LEFT, 18), model.detail, "small", "text.muted")
        if self.hasFocus():
            draw_focus_ring(painter, inner, theme.radius("medium"), theme)

    @property
    def _caret(self) -> str:
        return "expanded" if self.isChecked() else "collapsed"

    def _draw_line(self, painter: QPainter, box: QRect, text: str, font_name: str, color: str) -> None:
        font = self.theme.font(font_name, weight=500 if font_name == "body" else None)
        painter.setFont(font)
        painter.setPen(self.theme.color(color))
        shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)

    def sizeHint(self) -> QSize:
        return QSize(300, ROW)


def state_mark(report: ProbeReport | None) -> tuple[str, Tone]:
    """What is known of a provider, as a mark."""
    if report is None:
        return "not checked", Tone.PLAIN
    return ("works", Tone.OK) if report.works else ("does not work", Tone.ERROR)


def default_marks(purposes: frozenset[str]) -> list[tuple[str, Tone]]:
    """For what a model is the default, as marks."""
    if {"inline_edit", "edit_prediction"} <= purposes:
        return [("default", Tone.ACCENT)]
    names = {"inline_edit": "default for inline edit", "edit_prediction": "default for prediction"}
    return [(names[purpose], Tone.ACCENT) for purpose in sorted(purposes)]
