"""The window's voice in the hands of one plugin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from redraft.api.disposable import DisposableStack
from redraft.api.menu import MenuModel
from redraft.api.prompt_block import Tone
from redraft.api.ui import PanelModel, PickItem, StatusItem, UserInterface
from redraft.host.guard import Guard


class GuardedVoice:
    """`api.UserInterface` for one plugin."""

    def __init__(self, shared: UserInterface, guard: Guard, kept: DisposableStack) -> None:
        self._shared = shared
        self._guard = guard
        self._kept = kept

    def notify(
        self,
        text: str,
        *,
        action: str = "",
        on_action: Callable[[], None] | None = None,
        tone: Tone = Tone.PLAIN,
    ) -> None:
        """Say one sentence that has no place in a block."""
        guarded = self._guard.wrap(f"“{action}”", on_action) if on_action else None
        self._shared.notify(text, action=action, on_action=guarded, tone=tone)

    def announce(self, text: str) -> None:
        """Say a sentence to screen readers only."""
        self._shared.announce(text)

    def pick(
        self,
        title: str,
        items: Sequence[PickItem],
        *,
        on_chosen: Callable[[str], None],
        current: str = "",
    ) -> None:
        """Let the user choose from a searchable list."""
        self._shared.pick(title, items, on_chosen=self._guard.wrap(f"“{title}”", on_chosen), current=current)

    def show_menu(self, item_id: str, menu: MenuModel, *, on_chosen: Callable[[str], None]) -> None:
        """Open a menu at one's item of the status bar."""
        self._shared.show_menu(item_id, menu, on_chosen=self._guard.wrap(f"“{menu.title}”", on_chosen))

    def show_text(self, title: str, text: str, language_id: str = "plaintext") -> None:
        """Open a new unsaved tab with some text."""
        self._shared.show_text(title, text, language_id)

    def copy(self, text: str) -> None:
        """Put text on the clipboard."""
        self._shared.copy(text)

    def status_item(self, item_id: str) -> StatusItem:
        """A place in the status bar of one's own."""
        item = self._shared.status_item(item_id)
        self._kept.add(item)
        return item

    def show_panel(self, panel_id: str, model: PanelModel) -> None:
        """Show a list."""
        self._shared.show_panel(panel_id, model)

    def open_settings(self, page: str = "") -> None:
        """Open the settings at a page (`"models"`)."""
        self._shared.open_settings(page)
