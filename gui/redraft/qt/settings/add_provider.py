"""The menu to add a provider: servers that were found on this computer, then the usual ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from redraft.core.llm.discovery import FoundServer
from redraft.core.llm.registry import PROVIDER_PRESETS
from redraft.core.llm.server import is_loopback
from redraft.core.wording import count_words
from redraft.qt.settings.provider_draft import ProviderDraft, preset_of
from redraft.qt.theme import Theme

LOOKING = "Looking for servers on this computer…"


class AddMenu(QMenu):
    """Hands the draft that is chosen to `on_chosen`."""

    def __init__(
        self, theme: Theme, taken: Collection[str], on_chosen: Callable[[ProviderDraft], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._taken = taken
        self._on_chosen = on_chosen
        self.looking = self.addAction(LOOKING)
        self.looking.setEnabled(False)
        self._line = self.addSeparator()
        for preset in PROVIDER_PRESETS.values():
            is_local = is_loopback(ProviderDraft(base_url=preset.base_url).host.rpartition(":")[0])
            action = self.addAction(theme.icon("model_server" if is_local else "model_cloud"), preset.title)
            action.setToolTip(preset.note)
            action.triggered.connect(lambda _=False, chosen=preset: on_chosen(ProviderDraft.after(chosen, taken)))

    def show_found(self, servers: Sequence[FoundServer], known_hosts: Collection[str]) -> None:
        """Offer the servers that answered and are not set up yet."""
        found = [server for server in servers if ProviderDraft(base_url=server.base_url).host not in known_hosts]
        self.looking.setText("Found on this computer" if found else "No other server runs on this computer")
        for server in found:
            self.insertAction(self._line, self._action_for(server))

    def _action_for(self, server: FoundServer) -> QAction:
        preset = preset_of(server)
        count = len(server.models)
        what = "wants a key" if server.needs_key else count_words(count, "model")
        host = ProviderDraft(base_url=server.base_url).host
        action = QAction(self._theme.icon("model_server"), f"{preset.title} at {host}, {what}", self)
        draft = ProviderDraft.after(preset, self._taken, server)
        action.triggered.connect(lambda _=False: self._on_chosen(draft))
        return action
