"""Opens the settings window over the main one, once; its code is fetched when it is first wanted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from redraft.qt.documents.document import Document
from redraft.qt.settings.services import SettingsServices
from redraft.qt.theme import Theme
from redraft.qt.workbench import Workbench

if TYPE_CHECKING:
    from redraft.qt.settings.window import SettingsWindow


class SettingsOpener(QObject):
    """Shows the settings at a page, and keeps them in step with the file and the theme."""

    def __init__(self, workbench: Workbench, services: SettingsServices) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._services = services
        self._window: SettingsWindow | None = None
        workbench.themes.changed.connect(self._on_theme_changed)
        workbench.documents.saved.connect(self._on_saved)
        workbench.window.activated.connect(self._on_activated)

    @property
    def window(self) -> SettingsWindow | None:
        """The window, while it is open."""
        return self._window

    def open(self, page: str = "") -> None:
        """Show the settings, at a page where one is named (`"models"`)."""
        if self._window is None:
            # Server protocols and their HTTP library come with it; starting up has no use for them.
            from redraft.qt.settings.window import SettingsWindow  # noqa: PLC0415 - see above

            self._window = SettingsWindow(self._bench.themes.theme, self._services, self._bench.window)
            self._window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self._window.closed.connect(self._on_closed)
            self._window.show_page(page)
            self._window.show()
            self._window.nav.focus_current()
        elif page:
            self._window.show_page(page)
        self._window.activateWindow()

    def stop(self) -> None:
        """Close the window."""
        if self._window is not None:
            self._window.close_now()

    def _on_closed(self) -> None:
        self._window = None

    def _on_theme_changed(self, theme: Theme) -> None:
        if self._window is not None:
            self._window.set_theme(theme)

    def _on_activated(self) -> None:
        """Another program may have changed the file meanwhile."""
        self._services.store.reload()

    def _on_saved(self, document: Document) -> None:
        """The settings file was written in the editor: what it says holds at once."""
        if document.path is not None and _is_same(document.path, self._services.store.path):
            self._services.store.reload()


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
