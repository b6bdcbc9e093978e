"""Joins services, registries and plugins for a window, and keeps them in step with the settings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import Any, Final

from redraft.api.disposable import Disposable, DisposableStack, OnDispose
from redraft.core.errors import ConfigError
from redraft.host.headless import Services
from redraft.host.keybindings import user_keys
from redraft.host.listeners import Listeners
from redraft.host.manager import ContextFactory, PluginManager, PluginState, PluginStatus
from redraft.host.privacy import AI_SETTING
from redraft.host.registries import Registries

DISABLED_SETTING: Final = "plugins.disabled"
KEYS_SETTING: Final = "keybindings"
_log = logging.getLogger(__name__)


class PluginHost:
    """Everything of the host a window needs: `start` it once the window stands, `stop` it before the window goes.

    The user's keys, the AI switch and the plugins turned off follow the settings, whoever changes them.
    """

    def __init__(
        self,
        services: Services,
        context_factory: ContextFactory,
        registries: Registries | None = None,
        *,
        safe_mode: bool = False,
    ) -> None:
        self.services = services
        self.registries = registries or Registries.built_in()
        self.manager = PluginManager(
            services.discovery.plugins,
            context_factory,
            self.registries,
            disabled=services.settings.get(DISABLED_SETTING),
            safe_mode=safe_mode,
        )
        self._faults: Listeners[ConfigError] = Listeners()
        self._subscriptions = DisposableStack()

    def start(self) -> None:
        """Declare what the plugins offer and obey the settings; no plugin code is fetched."""
        settings = self.services.settings
        self._subscriptions.add(self.manager.on_did_change(self._on_plugin_changed))
        self.manager.start()
        for name, obey in (
            (KEYS_SETTING, self._on_keys_changed),
            (AI_SETTING, self._on_ai_changed),
            (DISABLED_SETTING, self._on_disabled_changed),
        ):
            self._subscriptions.add(settings.on_did_change(name, obey))
        self._on_keys_changed(settings.get(KEYS_SETTING))
        self._on_ai_changed(settings.get(AI_SETTING))
        for conflict in self.registries.keymap.conflicts():
            _log.warning("%s", conflict)

    def stop(self) -> None:
        """Take back what the plugins registered."""
        self._subscriptions.dispose()
        self.manager.stop()

    def set_enabled(self, plugin_id: str, *, enabled: bool) -> None:
        """Turn a plugin on or off, and remember it; this is also the one click that brings a faulty one back.

        Raises:
            UsageError: There is no such plugin.
            ConfigError: It cannot be remembered; it holds until the program ends.
        """
        if enabled:
            self.manager.enable(plugin_id)
        else:
            self.manager.disable(plugin_id)
        disabled = sorted(self.manager.disabled)
        if disabled != sorted(self.services.settings.get(DISABLED_SETTING)):
            self.services.settings.set(DISABLED_SETTING, disabled)

    def on_key_fault(self, callback: Callable[[ConfigError], None]) -> Disposable:
        """Hear of the user's keys that make no sense."""
        return OnDispose(self._faults.add(callback))

    def _on_plugin_changed(self, status: PluginStatus) -> None:
        plugin_id = status.plugin.manifest.id
        if status.state in {PluginState.READY, PluginState.ACTIVE}:
            self.services.in_use.add(plugin_id)
        else:
            self.services.in_use.discard(plugin_id)

    def _on_keys_changed(self, entries: Any) -> None:
        keys, faults = user_keys(entries)
        self.registries.keymap.set_user(keys)
        known = {command.id for command in self.registries.commands.all()}
        known |= {command.id for plugin in self.services.discovery.plugins for command in plugin.manifest.commands}
        unknown = dict.fromkeys(key.command for key in keys if key.command not in known)
        misses = [ConfigError(f"There is no command {name!r}, which your keybindings name.") for name in unknown]
        for fault in (*faults, *misses):
            _log.warning("%s", fault)
            self._faults.notify(fault)

    def _on_ai_changed(self, enabled: Any) -> None:
        self.registries.context.set("ai_enabled", bool(enabled))

    def _on_disabled_changed(self, disabled: Collection[str]) -> None:
        """Obey a change of the file; plugins that are off for their faults stay so."""
        known = {status.plugin.manifest.id for status in self.manager.statuses()}
        before = self.manager.disabled
        for plugin_id in known & (set(disabled) - before):
            self.manager.disable(plugin_id)
        for plugin_id in known & (before - set(disabled)):
            self.manager.enable(plugin_id)
