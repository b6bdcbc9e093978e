"""The window of the settings: its title row, the sections at the left, and one page at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from redraft.api.disposable import DisposableStack
from redraft.core.errors import ConfigError
from redraft.qt.settings.about_page import AboutPage
from redraft.qt.settings.banner import ProblemBanner
from redraft.qt.settings.keys_page import KeysPage
from redraft.qt.settings.models_page import ModelsPage
from redraft.qt.settings.nav import Navigation
from redraft.qt.settings.page import Page
from redraft.qt.settings.plugins_page import PluginsPage
from redraft.qt.settings.presets_page import PresetsPage
from redraft.qt.settings.privacy_page import PrivacyPage
from redraft.qt.settings.results_page import ResultsPage
from redraft.qt.settings.sections import Section, section
from redraft.qt.settings.services import SettingsServices
from redraft.qt.settings.surfaces import retheme
from redraft.qt.settings.table_page import TablePage
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, PlainLabel
from redraft.qt.widgets.nesting import nest
from redraft.qt.widgets.painting import draw_box

SIZE = (1080, 748)
SMALLEST = (820, 480)
EDGE = 5
SEARCH_KEY = "Ctrl+F"
PageMaker = Callable[[Theme, Section, SettingsServices], Page]
PAGES: Final[Mapping[str, PageMaker]] = {
    "keys": KeysPage,
    "models": ModelsPage,
    "prompts": PresetsPage,
    "plugins": PluginsPage,
    "privacy": PrivacyPage,
    "about": AboutPage,
}


class TitleRow(QWidget):
    """The title and the cross; the window is moved by it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.close_button = IconButton(theme, "close", "Close", key="Esc", icon_size=14)
        self._title = PlainLabel(
            theme, "Settings", color="text.primary", weight=600, align=Qt.AlignmentFlag.AlignHCenter
        )
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8 + 26, 0, 8, 0)
        layout.setSpacing(0)
        layout.addWidget(self._title, 1)
        layout.addWidget(self.close_button)
        self.setFixedHeight(theme.size("header") - 1)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self._theme.color("border.soft"))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        handle = self.window().windowHandle()
        if event.button() == Qt.MouseButton.LeftButton and handle is not None:
            handle.startSystemMove()


class SettingsWindow(QDialog):
    """Shows the pages; each is made when it is first looked at."""

    closed = Signal()

    def __init__(self, theme: Theme, services: SettingsServices, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self.services = services
        self._kept = DisposableStack()
        self._pages: dict[str, Page] = {}
        self._last_shown = ""
        self._asks = True
        self.setWindowTitle("Settings")
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setMouseTracking(True)
        self.title = TitleRow(theme)
        self.nav = Navigation(theme, SEARCH_KEY)
        self.banner = ProblemBanner(theme)
        self.stack = QStackedWidget()
        self.results = ResultsPage(theme, services)
        self.stack.addWidget(self.results)
        self._lay_out()
        self._connect()
        self.show_page("")

    @property
    def page(self) -> Page:
        """The page on screen."""
        shown = self.stack.currentWidget()
        return shown if isinstance(shown, Page) else self.results

    def show_page(self, name: str) -> None:
        """Show a section by its id, and an entry of it as in `"models/NAME"`; an unknown one shows the first."""
        name, _, entry = name.partition("/")
        about = section(name)
        if about.id not in self._pages:
            page = PAGES.get(about.id, TablePage)(self._theme, about, self.services)
            self._pages[about.id] = page
            self.stack.addWidget(page)
        self.nav.search.blockSignals(True)
        self.nav.search.clear()
        self.nav.search.blockSignals(False)
        self.nav.set_current(about.id)
        self.stack.setCurrentWidget(self._pages[about.id])
        if entry:
            self._pages[about.id].show_entry(entry)

    def set_theme(self, theme: Theme) -> None:
        """Draw everything in another theme."""
        self._theme = theme
        retheme(self, theme)
        self.update()

    def refresh(self) -> None:
        """Read the file again if another program changed it, and show what holds."""
        self.services.store.reload()
        self._show_problems()
        self._count()

    def _lay_out(self) -> None:
        self.resize(*SIZE)
        self.setMinimumSize(*SMALLEST)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.banner)
        right.addWidget(self.stack, 1)
        below = QHBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.nav)
        nest(below, right, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.title)
        nest(layout, below, 1)

    def _connect(self) -> None:
        store, plugins = self.services.store, self.services.plugins
        self.nav.chosen.connect(self.show_page)
        self.nav.searched.connect(self._on_searched)
        self.results.page_wanted.connect(self.show_page)
        self.title.close_button.clicked.connect(lambda _=False: self.close())
        self.banner.open_wanted.connect(self._on_open_file)
        self.banner.start_over_wanted.connect(self._on_start_over)
        QShortcut(QKeySequence(SEARCH_KEY), self, self._on_search_key)
        self._kept.add(store.on_did_load(lambda _problems: self.refresh()))
        for name in ("models", "presets"):
            self._kept.add(store.on_did_change(name, lambda _value: self._count()))
        self._kept.add(plugins.manager.on_did_change(lambda _status: self._count()))
        self._show_problems()
        self._count()

    def _count(self) -> None:
        services = self.services
        models = len(services.store.get("models")) + len(services.models.downloading_providers())
        self.nav.set_counts({"models": models, "plugins": len(services.plugins.manager.statuses())})

    def _show_problems(self) -> None:
        self.banner.show_problems(self.services.store.problems)

    def _on_searched(self, typed: str) -> None:
        if not typed.strip():
            self.show_page(self._last_shown)
            return
        if self.nav.current:
            self._last_shown = self.nav.current
        self.nav.set_current("")
        self.results.search(typed)
        self.stack.setCurrentWidget(self.results)

    def _on_search_key(self) -> None:
        self.nav.search.setFocus()
        self.nav.search.selectAll()

    def _on_open_file(self) -> None:
        store = self.services.store
        line = next((problem.line for problem in store.problems), 0)
        self.services.open_file(store.path, line)

    def _on_start_over(self) -> None:
        try:
            self.services.store.start_over()
        except ConfigError as error:
            self.banner.words.setText(str(error))
        else:
            self.refresh()

    def _edges_at(self, point: QPoint) -> Qt.Edge:
        edges = Qt.Edge(0)
        for near, edge in (
            (point.x() < EDGE, Qt.Edge.LeftEdge),
            (point.x() >= self.width() - EDGE, Qt.Edge.RightEdge),
            (point.y() < EDGE, Qt.Edge.TopEdge),
            (point.y() >= self.height() - EDGE, Qt.Edge.BottomEdge),
        ):
            if near:
                edges |= edge
        return edges

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self.refresh()
        return super().event(event)

    def close_now(self) -> None:
        """Close without asking, as at the end of the program."""
        self._asks = False
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._asks and not all(page.may_close() for page in self._pages.values()):
            event.ignore()
            return
        for page in (*self._pages.values(), self.results):
            page.stop()
        self._kept.dispose()
        super().closeEvent(event)
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.nav.search.text():
                self.nav.search.clear()
            else:
                self.close()
            return
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            return  # a dialog would press some button
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        handle, edges = self.windowHandle(), self._edges_at(event.position().toPoint())
        if edges and handle is not None:
            handle.startSystemResize(edges)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_box(painter, self.rect(), theme.radius("window"), fill=theme.color("surface.1"))
        right = QRect(self.nav.width() + 1, self.title.height() + 1, self.width(), self.height())
        painter.save()
        painter.setClipRect(right)
        draw_box(painter, self.rect(), theme.radius("window"), fill=theme.color("surface.0"))
        painter.restore()
        draw_box(painter, self.rect(), theme.radius("window"), fill=None, edge=theme.color("border.default"))
        painter.end()
