"""The menu of an item of the status bar: a heading with a sentence, then sections of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QStyleOptionMenuItem, QWidget, QWidgetAction

from redraft.api.menu import MenuModel, MenuRow, MenuSection
from redraft.qt.frame.status_bar import COLORS
from redraft.qt.menus import PlainMenu
from redraft.qt.theme import Theme

WIDTH: Final = 220
"""Of a heading; the notes at the right of the rows come to it."""

PADDING: Final = 8
NOTE_RIGHT: Final = 16
"""Between the right edge of a row and the end of its note."""
GAP: Final = 4
"""Between the menu and its item."""
HEADING: Final = 44
SUBHEADING: Final = 24
DOT: Final = 7
ICON: Final = 16


class MenuHeading(QWidget):
    """A heading, or a small one; the keyboard passes over it."""

    def __init__(self, theme: Theme, title: str, text: str = "", *, is_small: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._title = title
        self._text = text
        self._is_small = is_small
        self.setAccessibleName(f"{title}. {text}".strip())

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, SUBHEADING if self._is_small else HEADING)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        rect = self.rect().adjusted(PADDING, 0, -PADDING, 0)
        small = theme.font("small")
        left = Qt.AlignmentFlag.AlignLeft
        if self._is_small:
            painter.setFont(theme.font("micro"))
            painter.setPen(theme.color("text.muted"))
            painter.drawText(rect, left | Qt.AlignmentFlag.AlignVCenter, self._title)
        else:
            painter.setFont(theme.font("body", weight=600))
            painter.setPen(theme.color("text.primary"))
            painter.drawText(rect.adjusted(0, 4, 0, 0), left | Qt.AlignmentFlag.AlignTop, self._title)
            painter.setFont(small)
            painter.setPen(theme.color("text.muted"))
            shown = QFontMetrics(small).elidedText(self._text, Qt.TextElideMode.ElideRight, rect.width())
            painter.drawText(rect.adjusted(0, 0, 0, -4), left | Qt.AlignmentFlag.AlignBottom, shown)
        painter.end()


class StatusMenu(PlainMenu):
    """Opens over its item; what is chosen is told by the id of its row."""

    def __init__(self, theme: Theme, model: MenuModel, on_chosen: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(parent=parent)
        self._theme = theme
        self._on_chosen = on_chosen
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(model.title)
        self._add_heading(MenuHeading(theme, model.title, model.text))
        for section in model.sections:
            self._add_section(section)

    def open_at(self, item: QWidget) -> None:
        """Open above an item, its right edge at the item's."""
        size = self.sizeHint()
        self.popup(item.mapToGlobal(QPoint(item.width() - size.width(), -size.height() - GAP)))

    def _add_section(self, section: MenuSection) -> None:
        if not section.rows:
            return
        self.addSeparator()
        if section.title:
            self._add_heading(MenuHeading(self._theme, section.title, is_small=True))
        for row in section.rows:
            self._add_row(row)

    def _add_heading(self, heading: MenuHeading) -> None:
        action = QWidgetAction(self)
        action.setDefaultWidget(heading)
        action.setEnabled(False)
        self.addAction(action)

    def _add_row(self, row: MenuRow) -> None:
        label = row.label.replace("&", "&&")
        action = QAction(f"{label}\t{row.note}" if row.note else label, self)
        action.setIcon(self._icon(row))
        action.setData(row.id)
        action.triggered.connect(lambda: self._on_chosen(row.id))
        self.addAction(action)

    def note_box(self, action: QAction) -> QRect:
        """Where the note of a row stands."""
        return self.actionGeometry(action).adjusted(0, 0, -NOTE_RIGHT, 0)

    def _icon(self, row: MenuRow) -> QIcon:
        theme = self._theme
        if row.dot is not None:
            return self._dot(COLORS[row.dot])
        if row.is_checked:
            return theme.icon("check", color="text.primary")
        # A blank icon keeps the labels under one another.
        return theme.icon(row.icon) if row.icon else self._dot("")

    def _dot(self, color: str) -> QIcon:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(round(ICON * ratio), round(ICON * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        if color:
            painter = QPainter(pixmap)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(color))
            painter.drawEllipse(QRectF((ICON - DOT) / 2, (ICON - DOT) / 2, DOT, DOT))
            painter.end()
        return QIcon(pixmap)

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        """A note is no key: the style draws the label, and the note stands at the right."""
        super().initStyleOption(option, action)
        option.text = option.text.partition("\t")[0]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setFont(self._theme.font("small", tabular=True))
        painter.setPen(self._theme.color("text.muted"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for action in self.actions():
            note = action.text().partition("\t")[2]
            if note:
                painter.drawText(self.note_box(action), right, note)
        painter.end()
