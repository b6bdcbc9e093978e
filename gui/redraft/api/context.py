"""What a plugin is handed: in the window a `PluginContext`, on the command line a `CliContext`."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from redraft.api.disposable import Disposable
from redraft.api.editor import Editors
from redraft.api.models import Models
from redraft.api.services import Commands, Contributions, Log, Privacy, Prompts, SettingsView, Storage
from redraft.api.tasks import Tasks
from redraft.api.ui import UserInterface

T = TypeVar("T")


class ProviderContext(Protocol):
    """What the factory of a `[[model_providers]]` entry is called with: `factory(context) -> ModelProvider`."""

    @property
    def settings(self) -> SettingsView: ...
    @property
    def storage(self) -> Storage: ...
    @property
    def log(self) -> Log: ...


class HeadlessServices(ProviderContext, Protocol):
    """The services that need no window."""

    @property
    def prompts(self) -> Prompts: ...
    @property
    def models(self) -> Models: ...
    @property
    def privacy(self) -> Privacy: ...
    @property
    def contributions(self) -> Contributions: ...


class PluginContext(HeadlessServices, Protocol):
    """All a plugin may use, and the place for what must be taken back when it goes."""

    @property
    def plugin_id(self) -> str: ...
    @property
    def editor(self) -> Editors: ...
    @property
    def ui(self) -> UserInterface: ...
    @property
    def tasks(self) -> Tasks: ...
    @property
    def commands(self) -> Commands: ...

    def keep(self, item: Disposable) -> None:
        """Take `item` back when the plugin is deactivated."""
        ...


class CliContext(HeadlessServices, Protocol):
    """What a plugin's command line may use; there is no window."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end; Ctrl+C cancels it, and models that were started are stopped after it."""
        ...
