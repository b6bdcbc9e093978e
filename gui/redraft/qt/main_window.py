"""The main window: the frame around the text. It shows what it is told and reports what the user wants."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.qt.documents.document import Document
from redraft.qt.documents.view import DocumentView
from redraft.qt.frame.folder_model import FolderModel
from redraft.qt.frame.side_handle import SideHandle
from redraft.qt.frame.sidebar import Sidebar
from redraft.qt.frame.split_area import SplitArea
from redraft.qt.frame.status_bar import StatusBar
from redraft.qt.frame.tab_button import TabModel
from redraft.qt.frame.tabs import TabStrip
from redraft.qt.frame.toast import Toasts
from redraft.qt.palette.picker import Picker
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton
from redraft.qt.widgets.nesting import nest

SIZE = (1440, 900)
SMALLEST = (560, 360)


class HeaderRow(QWidget):
    """Tabs, and the buttons at their right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.tabs = TabStrip(theme)
        self.menu = IconButton(theme, "menu", "Menu")
        self.menu.hide()
        self.split = IconButton(theme, "split", "Split view")
        self.more = IconButton(theme, "more", "More")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.setSpacing(2)
        layout.addWidget(self.menu)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.split)
        layout.addWidget(self.more)
        self.setFixedHeight(theme.size("header"))

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for widget in (self.tabs, self.menu, self.split, self.more):
            widget.set_theme(theme)
        self.update()

    def show_menu_button(self, shown: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Whether the menu stands here, as while the side bar is hidden."""
        self.menu.setVisible(shown)
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(7 if shown else 0, 0, 8, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface.1"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self._theme.color("border.soft"))
        painter.end()


class MainWindow(QWidget):
    """Side bar at the left, tabs over the text, status bar below."""

    close_wanted = Signal()
    dropped = Signal(list)
    activated = Signal()
    sidebar_changed = Signal()
    document_entered = Signal(int)
    """The keyboard went into the text beside the one in front; its number."""

    def __init__(self, theme: Theme, folder_model: FolderModel) -> None:
        super().__init__()
        self._theme = theme
        self._views: dict[int, DocumentView] = {}
        self._may_close = False
        self.sidebar = Sidebar(theme, folder_model)
        self.header = HeaderRow(theme)
        self.status = StatusBar(theme)
        self.area = SplitArea(theme)
        self.area.entered.connect(self._on_entered)
        self._lay_out()
        self.handle = SideHandle(self)
        self.handle.dragged_to.connect(self._on_dragged)
        self.handle.reset_wanted.connect(self._on_reset)
        self.picker = Picker(theme, self)
        self.picker.keyboard_free.connect(self.focus_text)
        self.toasts = Toasts(theme, self)
        self.setWindowTitle("Redraft")
        self.setAcceptDrops(True)
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        self.set_sidebar_width(theme.size("sidebar"))
        self.focus_text()

    @property
    def tabs(self) -> TabStrip:
        """The row of tabs."""
        return self.header.tabs

    @property
    def sidebar_width(self) -> int:
        """How wide the side bar is, shown or not."""
        return self.sidebar.maximumWidth()

    def set_theme(self, theme: Theme) -> None:
        """Draw everything in another theme."""
        self._theme = theme
        for part in (self.sidebar, self.header, self.status, self.area, self.picker, self.toasts):
            part.set_theme(theme)
        for view in self._views.values():
            view.set_theme(theme)
        self.update()

    def add_document(self, document: Document) -> DocumentView:
        """Make room for a file."""
        view = DocumentView(self._theme, document.editor)
        self._views[document.number] = view
        self.area.add(view)
        return view

    def remove_document(self, document: Document) -> None:
        """Take a file's view away."""
        view = self._views.pop(document.number, None)
        if view is not None:
            self.area.remove(view)
            view.hide()
            view.deleteLater()

    def view_of(self, document: Document) -> DocumentView:
        """The view of a file."""
        return self._views[document.number]

    def show_document(self, document: Document | None) -> None:
        """Bring a file to the front, or show that none is open."""
        view = self._views[document.number] if document else None
        self.area.show_page(view)
        focus: QWidget | None = self.focusWidget()  # the stubs say there always is one
        if view is None or focus is None or not view.isAncestorOf(focus):
            self.focus_text()

    @property
    def shown_documents(self) -> tuple[int | None, ...]:
        """The numbers of the files on screen, from left to right; `None` for an empty side."""
        numbers = {view: number for number, view in self._views.items()}
        return tuple(numbers.get(page) if isinstance(page, DocumentView) else None for page in self.area.pages)

    def split(self, document: Document | None) -> None:
        """Show a file beside the one in front, or room for one."""
        self.area.split(self._views[document.number] if document else None)
        self.focus_text()

    def join(self) -> None:
        """Show only the file in front."""
        self.area.join()
        self.focus_text()

    def set_tabs(self, tabs: list[TabModel], current: int | None) -> None:
        """Show these tabs."""
        self.header.tabs.set_tabs(tabs, current)

    def set_folder(self, folder: Path | None) -> None:
        """Show a folder in the side bar."""
        self.sidebar.set_folder(folder)

    def set_sidebar_width(self, width: int) -> None:
        """Make the side bar wider or narrower, within its bounds."""
        width = max(self._theme.size("sidebar_min"), min(width, 400))
        self.sidebar.setFixedWidth(width)
        self._place_handle()

    def show_sidebar(self, shown: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Show or hide the side bar."""
        self.sidebar.setVisible(shown)
        self.header.show_menu_button(not shown)
        self._place_handle()
        self.sidebar_changed.emit()

    @property
    def is_sidebar_shown(self) -> bool:
        """Whether the side bar is on screen."""
        return not self.sidebar.isHidden()

    def focus_text(self) -> None:
        """Give the keyboard to the text in front."""
        page = self.area.current
        if isinstance(page, DocumentView):
            page.editor.focus_text()
        else:
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def regions(self) -> list[QWidget]:
        """The parts of the window the keyboard can go to, each with what takes it there, in their order."""
        texts = [self.area.current, *self.area.others]
        tab = next((button for button in self.tabs.buttons if button.isChecked()), None)
        parts = (
            *(page.editor if isinstance(page, DocumentView) else page for page in texts),
            self.sidebar.entry,
            tab,
            self.status.entry,
        )
        return [part for part in parts if part is not None and part.isVisible()]

    def focus_region(self, step: int) -> None:
        """Give the keyboard to the next part of the window, or the one before (-1)."""
        regions = self.regions
        focus: QWidget | None = self.focusWidget()  # the stubs say there always is one
        owners = [region.parentWidget() or region for region in regions]
        here = next((place for place, owner in enumerate(owners) if focus is not None and owner.isAncestorOf(focus)), 0)
        target = regions[(here + step) % len(regions)]
        QWidget.setFocus(target, Qt.FocusReason.ShortcutFocusReason)  # Scintilla's own hides Qt's

    def finish(self) -> None:
        """Close for good; nothing is asked any more."""
        self._may_close = True
        self.close()

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.header)
        right.addWidget(self.area, 1)
        top = QHBoxLayout()
        top.setSpacing(0)
        top.addWidget(self.sidebar)
        nest(top, right, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        nest(layout, top, 1)
        layout.addWidget(self.status)

    def _place_handle(self) -> None:
        self.handle.setVisible(self.is_sidebar_shown)
        self.handle.place(self.sidebar.width(), self.height() - self.status.height())

    def _on_entered(self, page: QWidget | None) -> None:
        number = next((number for number, view in self._views.items() if view is page), None)
        if number is not None:
            self.document_entered.emit(number)

    def _on_dragged(self, x: int) -> None:
        self.set_sidebar_width(x)
        self.sidebar_changed.emit()

    def _on_reset(self) -> None:
        self._on_dragged(self._theme.size("sidebar"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_handle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape, where nothing else wants it, leads back to the text."""
        if event.key() == Qt.Key.Key_Escape:
            self.focus_text()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.activated.emit()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            event.accept()
        else:
            event.ignore()
            self.close_wanted.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dropped.emit(paths)
