"""The window's voice: sentences, lists to choose from, menus and items of the status bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from redraft.api.disposable import Disposable
from redraft.api.menu import MenuModel
from redraft.api.prompt_block import Tone


@dataclass(frozen=True, slots=True)
class StatusModel:
    """An item of the status bar; what goes on stands at the left, what is so at the right."""

    text: str
    icon: str = ""
    tone: Tone = Tone.PLAIN
    tooltip: str = ""
    command: str = ""
    busy: bool = False
    at_right: bool = False


@dataclass(frozen=True, slots=True)
class PickItem:
    """One choice of a list."""

    id: str
    label: str
    detail: str = ""
    icon: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class PanelModel:
    """A list of rows in a side panel or popup."""

    title: str
    rows: tuple[PickItem, ...] = ()
    text: str = ""


class StatusItem(Disposable, Protocol):
    """A place in the status bar."""

    def update(self, model: StatusModel | None) -> None:
        """Show something else, or nothing."""
        ...


class UserInterface(Protocol):
    """The window's voice."""

    def notify(
        self,
        text: str,
        *,
        action: str = "",
        on_action: Callable[[], None] | None = None,
        tone: Tone = Tone.PLAIN,
    ) -> None:
        """Say one sentence that has no place in a block."""
        ...

    def announce(self, text: str) -> None:
        """Say a sentence to screen readers only."""
        ...

    def pick(
        self,
        title: str,
        items: Sequence[PickItem],
        *,
        on_chosen: Callable[[str], None],
        current: str = "",
    ) -> None:
        """Let the user choose from a searchable list."""
        ...

    def show_menu(self, item_id: str, menu: MenuModel, *, on_chosen: Callable[[str], None]) -> None:
        """Open a menu at one's item of the status bar."""
        ...

    def show_text(self, title: str, text: str, language_id: str = "plaintext") -> None:
        """Open a new unsaved tab with some text."""
        ...

    def copy(self, text: str) -> None:
        """Put text on the clipboard."""
        ...

    def status_item(self, item_id: str) -> StatusItem:
        """A place in the status bar of one's own."""
        ...

    def show_panel(self, panel_id: str, model: PanelModel) -> None:
        """Show a list."""
        ...

    def open_settings(self, page: str = "") -> None:
        """Open the settings at a page (`"models"`); `"models/NAME"` shows one model there and tests its connection."""
        ...
