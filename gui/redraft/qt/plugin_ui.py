"""The window's voice for plugins: toasts, lists to choose from, status items, new tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication

from redraft.api.menu import MenuModel
from redraft.api.prompt_block import Tone
from redraft.api.ui import PanelModel, PickItem, StatusItem, StatusModel
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.status_menu import StatusMenu
from redraft.qt.workbench import Workbench


class StatusPlace:
    """One plugin's place in the status bar (an `api.StatusItem`)."""

    def __init__(self, workbench: Workbench, item_id: str) -> None:
        self._bench = workbench
        self._item_id = item_id

    def update(self, model: StatusModel | None) -> None:
        """Show something else, or nothing."""
        self._bench.window.status.set_item(self._item_id, model)

    def dispose(self) -> None:
        """Take the item away."""
        self.update(None)


class WindowVoice:
    """Implements `api.UserInterface`."""

    def __init__(self, workbench: Workbench, open_settings: Callable[[str], None]) -> None:
        self._bench = workbench
        self._open_settings = open_settings

    def notify(
        self,
        text: str,
        *,
        action: str = "",
        on_action: Callable[[], None] | None = None,
        tone: Tone = Tone.PLAIN,
    ) -> None:
        """Say one sentence that has no place in a block."""
        self._bench.say(text, action=action, on_action=on_action, tone=tone)

    def announce(self, text: str) -> None:
        """Say a sentence to screen readers only."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._bench.window, text))

    def pick(
        self,
        title: str,
        items: Sequence[PickItem],
        *,
        on_chosen: Callable[[str], None],
        current: str = "",
    ) -> None:
        """Let the user choose from a searchable list."""
        rows = tuple(PickRow(item) for item in items)
        self._bench.window.picker.ask(Question(title, rows, current=current), on_chosen=on_chosen)

    def show_menu(self, item_id: str, menu: MenuModel, *, on_chosen: Callable[[str], None]) -> None:
        """Open a menu at an item of the status bar, or at the window's corner where it is not shown."""
        shown = StatusMenu(self._bench.themes.theme, menu, on_chosen, self._bench.window)
        shown.open_at(self._bench.window.status.item(item_id) or self._bench.window.status)

    def show_text(self, title: str, text: str, language_id: str = "plaintext") -> None:
        """Open a new unsaved tab with some text."""
        self._bench.documents.new(text, title, language_id)

    def copy(self, text: str) -> None:
        """Put text on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def status_item(self, item_id: str) -> StatusItem:
        """A place in the status bar of one's own."""
        return StatusPlace(self._bench, item_id)

    def show_panel(self, panel_id: str, model: PanelModel) -> None:
        """Show a list of rows to look at, searchable like every other list; or a text, in a tab."""
        if model.text:
            self.show_text(model.title, model.text)
        else:
            self.pick(model.title, model.rows, on_chosen=lambda _chosen: None)

    def open_settings(self, page: str = "") -> None:
        """Open the settings at a page (`"models"`)."""
        self._open_settings(page)
