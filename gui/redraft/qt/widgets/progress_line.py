"""A thin line that fills from the left as work gets done."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from redraft.qt.theme import Theme


class ProgressLine(QWidget):
    """Shows a part done, 0 to 1; it never runs backwards unless it is reset to `None`."""

    def __init__(
        self,
        theme: Theme,
        *,
        thickness: int = 2,
        track: str = "border.soft",
        bar: str = "accent.bar",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._thickness = thickness
        self._track = track
        self._bar = bar
        self._value: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Progress")

    @property
    def value(self) -> float | None:
        """The part done."""
        return self._value

    def set_value(self, value: float | None) -> None:
        """Show a part done; `None` empties the line."""
        if value is not None:
            value = max(min(value, 1.0), self._value or 0.0)
        self._value = value
        self.setAccessibleDescription("" if value is None else f"{value:.0%}")
        self.update()

    def set_bar(self, bar: str) -> None:
        """Fill in another colour."""
        self._bar = bar
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(80, self._thickness)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        radius = rect.height() / 2 if self._thickness > 2 else 0
        painter.setBrush(self._theme.color(self._track))
        painter.drawRoundedRect(rect, radius, radius)
        if self._value:
            rect.setWidth(rect.width() * self._value)
            painter.setBrush(self._theme.color(self._bar))
            painter.drawRoundedRect(rect, radius, radius)
        painter.end()
