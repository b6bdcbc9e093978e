"""Commands, keys, menus and context keys together, and how a manifest is entered into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from redraft.api.disposable import DisposableStack, OnDispose
from redraft.core.assets import resource
from redraft.host.commands import Command, CommandRegistry, Handler
from redraft.host.context_keys import ContextKeys
from redraft.host.contributions import CommandContribution
from redraft.host.keybindings import Keymap, declared_keys
from redraft.host.manifest import PluginManifest, read_manifest
from redraft.host.menus import MenuRegistry

HandlerFactory = Callable[[str, CommandContribution], Handler]
"""Makes what runs a command: called with the plugin's id and the declaration."""


@dataclass(frozen=True, slots=True)
class Registries:
    """Where manifests are entered."""

    context: ContextKeys
    commands: CommandRegistry
    keymap: Keymap = field(default_factory=Keymap)
    menus: MenuRegistry = field(default_factory=MenuRegistry)

    @classmethod
    def empty(cls) -> Registries:
        """Registries with nothing in them."""
        context = ContextKeys()
        return cls(context, CommandRegistry(context))

    @classmethod
    def built_in(cls) -> Registries:
        """Registries with the application's own commands, keys and menus; the window registers the handlers."""
        registries = cls.empty()
        declare(read_manifest(resource("commands.toml")), registries, DisposableStack())
        return registries


def declare(
    manifest: PluginManifest, registries: Registries, kept: DisposableStack, handler: HandlerFactory | None = None
) -> None:
    """Enter a manifest; `kept` takes what undoes it, also when this fails half-way.

    Raises:
        PluginError: One of its commands is declared by another plugin already.
    """
    for declaration in manifest.commands:
        kept.add(registries.commands.declare(Command.declared(declaration, manifest.id)))
        if declaration.handler and handler is not None:
            kept.add(registries.commands.register(declaration.id, handler(manifest.id, declaration)))
    names = [key.name for key in manifest.context]
    registries.context.update({key.name: key.default for key in manifest.context})
    kept.add(OnDispose(lambda: registries.context.remove(names)))
    kept.add(registries.keymap.add_defaults(declared_keys(manifest)))
    kept.add(registries.menus.add(manifest.menus))
