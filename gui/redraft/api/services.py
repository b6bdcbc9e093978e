"""The other services a plugin is given: settings, privacy, prompts, storage, log, commands, contributions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from redraft.api.disposable import Disposable
from redraft.core.llm.client import ModelInfo


class SettingsView(Protocol):
    """The user's settings, checked; names are dotted (`"inline_edit.after_accept"`)."""

    def get(self, name: str) -> Any:
        """The value in force.

        Raises:
            KeyError: No setting of that name is declared.
        """
        ...

    def set(self, name: str, value: Any) -> None:
        """Change and save one setting.

        Raises:
            ConfigError: The value does not fit, or the file cannot be written.
        """
        ...

    def on_did_change(self, name: str, callback: Callable[[Any], None]) -> Disposable:
        """Hear of a new value."""
        ...


class Privacy(Protocol):
    """What the user lets out, and which folders they trust. Models refuse by themselves while AI is switched off."""

    @property
    def ai_enabled(self) -> bool:
        """Whether any model may be asked."""
        ...

    def refusal(self, path: Path | None, *, model: ModelInfo | None = None) -> str:
        """Why a file's text may not be sent without asking, as one sentence; empty where it may.

        A model embedded in this machine may read everything: nothing is sent.
        """
        ...

    def allow(self, path: Path) -> None:
        """The user agreed that this file's text is sent, until the program ends."""
        ...

    def is_trusted(self, folder: Path) -> bool:
        """Whether prompts, presets and rules from a project folder may be used."""
        ...

    def trust(self, folder: Path) -> None:
        """The user trusts a folder and all below it from now on; only ever on their explicit wish.

        Raises:
            FileError: It cannot be remembered.
        """
        ...


class Prompts(Protocol):
    """Prompt templates, the user's own before the built-in ones."""

    def render(self, name: str, /, **values: object) -> str:
        """Fill a template.

        Raises:
            PromptError: It is missing, broken, or lacks a variable.
        """
        ...

    def render_text(self, template: str, /, **values: object) -> str:
        """Fill a template given as text, as from a preset in settings."""
        ...


class Storage(Protocol):
    """A plugin's own files, readable by the user alone and written whole."""

    def read(self, name: str) -> str | None:
        """The text stored under a name, or `None`."""
        ...

    def write(self, name: str, text: str) -> None:
        """Store text under a name."""
        ...

    @property
    def data_folder(self) -> Path:
        """For large things that can be fetched again (models)."""
        ...

    @property
    def cache_folder(self) -> Path:
        """For things that may vanish at any time."""
        ...


class Log(Protocol):
    """The plugin's log, called as in `logging`; keys are redacted before anything is written."""

    def debug(self, message: str, *args: object) -> None: ...
    def info(self, message: str, *args: object) -> None: ...
    def warning(self, message: str, *args: object) -> None: ...
    def error(self, message: str, *args: object) -> None: ...


class Commands(Protocol):
    """Commands by id, as declared in the manifests."""

    def execute(self, command_id: str, *args: object) -> None:
        """Run a command."""
        ...

    def key_label(self, command_id: str, *args: object) -> str:
        """The key that runs it with these arguments, as shown to the user (`"Ctrl+K"`); empty where none is bound."""
        ...

    def on_did_change_keys(self, callback: Callable[[], None]) -> Disposable:
        """Hear that keys were bound anew: labels on screen are to be read again."""
        ...

    def set_context(self, name: str, value: object) -> None:
        """Set a context key that when-expressions read."""
        ...

    def set_detail(self, command_id: str, text: str) -> None:
        """Say what a command would do now: beside its title in the palette, and as a tooltip in menus."""
        ...


class Contributions(Protocol):
    """What other plugins declare for this one to show."""

    def presets(self) -> Sequence[Mapping[str, Any]]:
        """All `[[presets]]` tables of enabled plugins, each with `plugin` added."""
        ...
