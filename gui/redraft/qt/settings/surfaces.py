"""The plain parts pages are built from: cards, lines, sentences that wrap, and how all of them change theme."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box


@runtime_checkable
class Themed(Protocol):
    """A widget that can be drawn in another theme."""

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        ...


def retheme(root: QWidget, theme: Theme) -> None:
    """Draw everything inside a widget in another theme; each part only looks after itself."""
    for widget in root.findChildren(QWidget):
        if isinstance(widget, Themed):
            widget.set_theme(theme)


class Words(QLabel):
    """A sentence that wraps; always shown as it is, never as markup."""

    def __init__(self, theme: Theme, text: str = "", *, font: str = "small", color: str = "text.muted") -> None:
        super().__init__(text)
        self._font_name = font
        self._color = color
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self.setFont(theme.font(self._font_name))
        palette = self.palette()  # not a style sheet: there are hundreds of these
        palette.setColor(QPalette.ColorRole.WindowText, theme.color(self._color))
        self.setPalette(palette)


class Line(QWidget):
    """A line of 1 px between two rows."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(1)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("border.soft"))
        painter.end()


class Card(QFrame):
    """A raised surface with rows, a line between any two of them."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[tuple[QWidget, Line | None]] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.setSpacing(0)

    @property
    def rows(self) -> list[QWidget]:
        """The rows from the top."""
        return [row for row, _ in self._rows]

    def add_row(self, row: QWidget) -> None:
        """Add a row at the end."""
        line = Line(self._theme) if self._rows else None
        if line is not None:
            self._layout.addWidget(line)
        self._layout.addWidget(row)
        self._rows.append((row, line))

    def remove_row(self, row: QWidget) -> None:
        """Take a row out, with the line above it; of the row that is first then, the line goes."""
        place = self.rows.index(row)
        self._discard(*self._rows.pop(place))
        if place == 0 and self._rows:
            first, line = self._rows[0]
            self._discard(line)
            self._rows[0] = first, None

    def clear(self) -> None:
        """Take all rows out."""
        for row, line in self._rows:
            self._discard(row, line)
        self._rows = []

    def _discard(self, *widgets: QWidget | None) -> None:
        for widget in widgets:
            if widget is not None:
                self._layout.removeWidget(widget)
                widget.hide()
                widget.deleteLater()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        edge = theme.color("border.default")
        draw_box(painter, self.rect(), theme.radius("large"), fill=theme.color("surface.2"), edge=edge)
        painter.end()


class Strip(QWidget):
    """A tinted box without an edge, as wide as its place."""

    def __init__(self, theme: Theme, ground: str = "surface.3") -> None:
        super().__init__()
        self._theme = theme
        self._ground = ground

    def set_ground(self, ground: str) -> None:
        """Stand on another colour."""
        self._ground = ground
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(0, 44))

    def draw_ground(self, box: QRect) -> None:
        """Fill a box; a part that has air around it fills less than all of itself."""
        painter = QPainter(self)
        edge = self._theme.color("border.default") if self._theme.shows_edges else None
        draw_box(painter, box, self._theme.radius("medium"), fill=self._theme.color(self._ground), edge=edge)
        painter.end()

    def paintEvent(self, event: QPaintEvent) -> None:
        self.draw_ground(self.rect())


def left_bar(painter: QPainter, widget: QWidget, theme: Theme) -> None:
    """Draw the bar of what is the user's own at the left edge of a row."""
    height = widget.height()
    painter.fillRect(QRect(0, 6, theme.size("range_bar"), height - 12), theme.color("accent.bar"))
