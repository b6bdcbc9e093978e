"""The scroll bars of a code editor: a slim thumb, and for the vertical one a lane of marks beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QWidget

from redraft.qt.theme import Theme

LANE: Final = 4
SHORTEST_MARK: Final = 4
MOST_DRIFT: Final = 2 * SHORTEST_MARK
"""Pixels a mark may stand below its row to leave room for those above it; one further off is left out."""
SHORTEST_THUMB: Final = 24
_EDGE: Final = 1


@dataclass(frozen=True, slots=True)
class ScrollMark:
    """A mark beside the scroll bar.

    Attributes:
        line: The line of the text it belongs to.
        rows: How many rows it stands for.
        color: A theme colour (`"diff.added.bar"`).
        below: Whether it stands for rows below the line (annotations), not for the line itself.
    """

    line: int
    rows: int
    color: str
    below: bool = False


class MarkScrollBar(QScrollBar):
    """A scroll bar of 14 px (10 when it lies): an edge, a lane for marks, and a thumb of 6 px."""

    def __init__(
        self,
        theme: Theme,
        orientation: Qt.Orientation,
        row_of: Callable[[ScrollMark], int],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(orientation, parent)
        self._theme = theme
        self._row_of = row_of
        self._marks: dict[str, tuple[ScrollMark, ...]] = {}
        self._is_hovered = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        # Without the buttons at the ends the thumb has the whole length, and clicks there mean what they show.
        self.setStyleSheet(
            "QScrollBar { border: none; margin: 0; background: transparent; }"
            "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
            f"QScrollBar::handle {{ min-width: {SHORTEST_THUMB}px; min-height: {SHORTEST_THUMB}px; }}"
        )
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    @property
    def marks(self) -> Sequence[ScrollMark]:
        """All marks, owner by owner."""
        return [mark for marks in self._marks.values() for mark in marks]

    def set_theme(self, theme: Theme) -> None:
        """Show another theme."""
        self._theme = theme
        self.update()

    def set_marks(self, owner: str, marks: Iterable[ScrollMark]) -> None:
        """Show an owner's marks in place of those it had, in order from the top."""
        kept = tuple(marks)
        if kept != self._marks.get(owner, ()):
            if kept:
                self._marks[owner] = kept
            else:
                del self._marks[owner]
            self.update()

    def mark_rectangles(self) -> list[tuple[ScrollMark, QRectF]]:
        """Where each mark is drawn; marks of one owner never cover each other.

        Where there are more than fit, those of one colour run together, and none is drawn far from its line.
        """
        rows = max(1, self.maximum() - self.minimum() + self.pageStep())
        height = self.height() / rows
        placed: list[tuple[ScrollMark, QRectF]] = []
        for marks in self._marks.values():
            end, color = 0.0, ""
            for mark in marks:
                top, size = self._row_of(mark) * height, max(SHORTEST_MARK, mark.rows * height)
                if top < end and mark.color == color:
                    end = max(end, top + size)
                    placed[-1][1].setBottom(end)
                elif end - top <= MOST_DRIFT and end < self.height():
                    top, color = max(end, top), mark.color
                    end = top + size
                    placed.append((mark, QRectF(_EDGE + 1, top, LANE, size)))
        return placed

    def thumb_rectangle(self) -> QRectF:
        """Where the thumb is drawn; empty when all is in view."""
        if self.maximum() <= self.minimum():
            return QRectF()
        size = self._theme.size("scroll_thumb")
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        place = self.style().subControlRect(
            QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarSlider, self
        )
        if self.orientation() is Qt.Orientation.Vertical:
            return QRectF(self.width() - size - 1, place.top(), size, place.height())
        return QRectF(place.left(), self.height() - size - 1, place.width(), size)

    def sizeHint(self) -> QSize:
        """As thick as the design says."""
        if self.orientation() is Qt.Orientation.Vertical:
            return QSize(self._theme.size("scroll_bar"), 60)
        return QSize(60, self._theme.size("scroll_thumb") + 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw edge, marks and thumb."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface.0"))
        if self.orientation() is Qt.Orientation.Vertical:
            painter.fillRect(0, 0, _EDGE, self.height(), self._theme.color("border.soft"))
            for mark, place in self.mark_rectangles():
                painter.fillRect(place, self._theme.color(mark.color))
        is_active = self._is_hovered or self.isSliderDown()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("scroll.thumb_hover" if is_active else "scroll.thumb"))
        painter.drawRoundedRect(self.thumb_rectangle(), 3, 3)

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer came."""
        self._is_hovered = True
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._is_hovered = False
        self.update()
        super().leaveEvent(event)
