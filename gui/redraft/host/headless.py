"""All services that need no window, built once; the command line and the window stand on the same ones."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar, cast

from redraft.api.context import ProviderContext
from redraft.api.models import ModelProvider
from redraft.core.config.builtin import BUILTIN
from redraft.core.config.schema import SettingsSchema
from redraft.core.config.store import SettingsStore
from redraft.core.paths import data_folder
from redraft.core.prompts import PromptLibrary
from redraft.host.contributions import ModelProviderContribution
from redraft.host.discovery import Discovery, FoundPlugin, discover
from redraft.host.lazy_models import LazyModels
from redraft.host.loader import load_target
from redraft.host.manifest import PluginManifest
from redraft.host.models import BASE_URL, MODEL, ModelService
from redraft.host.privacy import PrivacyRules
from redraft.host.storage import PluginLog, PluginStorage

T = TypeVar("T")
LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one process.

    Attributes:
        in_use: The ids of the plugins that are not turned off; the window changes it as the user does.
    """

    discovery: Discovery
    in_use: set[str]
    settings: SettingsStore
    privacy: PrivacyRules
    models: ModelService
    prompts: PromptLibrary

    @classmethod
    def load(cls, *, safe_mode: bool = False, environment: Mapping[str, str] | None = None) -> Services:
        """Find the plugins, read the settings, and join what stands on them; no plugin code is fetched."""
        environment = os.environ if environment is None else environment
        discovery = discover(data_folder("plugins"))
        for fault in discovery.faults:
            LOG.warning("%s", fault)
        settings = SettingsStore(schema=schema_with(plugin.manifest for plugin in discovery.plugins))
        found = set() if safe_mode else {plugin.manifest.id for plugin in discovery.plugins}
        in_use = found - set(settings.get("plugins.disabled"))
        privacy = PrivacyRules(settings)
        providers: list[ModelProvider] = [
            LazyModels("environment", "the environment", partial(_environment_models, environment, settings)),
            LazyModels("settings", "the settings", partial(_settings_models, settings)),
            *plugin_models(discovery.plugins, settings, in_use),
        ]
        chosen = environment.get(MODEL, "").strip() or (environment.get(BASE_URL, "").strip() and BASE_URL)
        models = ModelService(providers, settings, privacy, chosen=chosen)
        return cls(discovery, in_use, settings, privacy, models, PromptLibrary())

    @property
    def plugins(self) -> tuple[FoundPlugin, ...]:
        """The plugins that are not turned off."""
        return tuple(plugin for plugin in self.discovery.plugins if plugin.manifest.id in self.in_use)

    def presets(self) -> Sequence[Mapping[str, Any]]:
        """All `[[presets]]` tables of the plugins in use, each with `plugin` added."""
        return [
            {**preset, "plugin": plugin.manifest.id} for plugin in self.plugins for preset in plugin.manifest.presets
        ]


@dataclass(frozen=True, slots=True)
class ProviderServices:
    """What a provider's factory is given; implements `redraft.api.context.ProviderContext`."""

    settings: SettingsStore
    storage: PluginStorage
    log: PluginLog


class HeadlessContext:
    """What a sub-command is given; implements `redraft.api.context.CliContext`."""

    def __init__(self, plugin_id: str, services: Services) -> None:
        self.settings = services.settings
        self.prompts = services.prompts
        self.models = services.models
        self.privacy = services.privacy
        self.storage = PluginStorage(plugin_id)
        self.log = PluginLog(plugin_id)
        self.contributions = services

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end; Ctrl+C cancels it, and models that were started are stopped after it."""

        async def run_and_stop() -> T:
            try:
                return await work
            finally:
                await self.models.aclose()

        return asyncio.run(run_and_stop())


def schema_with(manifests: Iterable[PluginManifest]) -> SettingsSchema:
    """The editor's own settings and those the manifests declare; a plugin's that clash with others are left out."""
    schema = BUILTIN
    for manifest in manifests:
        try:
            schema = schema.with_plugin(manifest.settings)
        except ValueError as error:
            LOG.warning("the settings of the plugin %r are left out: %s", manifest.id, error)
    return schema


def plugin_models(plugins: Sequence[FoundPlugin], settings: SettingsStore, in_use: Collection[str]) -> list[LazyModels]:
    """The `[[model_providers]]` of the plugins in use; their code is fetched when models are first listed."""
    return [
        LazyModels(
            entry.id,
            plugin.manifest.name,
            partial(_make_provider, plugin, entry, settings),
            is_on=partial(in_use.__contains__, plugin.manifest.id),
        )
        for plugin in plugins
        for entry in plugin.manifest.model_providers
    ]


def _environment_models(environment: Mapping[str, str], settings: SettingsStore) -> ModelProvider:
    from redraft.host.server_models import environment_models  # noqa: PLC0415 - the HTTP library can wait

    return environment_models(environment, settings)


def _settings_models(settings: SettingsStore) -> ModelProvider:
    from redraft.host.server_models import settings_models  # noqa: PLC0415 - the HTTP library can wait

    return settings_models(settings)


def _make_provider(plugin: FoundPlugin, entry: ModelProviderContribution, settings: SettingsStore) -> ModelProvider:
    plugin_id = plugin.manifest.id
    context: ProviderContext = ProviderServices(settings, PluginStorage(plugin_id), PluginLog(plugin_id))
    return cast("ModelProvider", load_target(plugin, entry.factory)(context))
