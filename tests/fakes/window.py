"""The voice and the commands of a window that is not there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from redraft.api.disposable import Disposable, OnDispose
from redraft.api.menu import MenuModel
from redraft.api.prompt_block import Tone
from redraft.api.ui import PanelModel, PickItem, StatusModel


class FakeStatus:
    """An item of the status bar."""

    def __init__(self) -> None:
        self.model: StatusModel | None = None

    def update(self, model: StatusModel | None) -> None:
        self.model = model

    def dispose(self) -> None:
        self.model = None


@dataclass
class FakeUi:
    """Keeps what the window would say."""

    notices: list[str] = field(default_factory=list)
    actions: dict[str, Callable[[], None]] = field(default_factory=dict)
    announcements: list[str] = field(default_factory=list)
    shown: list[tuple[str, str, str]] = field(default_factory=list)
    picks: list[tuple[str, Sequence[PickItem], Callable[[str], None]]] = field(default_factory=list)
    settings_pages: list[str] = field(default_factory=list)
    menus: list[tuple[MenuModel, Callable[[str], None]]] = field(default_factory=list)
    copied: list[str] = field(default_factory=list)
    status: FakeStatus = field(default_factory=FakeStatus)

    def notify(
        self, text: str, *, action: str = "", on_action: Callable[[], None] | None = None, tone: Tone = Tone.PLAIN
    ) -> None:
        self.notices.append(text)
        if on_action is not None:
            self.actions[action] = on_action

    def announce(self, text: str) -> None:
        self.announcements.append(text)

    def pick(
        self, title: str, items: Sequence[PickItem], *, on_chosen: Callable[[str], None], current: str = ""
    ) -> None:
        self.picks.append((title, items, on_chosen))

    def show_menu(self, item_id: str, menu: MenuModel, *, on_chosen: Callable[[str], None]) -> None:
        self.menus.append((menu, on_chosen))

    def show_text(self, title: str, text: str, language_id: str = "plaintext") -> None:
        self.shown.append((title, text, language_id))

    def copy(self, text: str) -> None:
        self.copied.append(text)

    def status_item(self, item_id: str) -> FakeStatus:
        return self.status

    def show_panel(self, panel_id: str, model: PanelModel) -> None:
        raise NotImplementedError

    def open_settings(self, page: str = "") -> None:
        self.settings_pages.append(page)


class FakeCommands:
    """Key labels and context keys."""

    def __init__(self, **labels: str) -> None:
        self.labels = labels
        self.context: dict[str, object] = {}
        self.executed: list[str] = []
        self.details: dict[str, str] = {}
        self.key_listeners: list[Callable[[], None]] = []

    def execute(self, command_id: str, *args: object) -> None:
        self.executed.append(command_id)

    def key_label(self, command_id: str, *args: object) -> str:
        return self.labels.get(" ".join([command_id.rpartition(".")[2], *map(str, args)]), "")

    def on_did_change_keys(self, callback: Callable[[], None]) -> Disposable:
        self.key_listeners.append(callback)
        return OnDispose(lambda: self.key_listeners.remove(callback))

    def set_context(self, name: str, value: object) -> None:
        self.context[name] = value

    def set_detail(self, command_id: str, text: str) -> None:
        self.details[command_id] = text
