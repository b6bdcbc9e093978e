"""The rows of the picker: choices as values, the list of those that match, and how one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from redraft.api.ui import PickItem
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets.key_badge import badge_size, draw_badge
from redraft.qt.widgets.painting import draw_box

AnyIndex = QModelIndex | QPersistentModelIndex
ELLIPSIS: Final = "…"
BEFORE: Final = 4
AFTER: Final = 8
"""Characters that stay around what was typed where a label is too long."""
ROW_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class PickRow:
    """A choice as it is listed: with its key, and with what was typed marked in it; `is_code` shows it as code."""

    item: PickItem
    key: str = ""
    matched: tuple[int, ...] = ()
    is_enabled: bool = True
    is_code: bool = False


class PickModel(QAbstractListModel):
    """The rows that match what was typed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[PickRow] = []

    def set_rows(self, rows: list[PickRow]) -> None:
        """List these."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.item.label
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(part for part in (row.item.label, row.item.detail, row.item.note, row.key) if part)
        return None


class PickDelegate(QStyledItemDelegate):
    """Draws a choice: icon, label with the typed letters stronger, detail, and note or key at the right."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = parent

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(0, self._theme.size("list_row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, PickRow):
            return
        theme = self._theme
        box = option.rect.adjusted(6, 0, -6, 0)
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_current:
            edge = theme.color("border.strong") if theme.shows_edges else None
            draw_box(painter, box, theme.radius("medium"), fill=theme.color("surface.3"), edge=edge)
        x, right = box.x() + 8, box.right() - 8
        middle = box.center().y() + 1
        if row.item.icon:
            painter.setPen(theme.color("text.secondary" if is_current else "text.muted"))
            draw_glyph(painter, QRect(x, middle - 8, 16, 16), theme.icon_char(row.item.icon))
            x += 24
        right = self._draw_right(painter, box, right, row, is_current=is_current)
        x = self._draw_label(painter, QRect(x, box.y(), right - x, box.height()), row)
        if row.item.detail:
            font = theme.font("small")
            detail = QFontMetrics(font).elidedText(row.item.detail, Qt.TextElideMode.ElideMiddle, right - x - 12)
            painter.setFont(font)
            painter.setPen(theme.color("text.muted"))
            painter.drawText(QRect(x + 10, box.y(), right - x, box.height()), Qt.AlignmentFlag.AlignVCenter, detail)

    def _draw_right(self, painter: QPainter, box: QRect, right: int, row: PickRow, *, is_current: bool) -> int:
        theme = self._theme
        if row.key:
            size = badge_size(theme, row.key)
            badge = QRect(right - size.width(), box.center().y() - size.height() // 2 + 1, size.width(), size.height())
            draw_badge(painter, badge, theme, row.key, raised=is_current)
            right = badge.x() - 10
        if row.item.note:
            font = theme.font("micro")
            metrics = QFontMetrics(font)
            shown = metrics.elidedText(row.item.note, Qt.TextElideMode.ElideLeft, box.width() // 2)
            width = metrics.horizontalAdvance(shown)
            painter.setFont(font)
            painter.setPen(theme.color("text.muted"))
            note = QRect(right - width, box.y(), width + 2, box.height())
            painter.drawText(note, Qt.AlignmentFlag.AlignVCenter, shown)
            right -= width + 10
        return right

    def _draw_label(self, painter: QPainter, box: QRect, row: PickRow) -> int:
        theme = self._theme
        plain, strong = theme.font("body"), theme.font("body", weight=600)
        if row.is_code:
            plain, strong = theme.code_font(), theme.code_font()
            strong.setWeight(QFont.Weight.Bold)
        color = theme.color("text.primary" if row.is_enabled else "text.disabled")
        metrics = QFontMetrics(strong if row.matched else plain)
        label, matched = fitted(row.item.label.replace("\n", " "), row.matched, metrics, box.width())
        x = box.x()
        for text, is_matched in split_runs(label, matched):
            matched_color = theme.color("accent.text") if is_matched else color
            x = _draw_run(painter, box, x, text, strong if is_matched else plain, matched_color)
        return x


def _draw_run(painter: QPainter, box: QRect, x: int, text: str, font: QFont, color: object) -> int:
    painter.setFont(font)
    painter.setPen(color)
    painter.drawText(QRect(x, box.y(), box.right() - x + 2, box.height()), Qt.AlignmentFlag.AlignVCenter, text)
    return x + QFontMetrics(font).horizontalAdvance(text)


def fitted(label: str, matched: Sequence[int], metrics: QFontMetrics, width: int) -> tuple[str, tuple[int, ...]]:
    """A label cut with `…` to a width in px so that what was typed shows, and where that stands now.

    Where not all of it shows, the `…` counts as typed.
    """
    shown = metrics.elidedText(label, Qt.TextElideMode.ElideRight, width)
    if shown == label:
        return label, tuple(matched)
    cut = 0
    if matched and max(matched) + AFTER >= len(shown):
        cut = max(min(min(matched) - BEFORE, max(matched) + AFTER - len(shown)), 0)
    if cut:
        label = ELLIPSIS + label[cut:]
        matched = [place - cut + 1 for place in matched]
        shown = metrics.elidedText(label, Qt.TextElideMode.ElideRight, width)
    last = len(shown) - 1
    return shown, tuple(dict.fromkeys(min(place, last) for place in matched))


def split_runs(label: str, matched: Sequence[int]) -> list[tuple[str, bool]]:
    """A label in runs of letters that were typed or not."""
    runs: list[tuple[str, bool]] = []
    wanted = set(matched)
    for place, letter in enumerate(label):
        is_matched = place in wanted
        if runs and runs[-1][1] == is_matched:
            runs[-1] = (runs[-1][0] + letter, is_matched)
        else:
            runs.append((letter, is_matched))
    return runs
