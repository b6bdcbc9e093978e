"""The list of all commands with their keys, as a model and the way its rows are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from redraft.host.keybindings import USER
from redraft.host.registries import Registries
from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

ROW = 34
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class KeyRow:
    """One command and its keys.

    Attributes:
        keys: As labels, the one shown in menus first.
        is_changed: Whether the user chose them.
    """

    command: str
    title: str
    category: str
    keys: tuple[str, ...] = ()
    is_changed: bool = False

    @property
    def words(self) -> str:
        """All that can be searched."""
        return " ".join((self.category, self.title, self.command, *self.keys))


def key_rows(registries: Registries) -> list[KeyRow]:
    """All commands by category and title; those whose keys need a further word (a number of a tab) are left out."""
    keymap = registries.keymap
    bindings = keymap.all()
    changed = {binding.command for binding in bindings if binding.source == USER} | keymap.unbound_commands
    with_words = {binding.command for binding in bindings if binding.args}
    return sorted(
        (
            KeyRow(
                command.id,
                command.title.removesuffix("…"),
                command.category,
                tuple(str(key) for key in keymap.keys(command.id)),
                command.id in changed,
            )
            for command in registries.commands.all()
            if command.id not in with_words
        ),
        key=lambda row: (row.category, row.title),
    )


class KeyListModel(QAbstractListModel):
    """The rows that are shown."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[KeyRow] = []

    def set_rows(self, rows: Sequence[KeyRow]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row_at(self, index: Index) -> KeyRow | None:
        """The row of an index."""
        return self._rows[index.row()] if index.isValid() else None

    def place_of(self, command: str) -> int:
        """Where a command stands; -1 where it does not."""
        return next((place for place, row in enumerate(self._rows) if row.command == command), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row_at(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            keys = ", ".join(row.keys) or "no key"
            return f"{row.category}, {row.title}, {keys}{', changed' if row.is_changed else ''}"
        return None


class KeyRowDelegate(QStyledItemDelegate):
    """Draws category, title and keys."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self.theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        row = model.row_at(index) if isinstance(model, KeyListModel) else None
        if row is None:
            return
        theme = self.theme
        box: QRect = option.rect
        is_current = bool(option.state & QStyle.StateFlag.State_Selected)
        if is_current:
            inner = box.adjusted(5, 1, -5, -1)
            draw_box(painter, inner, theme.radius("medium"), fill=theme.color("surface.3"))
            if self._view.hasFocus():
                draw_focus_ring(painter, inner, theme.radius("medium"), theme)
        if row.is_changed:
            painter.fillRect(QRect(box.left(), box.top() + 6, 3, box.height() - 12), theme.color("accent.bar"))
        self._draw_words(painter, box, row, is_current=is_current)

    def _draw_words(self, painter: QPainter, box: QRect, row: KeyRow, *, is_current: bool) -> None:
        theme, middle = self.theme, Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("text.muted"))
        painter.drawText(box.adjusted(15, 0, 0, 0), middle, row.category)
        painter.setFont(theme.font("body", weight=500 if is_current else None))
        painter.setPen(theme.color("text.primary"))
        painter.drawText(box.adjusted(115, 0, 0, 0), middle, row.title)
        painter.setFont(theme.font("micro"))
        right = box.right() - 14
        for key in reversed(row.keys):
            width = QFontMetrics(theme.font("micro")).horizontalAdvance(key) + 12
            badge = QRect(right - width, box.center().y() - 8, width, 18)
            edge = theme.color("border.default") if theme.shows_edges else None
            fill = theme.color("surface.4" if is_current else "surface.3")
            draw_box(painter, badge, theme.radius("small"), fill=fill, edge=edge)
            painter.setPen(theme.color("text.secondary"))
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, key)
            right -= width + 6


class KeyList(QListView):
    """Shows the rows; Enter or a double click wants another key, Delete none."""

    change_wanted = Signal()
    clear_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.rows = KeyListModel(self)
        self.setModel(self.rows)
        self._delegate = KeyRowDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setAccessibleName("Commands and their keys")
        self.setViewportMargins(0, 4, 0, 4)
        self.doubleClicked.connect(lambda _index: self.change_wanted.emit())

    @property
    def current(self) -> KeyRow | None:
        """The row that is chosen."""
        return self.rows.row_at(self.currentIndex())

    def choose(self, command: str) -> None:
        """Choose the row of a command, or the first one."""
        place = max(self.rows.place_of(command), 0)
        index = self.rows.index(place, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._delegate.theme = theme
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.change_wanted.emit()
            return
        if event.key() == Qt.Key.Key_Delete:
            self.clear_wanted.emit()
            return
        super().keyPressEvent(event)
