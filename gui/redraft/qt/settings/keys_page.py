"""The page of keys: every command with its key, changed by pressing another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout

from redraft.api.prompt_block import ActionStyle
from redraft.core.errors import ConfigError
from redraft.host.assembly import KEYS_SETTING
from redraft.host.keybindings import rebound, restored, user_keys
from redraft.host.keys import Key
from redraft.qt.palette.matching import rank
from redraft.qt.settings.fields import TextField
from redraft.qt.settings.key_capture import KeyCapture
from redraft.qt.settings.key_list import KeyList, key_rows
from redraft.qt.settings.page import Page
from redraft.qt.settings.sections import Section
from redraft.qt.settings.services import SettingsServices
from redraft.qt.settings.surfaces import Card, Words
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton
from redraft.qt.widgets.nesting import nest

SMALLEST_LIST = 300


class KeysPage(Page):
    """Lists the commands, and gives the chosen one another key, none, or its own again."""

    def __init__(self, theme: Theme, about: Section, services: SettingsServices) -> None:
        super().__init__(theme, about)
        self._services = services
        self._registries = services.registries
        self.filter = TextField(theme)
        self.filter.setPlaceholderText("Search commands and keys")
        self.filter.setAccessibleName("Search commands and keys")
        self.capture = KeyCapture(theme, self._registries)
        self.list = KeyList(theme)
        self.change = KeyButton(theme, "Change key", key="Enter")
        self.clear = KeyButton(theme, "No key", key="Del")
        self.reset = KeyButton(theme, "Reset", icon="reset")
        self.reset_all = KeyButton(theme, "Reset all", style=ActionStyle.FLAT)
        self.fault = Words(theme, color="state.error")
        self.conflicts = Words(theme, color="state.warn")
        self._lay_out()
        self._connect()
        self.refresh()

    def refresh(self) -> None:
        """Show the keys in force."""
        before = self.list.current
        rows = key_rows(self._registries)
        typed = self.filter.value()
        if typed.strip():
            rows = [rows[match.place] for match in rank(typed, [row.words for row in rows], len(rows))]
        self.list.rows.set_rows(rows)
        self.list.choose(before.command if before else "")
        self._show_conflicts()
        self._show_actions()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.filter, 1)
        for button in (self.change, self.clear, self.reset, self.reset_all):
            buttons.addWidget(button)
        nest(self.body, buttons)
        self.body.addWidget(self.capture)
        self.body.addWidget(self.fault)
        self.body.addWidget(self.conflicts)
        card = Card(self.theme)
        card.add_row(self.list)
        self.list.setMinimumHeight(SMALLEST_LIST)
        self.body.addWidget(card, 1)
        self.fill_height()
        self.fault.hide()

    def _connect(self) -> None:
        self.filter.textChanged.connect(lambda _text: self.refresh())
        self.list.change_wanted.connect(self._on_change)
        self.list.clear_wanted.connect(self._on_clear)
        self.list.selectionModel().currentChanged.connect(lambda _new, _old: self._show_actions())
        self.change.clicked.connect(lambda _=False: self._on_change())
        self.clear.clicked.connect(lambda _=False: self._on_clear())
        self.reset.clicked.connect(lambda _=False: self._on_reset())
        self.reset_all.clicked.connect(lambda _=False: self._save([]))
        self.capture.taken.connect(self._on_taken)
        self.capture.left.connect(self.list.setFocus)
        self.kept.add(self._registries.keymap.on_did_change(self.refresh))
        self.kept.add(self._registries.commands.on_did_change(self.refresh))

    def _show_actions(self) -> None:
        row = self.list.current
        self.change.setEnabled(row is not None)
        self.clear.setEnabled(row is not None and bool(row.keys))
        self.reset.setEnabled(row is not None and row.is_changed)
        self.reset_all.setEnabled(bool(self._entries))

    def _show_conflicts(self) -> None:
        _, faults = user_keys(self._entries)
        sentences = [*map(str, faults), *(f"{conflict}." for conflict in self._registries.keymap.conflicts())]
        self.conflicts.setText("\n".join(sentences))
        self.conflicts.setVisible(bool(sentences))

    @property
    def _entries(self) -> Sequence[Mapping[str, Any]]:
        entries: Sequence[Mapping[str, Any]] = self._services.store.get(KEYS_SETTING)
        return entries

    def _on_change(self) -> None:
        row = self.list.current
        if row is not None:
            self.capture.ask(row.command)
            self.ensureWidgetVisible(self.capture)

    def _on_taken(self, command: str, key: Key) -> None:
        bindings = [binding for binding in self._registries.keymap.declared() if binding.command == command]
        when = bindings[0].when.text if bindings else ""
        self._save(rebound(self._entries, command, key, when=when))

    def _on_clear(self) -> None:
        row = self.list.current
        if row is not None and row.keys:
            self._save(rebound(self._entries, row.command, None))

    def _on_reset(self) -> None:
        row = self.list.current
        if row is not None:
            self._save(restored(self._entries, row.command))

    def _save(self, entries: list[dict[str, Any]]) -> None:
        store = self._services.store
        try:
            if entries:
                store.set(KEYS_SETTING, entries)
            else:
                store.reset(KEYS_SETTING)
        except ConfigError as error:
            self.fault.setText(str(error))
            self.fault.show()
        else:
            self.fault.hide()
            self.refresh()
