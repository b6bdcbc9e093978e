"""What a plugin is handed in the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from redraft.api.disposable import Disposable, DisposableStack
from redraft.api.models import Models
from redraft.api.services import Privacy, Prompts, SettingsView
from redraft.api.tasks import Tasks
from redraft.host.guard import Guard
from redraft.host.manifest import PluginManifest
from redraft.host.registries import Registries
from redraft.host.storage import PluginLog, PluginStorage
from redraft.qt.guarded.editors import GuardedEditors
from redraft.qt.guarded.tasks import GuardedTasks
from redraft.qt.guarded.voice import GuardedVoice
from redraft.qt.plugin_editors import EditorsService
from redraft.qt.plugin_ui import WindowVoice

Presets = Callable[[], Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class SharedServices:
    """What all plugins share; `presets` lists what they declare for each other."""

    registries: Registries
    editors: EditorsService
    voice: WindowVoice
    tasks: Tasks
    settings: SettingsView
    prompts: Prompts
    models: Models
    privacy: Privacy
    presets: Presets


class WindowCommands:
    """`api.Commands` over the registries, in the hands of one plugin."""

    def __init__(self, registries: Registries, guard: Guard, kept: DisposableStack) -> None:
        self._registries = registries
        self._guard = guard
        self._kept = kept

    def execute(self, command_id: str, *args: object) -> None:
        """Run a command."""
        self._registries.commands.execute(command_id, *args)

    def key_label(self, command_id: str, *args: object) -> str:
        """The key that runs it, as shown to the user; empty where none is bound."""
        return self._registries.keymap.label(command_id, *args)

    def on_did_change_keys(self, callback: Callable[[], None]) -> Disposable:
        """Hear that keys were bound anew."""
        heard = self._registries.keymap.on_did_change(self._guard.wrap("hearing of other keys", callback))
        self._kept.add(heard)
        return heard

    def set_context(self, name: str, value: object) -> None:
        """Set a context key that when-expressions read."""
        self._registries.context.set(name, value)

    def set_detail(self, command_id: str, text: str) -> None:
        """Say what a command would do now."""
        self._registries.commands.set_detail(command_id, text)


class DeclaredContributions:
    """`api.Contributions`: what plugins declare for each other."""

    def __init__(self, presets: Presets) -> None:
        self._presets = presets

    def presets(self) -> Sequence[Mapping[str, Any]]:
        """All `[[presets]]` tables of enabled plugins, each with `plugin` added."""
        return self._presets()


class WindowContext:
    """Implements `api.PluginContext`."""

    def __init__(self, manifest: PluginManifest, kept: DisposableStack, guard: Guard, shared: SharedServices) -> None:
        self.plugin_id = manifest.id
        self.editor = GuardedEditors(shared.editors, guard, kept)
        self.ui = GuardedVoice(shared.voice, guard, kept)
        self.tasks = GuardedTasks(shared.tasks, guard, kept)
        self.settings = shared.settings
        self.prompts = shared.prompts
        self.models = shared.models
        self.privacy = shared.privacy
        self.storage = PluginStorage(manifest.id)
        self.commands = WindowCommands(shared.registries, guard, kept)
        self.contributions = DeclaredContributions(shared.presets)
        self.log = PluginLog(manifest.id)
        self._kept = kept

    def keep(self, item: Disposable) -> None:
        """Take `item` back when the plugin is deactivated."""
        self._kept.add(item)
