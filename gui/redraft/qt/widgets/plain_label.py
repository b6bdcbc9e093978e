"""A label that shows text as it is, never as markup, and shortens what does not fit."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import set_plain_tooltip


class PlainLabel(QWidget):
    """One line of text in a font and colour of the theme; the whole text is the tooltip where it was shortened."""

    def __init__(  # noqa: PLR0913 - two facts and a few looks, by keyword
        self,
        theme: Theme,
        text: str = "",
        *,
        font: str = "body",
        color: str = "text.secondary",
        weight: int | None = None,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = text
        self._font_name = font
        self._weight = weight
        self._color = color
        self._elide = elide
        self._align = align
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._restyle()
        self.set_text(text)

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show another text; only its first line is drawn."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._update_tooltip()
        self.update()

    def set_color(self, color: str) -> None:
        """Draw in another colour of the theme."""
        self._color = color
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._restyle()

    def sizeHint(self) -> QSize:
        width = QFontMetrics(self.font()).horizontalAdvance(self._first_line())
        return QSize(width + 1, self._theme.line_height(self._font_name))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 24), self._theme.line_height(self._font_name))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self._theme.color(self._color if self.isEnabled() else "text.disabled"))
        painter.drawText(self.rect(), self._align | Qt.AlignmentFlag.AlignVCenter, self._shown())
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def _first_line(self) -> str:
        return self._text.split("\n", 1)[0]

    def _shown(self) -> str:
        return QFontMetrics(self.font()).elidedText(self._first_line(), self._elide, self.width())

    def _update_tooltip(self) -> None:
        set_plain_tooltip(self, "" if self._shown() == self._text else self._text)

    def _restyle(self) -> None:
        self.setFont(self._theme.font(self._font_name, weight=self._weight))
        self.updateGeometry()
        self.update()
