"""The folder tree: opens files, and shows which one is in front."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from redraft.qt.frame.folder_model import ROW_ROLE, FolderModel, FolderRow
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

INSET = 8
INDENT = 14
CARET = 12
AnyIndex = QModelIndex | QPersistentModelIndex


class FolderDelegate(QStyledItemDelegate):
    """Draws a row: caret, icon, name; the current file is filled."""

    def __init__(self, theme: Theme, parent: FolderTree) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tree = parent

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        return QSize(0, self._theme.size("tree_row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        theme, row = self._theme, index.data(ROW_ROLE)
        if not isinstance(row, FolderRow):
            return
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        box = rect.adjusted(INSET, 0, -INSET, 0)
        is_current = row.entry.path == self._tree.current_file
        if is_current or state & QStyle.StateFlag.State_MouseOver:
            fill = "surface.3" if is_current else "surface.2" if theme.is_dark else "surface.3"
            edge = theme.color("border.strong") if is_current and theme.shows_edges else None
            draw_box(painter, box, theme.radius("medium"), fill=theme.color(fill), edge=edge)
        self._draw_content(painter, box, row, is_current=is_current)
        has_focus = self._tree.hasFocus() and index.row() == self._tree.currentIndex().row()
        if has_focus:
            draw_focus_ring(painter, box, theme.radius("medium"), theme)

    def _draw_content(self, painter: QPainter, box: QRect, row: FolderRow, *, is_current: bool) -> None:
        theme = self._theme
        painter.setPen(theme.color("text.secondary" if is_current else "text.muted"))
        x = box.x() + 8 + INDENT * row.depth
        middle = box.center().y() + 1
        if row.entry.is_folder:
            glyph = theme.icon_char("expanded" if row.is_open else "collapsed")
            draw_glyph(painter, QRect(x, middle - CARET // 2, CARET, CARET), glyph)
        x += CARET + 7
        name = ("folder_open" if row.is_open else "folder") if row.entry.is_folder else "file"
        draw_glyph(painter, QRect(x, middle - 8, 16, 16), theme.icon_char(name))
        x += 16 + 7
        font = theme.font("body")
        painter.setFont(font)
        painter.setPen(theme.color("text.primary" if is_current else "text.secondary"))
        text = QFontMetrics(font).elidedText(row.entry.name, Qt.TextElideMode.ElideMiddle, box.right() - x - 4)
        painter.drawText(QRect(x, box.y(), box.right() - x, box.height()), Qt.AlignmentFlag.AlignVCenter, text)


class FolderTree(QListView):
    """Click or Enter opens; Left and Right close and open folders."""

    file_chosen = Signal(Path)
    menu_wanted = Signal(Path, QPoint)

    def __init__(self, theme: Theme, model: FolderModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._files = model
        self._current_file: Path | None = None
        self._asked: Path | None = None
        self._is_awaited = False
        self._delegate = FolderDelegate(theme, self)
        self.setModel(model)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setObjectName("folderTree")
        self.setAccessibleName("Files")
        model.rowsInserted.connect(self._on_rows_inserted)
        model.modelReset.connect(self._on_model_reset)

    @property
    def current_file(self) -> Path | None:
        """The file in front."""
        return self._current_file

    def set_current_file(self, path: Path | None) -> None:
        """Fill the row of the file in front; a file that was not, is brought into view with the folders above it."""
        if path == self._asked:
            return
        self._asked = path
        self._current_file = self._files.within(path) if path else None
        self._begin_reveal()
        self.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._delegate.set_theme(theme)
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def _on_rows_inserted(self) -> None:
        if self._is_awaited:
            self._scroll_to_current()

    def _on_model_reset(self) -> None:
        """Another folder: the file in front may lie in it."""
        self._current_file = self._files.within(self._asked) if self._asked else None
        self._begin_reveal()

    def _begin_reveal(self) -> None:
        """Open the folders above the file in front; they are read one after another, so its row may come later."""
        self._is_awaited = self._current_file is not None
        if self._current_file is not None:
            self._files.open_down_to(self._current_file)
            self._scroll_to_current()

    def _scroll_to_current(self) -> None:
        row = self._files.row_of(self._current_file) if self._current_file else None
        if row is not None:
            self._is_awaited = False
            index = self._files.index(row)
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def _activate(self, row: int) -> None:
        entry = self._files.rows[row].entry
        if entry.is_folder:
            self._files.toggle(row)
        else:
            self.file_chosen.emit(entry.path)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            self._activate(index.row())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if index.isValid():
            self.menu_wanted.emit(self._files.rows[index.row()].entry.path, event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if row < 0 or not self._handle_key(event.key(), row):
            super().keyPressEvent(event)

    def _handle_key(self, key: int, row: int) -> bool:
        shown = self._files.rows[row]
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self._activate(row)
        elif shown.entry.is_folder and key == (Qt.Key.Key_Left if shown.is_open else Qt.Key.Key_Right):
            self._files.toggle(row)
        elif key == Qt.Key.Key_Left:
            above = self._files.parent_row(row)
            if above is not None:
                self.setCurrentIndex(self._files.index(above))
        else:
            return False
        return True
