"""Which key runs which command: the manifests' defaults, and the user's own choice over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from redraft.api.disposable import Disposable, OnDispose
from redraft.core.errors import ConfigError
from redraft.host.keys import Key
from redraft.host.listeners import Listeners
from redraft.host.manifest import PluginManifest
from redraft.host.when import ALWAYS, WhenExpression

USER: Final = "user"
"""The source of the user's own keys."""


@dataclass(frozen=True, slots=True)
class Keybinding:
    """A key that runs a command while a condition holds.

    Attributes:
        source: The id of the manifest it stands in, or `USER`.
        args: Handed to the command.
    """

    key: Key
    command: str
    when: WhenExpression = ALWAYS
    source: str = USER
    args: tuple[Any, ...] = ()

    @property
    def slot(self) -> tuple[Key, str]:
        """Key and condition: what only one command can have."""
        return self.key, self.when.text


@dataclass(frozen=True, slots=True)
class Unbound:
    """The user took a command's default key away; all of them where no key is named."""

    command: str
    key: Key | None = None

    def covers(self, binding: Keybinding) -> bool:
        """Whether this default is gone."""
        return binding.command == self.command and self.key in {None, binding.key}


@dataclass(frozen=True, slots=True)
class Conflict:
    """Several commands that ask for the same key under the same condition; the last of them gets it."""

    key: Key
    when: str
    bindings: tuple[Keybinding, ...]

    def __str__(self) -> str:
        names = " and ".join(f"{binding.command} ({binding.source})" for binding in self.bindings)
        condition = f" while {self.when}" if self.when else ""
        return f"{self.key}{condition} is asked for by {names}"


class Keymap:
    """All keys in force."""

    def __init__(self) -> None:
        self._defaults: tuple[Keybinding, ...] = ()
        self._user: tuple[Keybinding, ...] = ()
        self._unbound: tuple[Unbound, ...] = ()
        self._in_force: tuple[Keybinding, ...] = ()
        self._listeners: Listeners[None] = Listeners()

    def add_defaults(self, bindings: Iterable[Keybinding]) -> Disposable:
        """Add the keys of a manifest."""
        added = tuple(bindings)
        self._defaults += added
        self._rebuild()
        return OnDispose(lambda: self._remove_defaults(added))

    def set_user(self, entries: Iterable[Keybinding | Unbound]) -> None:
        """Replace the user's own choice."""
        chosen = tuple(entries)
        self._user = tuple(entry for entry in chosen if isinstance(entry, Keybinding))
        self._unbound = tuple(entry for entry in chosen if isinstance(entry, Unbound))
        self._rebuild()

    def all(self) -> tuple[Keybinding, ...]:
        """Every key in force, defaults first."""
        return self._in_force

    def declared(self) -> tuple[Keybinding, ...]:
        """The manifests' defaults, those included that the user replaced."""
        return self._defaults

    @property
    def unbound_commands(self) -> frozenset[str]:
        """The commands from which the user took a default key."""
        return frozenset(entry.command for entry in self._unbound)

    def keys(self, command_id: str, *args: object) -> tuple[Key, ...]:
        """The keys of a command with these arguments; the user's own come first."""
        found = [binding for binding in self._in_force if binding.command == command_id and binding.args == args]
        found.sort(key=lambda binding: binding.source != USER)
        return tuple(dict.fromkeys(binding.key for binding in found))

    def label(self, command_id: str, *args: object) -> str:
        """The key to show beside a command; empty where none is bound."""
        return next((str(key) for key in self.keys(command_id, *args)), "")

    def using(self, key: Key) -> tuple[Keybinding, ...]:
        """What a key does now, under whatever condition."""
        return tuple(binding for binding in self._in_force if binding.key == key)

    def resolve(self, key: Key, context: Mapping[str, object]) -> Keybinding | None:
        """What a key does with these context keys, or `None`.

        The user's keys come before the defaults, then the more particular condition, then the one declared last.
        """
        return next((binding for binding in self.candidates(key) if binding.when.holds(context)), None)

    def candidates(self, key: Key) -> tuple[Keybinding, ...]:
        """What a key may do, the first choice first; a command that cannot run now leaves the key to the next."""
        ranked = [
            (binding.source == USER, len(binding.when.names), place, binding)
            for place, binding in enumerate(self._in_force)
            if binding.key == key
        ]
        ranked.sort(key=lambda entry: entry[:3], reverse=True)
        return tuple(binding for *_, binding in ranked)

    def conflicts(self) -> tuple[Conflict, ...]:
        """Keys that several commands ask for under the same condition."""
        slots: dict[tuple[Key, str], list[Keybinding]] = {}
        for binding in self._in_force:
            slots.setdefault(binding.slot, []).append(binding)
        return tuple(
            Conflict(key, when, tuple(bindings))
            for (key, when), bindings in slots.items()
            if len({(binding.command, binding.args) for binding in bindings}) > 1
        )

    def on_did_change(self, callback: Callable[[], None]) -> Disposable:
        """Hear that keys changed, so that every label can be read anew."""
        return OnDispose(self._listeners.add(lambda _nothing: callback()))

    def _remove_defaults(self, added: tuple[Keybinding, ...]) -> None:
        self._defaults = tuple(binding for binding in self._defaults if binding not in added)
        self._rebuild()

    def _rebuild(self) -> None:
        taken = {binding.slot for binding in self._user}
        kept = [
            binding
            for binding in self._defaults
            if binding.slot not in taken and not any(gone.covers(binding) for gone in self._unbound)
        ]
        self._in_force = (*kept, *self._user)
        self._listeners.notify(None)


def declared_keys(manifest: PluginManifest) -> tuple[Keybinding, ...]:
    """The keys a manifest declares, each command's shown key first."""
    return tuple(
        Keybinding(Key.parse(key), entry.command, WhenExpression.parse(entry.when), manifest.id, entry.args)
        for entry in manifest.keybindings
        for key in (entry.key, *entry.secondary)
    )


def user_keys(entries: Iterable[Mapping[str, Any]]) -> tuple[tuple[Keybinding | Unbound, ...], tuple[ConfigError, ...]]:
    """Read `[[keybindings]]` of the settings; entries that make no sense come back as errors, the others count.

    `command = "-edit.find"` takes a default key away, all of them where no key is named.
    """
    good: list[Keybinding | Unbound] = []
    faults: list[ConfigError] = []
    for number, entry in enumerate(entries, 1):
        try:
            good.append(_user_key(entry))
        except (ValueError, TypeError, KeyError) as error:
            reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
            faults.append(ConfigError(f"The settings' keybindings[{number}] is left out: {reason}."))
    return tuple(good), tuple(faults)


def rebound(
    entries: Iterable[Mapping[str, Any]], command: str, key: Key | None, *, when: str = ""
) -> list[dict[str, Any]]:
    """The settings' `[[keybindings]]` changed so that `key`, or none, is all that runs a command."""
    kept = restored(entries, command)
    kept.append({"command": f"-{command}"})
    if key is not None:
        kept.append({"key": str(key), "command": command, **({"when": when} if when else {})})
    return kept


def restored(entries: Iterable[Mapping[str, Any]], command: str) -> list[dict[str, Any]]:
    """The settings' `[[keybindings]]` without anything about a command, so that its default keys hold again."""
    return [dict(entry) for entry in entries if str(entry.get("command", "")).removeprefix("-") != command]


def _user_key(entry: Mapping[str, Any]) -> Keybinding | Unbound:
    command = str(entry["command"])
    if command.startswith("-"):
        key = str(entry.get("key", ""))
        return Unbound(command[1:], Key.parse(key) if key else None)
    when = WhenExpression.parse(str(entry.get("when", "")))
    return Keybinding(Key.parse(str(entry["key"])), command, when, USER, tuple(entry.get("args", ())))
