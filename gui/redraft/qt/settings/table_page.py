"""Pages that are made from the declared table: one row for each setting, saved at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from redraft.core.config.schema import Setting
from redraft.core.errors import ConfigError
from redraft.qt.settings.page import Page
from redraft.qt.settings.sections import Section, settings_of
from redraft.qt.settings.services import SettingsServices
from redraft.qt.settings.setting_row import SettingRow
from redraft.qt.settings.surfaces import Card
from redraft.qt.theme import Theme

FIRST_THAT_WORKS = "The first one that works"
MODEL_SETTINGS = {
    "default_models.inline_edit": FIRST_THAT_WORKS,
    "default_models.edit_prediction": "None until switched on",
    "inline_edit.apply_model": "No model",
}
"""Settings that name a model, and what it means when they name none."""


class TablePage(Page):
    """The settings of a section; pages with more to show build on it."""

    def __init__(self, theme: Theme, about: Section, services: SettingsServices) -> None:
        super().__init__(theme, about)
        self.services = services
        self.rows: dict[str, SettingRow] = {}
        self.build()

    def build(self) -> None:
        """Fill the page."""
        self.add_settings(settings_of(self.about, self.services.store.schema))

    def add_settings(self, settings: Sequence[Setting]) -> Card | None:
        """Add a card with some settings; none without any."""
        if not settings:
            return None
        card = Card(self.theme)
        for setting in settings:
            card.add_row(self.make_row(setting))
        self.body.addWidget(card)
        return card

    def make_row(self, setting: Setting) -> SettingRow:
        """A row that follows the setting's value and saves what the user chooses."""
        store = self.services.store
        row = SettingRow(self.theme, setting, self._choices(setting))
        row.wanted.connect(partial(self._save, row))
        row.reset_wanted.connect(partial(self._reset, row))
        self._show(row)
        self.kept.add(store.on_did_change(setting.name, lambda _value: self._show(row)))
        self.rows[setting.name] = row
        return row

    def refresh(self) -> None:
        """Show what holds now, as after the file was read anew."""
        for row in self.rows.values():
            self._show(row)

    def _choices(self, setting: Setting) -> list[tuple[str, str]]:
        nobody = MODEL_SETTINGS.get(setting.name)
        if nobody is None:
            return []
        names = [model.name for model in self.services.models.list_models()]
        return [("", nobody), *((name, name) for name in names)]

    def _show(self, row: SettingRow) -> None:
        store, name = self.services.store, row.setting.name
        row.show_value(store.get(name), changed=store.is_set(name) and store.get(name) != row.setting.default)

    def _save(self, row: SettingRow, value: Any) -> None:
        try:
            self.services.store.set(row.setting.name, value)
        except ConfigError as error:
            row.show_fault(str(error))
        else:
            self._show(row)

    def _reset(self, row: SettingRow) -> None:
        try:
            self.services.store.reset(row.setting.name)
        except ConfigError as error:
            row.show_fault(str(error))
        else:
            self._show(row)
            row.field.setFocus()
