"""A key in a small box, as it stands at the right of rows and hints."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box

PADDING = 5


class KeyBadge(QWidget):
    """Shows a key label; `raised` is for rows that are filled themselves."""

    def __init__(self, theme: Theme, key: str, *, raised: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._key = key
        self._is_raised = raised
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.set_key(key)

    def set_key(self, key: str) -> None:
        """Show another key; an empty one hides the badge."""
        self._key = key
        self.setAccessibleName(key)
        self.setVisible(bool(key))
        self.updateGeometry()
        self.update()

    def set_raised(self, raised: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Whether it stands on a filled row."""
        self._is_raised = raised
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return badge_size(self._theme, self._key)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_badge(painter, self.rect(), self._theme, self._key, raised=self._is_raised)
        painter.end()


def badge_size(theme: Theme, key: str) -> QSize:
    """How large the badge of a key is."""
    width = QFontMetrics(theme.font("micro")).horizontalAdvance(key)
    return QSize(width + 2 * PADDING, theme.size("badge"))


def draw_badge(painter: QPainter, box: QRect, theme: Theme, key: str, *, raised: bool = False) -> None:
    """Draw a badge that fills a box; `raised` is for a ground that is filled itself."""
    edge = theme.color("border.default") if theme.shows_edges else None
    fill = theme.color("surface.4" if raised else "surface.3")
    draw_box(painter, box, theme.radius("small"), fill=fill, edge=edge)
    painter.setFont(theme.font("micro"))
    painter.setPen(theme.color("text.secondary"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, key)
