"""The page of plugins: what each is for, whether it runs, what went wrong in it, and its settings."""

from __future__ import annotations

from functools import partial
from itertools import groupby

from redraft.api.prompt_block import Tone
from redraft.core.errors import ConfigError
from redraft.host.manager import PluginState, PluginStatus
from redraft.qt.settings.chips import Mark
from redraft.qt.settings.fields import Switch
from redraft.qt.settings.rows import ActionRow
from redraft.qt.settings.sections import settings_of
from redraft.qt.settings.surfaces import Card
from redraft.qt.settings.table_page import TablePage
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton

MARKS = {
    PluginState.READY: ("ready", Tone.PLAIN),
    PluginState.ACTIVE: ("running", Tone.OK),
    PluginState.OFF: ("off", Tone.PLAIN),
    PluginState.FAULTY: ("stopped after faults", Tone.ERROR),
}


class PluginRow(ActionRow):
    """One plugin, with the switch that turns it on and off and, after faults, the button that brings it back."""

    def __init__(self, theme: Theme, status: PluginStatus) -> None:
        manifest = status.plugin.manifest
        super().__init__(theme, f"{manifest.name} {manifest.version}", manifest.description, icon="settings_plugins")
        self.mark = Mark(theme)
        self.again = KeyButton(theme, "Bring it back", icon="retry")
        self.switch = Switch(theme)
        self.switch.setAccessibleName(f"{manifest.name} is on")
        for part in (self.mark, self.again, self.switch):
            self.add(part)
        self.show_status(status)

    def show_status(self, status: PluginStatus) -> None:
        """Show what the plugin does now."""
        is_faulty = status.state is PluginState.FAULTY
        self.mark.set_mark(*MARKS[status.state])
        self.again.setVisible(is_faulty)
        self.switch.set_value(status.state in {PluginState.READY, PluginState.ACTIVE})
        self.show_fault(f"{status.last_fault} (fault {status.faults})" if status.last_fault else "")


class PluginsPage(TablePage):
    """The plugins, what could not be loaded, and the settings of plugins without a page of their own."""

    def build(self) -> None:
        """Fill the page."""
        manager = self.services.plugins.manager
        self.plugins: dict[str, PluginRow] = {}
        card = Card(self.theme)
        for status in manager.statuses():
            row = PluginRow(self.theme, status)
            plugin_id = status.plugin.manifest.id
            row.switch.committed.connect(partial(self._on_switched, plugin_id))
            row.again.clicked.connect(partial(self._on_again, plugin_id))
            self.plugins[plugin_id] = row
            card.add_row(row)
        for fault in self.services.plugins.services.discovery.faults:
            row_of_fault = ActionRow(self.theme, "A plugin cannot be used", icon="problem")
            row_of_fault.show_fault(str(fault))
            card.add_row(row_of_fault)
        self.body.addWidget(card)
        self.kept.add(manager.on_did_change(self._on_changed))
        self._add_settings_by_plugin()

    def _add_settings_by_plugin(self) -> None:
        names = {
            prefix: status.plugin.manifest.name
            for status in self.services.plugins.manager.statuses()
            for prefix in (status.plugin.manifest.id,)
        }
        settings = settings_of(self.about, self.services.store.schema)
        for table, group in groupby(settings, key=lambda setting: setting.section):
            self.add_heading(names.get(table, table))
            self.add_settings(list(group))

    def _on_changed(self, status: PluginStatus) -> None:
        row = self.plugins.get(status.plugin.manifest.id)
        if row is not None:
            row.show_status(status)

    def _on_switched(self, plugin_id: str) -> None:
        self._set_enabled(plugin_id, enabled=self.plugins[plugin_id].switch.value())

    def _on_again(self, plugin_id: str, _checked: object = None) -> None:
        self._set_enabled(plugin_id, enabled=True)

    def _set_enabled(self, plugin_id: str, *, enabled: bool) -> None:
        row = self.plugins[plugin_id]
        try:
            self.services.plugins.set_enabled(plugin_id, enabled=enabled)
        except ConfigError as error:
            row.show_fault(str(error))
