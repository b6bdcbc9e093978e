"""A plugin's manifest: what `plugin.toml` declares, checked, without any of the plugin's code."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints, ValidationError, model_validator

from redraft.core.errors import PluginError
from redraft.host.contributions import (
    NAME_PATTERN,
    TARGET_PATTERN,
    CliContribution,
    CommandContribution,
    ContextContribution,
    Contribution,
    KeybindingContribution,
    MenuContribution,
    ModelProviderContribution,
    PanelContribution,
    SettingContribution,
    Target,
    Text,
)

API_VERSION: Final = 1
"""The version of `redraft.api` this application offers."""

_REASONS: Final = {"extra_forbidden": "there is no such key", "missing": "this key is required"}
_PATTERNS: Final = {
    TARGET_PATTERN: "this must be a function's address, package.module:function",
    NAME_PATTERN: "this must be lower-case words with dots or underscores, such as inline_edit.open",
}

BUILT_IN: Final = "redraft"
"""The id of the application's own manifest; its commands carry no prefix."""


class PluginManifest(Contribution):
    """One plugin as it declares itself.

    Attributes:
        api: The version of the plugin API it was written for.
        activate: Called once with the plugin's context before anything else of the plugin; optional.
        activate_on: `"command"` waits for the first use; `"editor"` also activates once the first file is on screen.
        presets: Tables for other plugins to show, as they are.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]*$")]
    name: Text
    version: Text
    api: int = API_VERSION
    description: str = ""
    activate: Target | Literal[""] = ""
    activate_on: Literal["command", "editor"] = "command"
    commands: tuple[CommandContribution, ...] = ()
    menus: tuple[MenuContribution, ...] = ()
    keybindings: tuple[KeybindingContribution, ...] = ()
    settings: tuple[SettingContribution, ...] = ()
    panels: tuple[PanelContribution, ...] = ()
    presets: tuple[dict[str, Any], ...] = ()
    model_providers: tuple[ModelProviderContribution, ...] = ()
    cli: tuple[CliContribution, ...] = ()
    context: tuple[ContextContribution, ...] = Field(default=())

    @model_validator(mode="after")
    def _fits_together(self) -> PluginManifest:
        if not 1 <= self.api <= API_VERSION:
            raise ValueError(f"api = {self.api} is not offered here; this version of Redraft offers {API_VERSION}")
        names = [command.id for command in self.commands] + [setting.name for setting in self.settings]
        for name, count in Counter(names).items():
            if self.id != BUILT_IN and not name.startswith(self.prefix):
                raise ValueError(f"the name {name!r} must begin with {self.prefix!r}")
            if count > 1:
                raise ValueError(f"the name {name!r} is declared twice")
        return self

    @property
    def prefix(self) -> str:
        """How the names of its commands and settings begin: the id, with underscores, and a dot."""
        return self.id.replace("-", "_") + "."

    def targets(self) -> Iterator[str]:
        """Every `module:function` the manifest names."""
        if self.activate:
            yield self.activate
        yield from (command.handler for command in self.commands if command.handler)
        yield from (provider.factory for provider in self.model_providers)


def read_manifest(path: Path) -> PluginManifest:
    """Read and check one `plugin.toml`.

    Raises:
        PluginError: It cannot be read, is no TOML, or a key does not fit; the message names file and key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise PluginError(f"The plugin manifest {path} cannot be read: {reason}.") from error
    return parse_manifest(text, str(path))


def parse_manifest(text: str, source: str) -> PluginManifest:
    """Check a manifest given as text; `source` names it in messages.

    Raises:
        PluginError: It is no TOML, or a key does not fit; the message names source and key.
    """
    try:
        return PluginManifest.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise PluginError(f"The plugin manifest {source} is not valid TOML: {error}.") from error
    except ValidationError as error:
        raise PluginError(f"The plugin manifest {source} cannot be used: {_first_fault(error)}.") from error


def _first_fault(error: ValidationError) -> str:
    first, *more = error.errors(include_url=False, include_input=False)
    reason = _REASONS.get(first["type"]) or _PATTERNS.get(str(first.get("ctx", {}).get("pattern"))) or first["msg"]
    reason = reason.removeprefix("Value error, ").rstrip(".")
    reason = reason[:1].lower() + reason[1:]
    rest = f" (and {len(more)} more)" if more else ""
    return f"{_key(first['loc'])}{reason}{rest}"


def _key(location: Sequence[int | str]) -> str:
    """`("commands", 1, "handler")` as `commands[2].handler: `, counted from 1 as people do."""
    parts = ""
    for part in location:
        if isinstance(part, int):
            parts += f"[{part + 1}]"
        elif part.isidentifier():
            parts += f".{part}"
    return f"{parts.lstrip('.')}: " if parts else ""
