"""Commands by id: what they are called, whether they can run now, and who runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from redraft.api.disposable import Disposable, OnDispose
from redraft.core.errors import PluginError, UsageError
from redraft.host.contributions import CommandContribution
from redraft.host.listeners import Listeners
from redraft.host.when import ALWAYS, WhenExpression

Handler = Callable[..., object]


@dataclass(frozen=True, slots=True)
class Command:
    """A command as menus and the palette show it.

    Attributes:
        plugin: The id of the manifest that declares it.
        when: It can run only while this holds.
        checked: While this holds its menu entry is ticked; `None` for commands that are no switches.
        palette: Whether the command palette lists it.
    """

    id: str
    title: str
    plugin: str
    category: str = ""
    icon: str = ""
    when: WhenExpression = ALWAYS
    checked: WhenExpression | None = None
    palette: bool = True

    @classmethod
    def declared(cls, declaration: CommandContribution, plugin: str) -> Self:
        """The command a manifest declares."""
        return cls(
            declaration.id,
            declaration.title,
            plugin,
            category=declaration.category,
            icon=declaration.icon,
            when=WhenExpression.parse(declaration.when),
            checked=WhenExpression.parse(declaration.checked) if declaration.checked else None,
            palette=declaration.palette,
        )


class CommandRegistry:
    """All commands there are. Declaring and handling are apart: a menu is drawn before any code is fetched."""

    def __init__(self, context: Mapping[str, object]) -> None:
        self._context = context
        self._commands: dict[str, Command] = {}
        self._handlers: dict[str, Handler] = {}
        self._details: dict[str, str] = {}
        self._listeners: Listeners[None] = Listeners()

    def declare(self, command: Command) -> Disposable:
        """Make a command known.

        Raises:
            PluginError: Its id is taken.
        """
        if (other := self._commands.get(command.id)) is not None:
            raise PluginError(
                f"The plugin {command.plugin!r} declares {command.id!r}, a command that {other.plugin!r} has already."
            )
        self._commands[command.id] = command
        self._listeners.notify(None)
        return OnDispose(lambda: self._withdraw(command.id))

    def register(self, command_id: str, handler: Handler) -> Disposable:
        """Say what runs a declared command.

        Raises:
            UsageError: It is not declared, or has a handler.
        """
        self.get(command_id)
        if command_id in self._handlers:
            raise UsageError(f"The command {command_id!r} has a handler already.")
        self._handlers[command_id] = handler
        return OnDispose(lambda: self._forget(command_id))

    def get(self, command_id: str) -> Command:
        """One command.

        Raises:
            UsageError: There is none of that id.
        """
        try:
            return self._commands[command_id]
        except KeyError:
            raise UsageError(f"There is no command {command_id!r}.") from None

    def all(self) -> tuple[Command, ...]:
        """Every command, in the order declared."""
        return tuple(self._commands.values())

    def detail(self, command_id: str) -> str:
        """What it would do now, as its plugin says; mostly nothing."""
        return self._details.get(command_id, "")

    def set_detail(self, command_id: str, text: str) -> None:
        """Say what it would do now."""
        self._details[command_id] = text

    def has_handler(self, command_id: str) -> bool:
        """Whether something would run it."""
        return command_id in self._handlers

    def is_enabled(self, command_id: str) -> bool:
        """Whether it would run now."""
        command = self._commands.get(command_id)
        return command is not None and command_id in self._handlers and command.when.holds(self._context)

    def is_checked(self, command_id: str) -> bool:
        """Whether its menu entry is ticked now."""
        checked = self.get(command_id).checked
        return checked is not None and checked.holds(self._context)

    def execute(self, command_id: str, *args: object) -> bool:
        """Run a command; return whether its condition let it run.

        Raises:
            UsageError: There is no such command, or nothing that runs it.
        """
        command = self.get(command_id)
        handler = self._handlers.get(command_id)
        if handler is None:
            raise UsageError(f"“{command.title}” is not available.")
        if not command.when.holds(self._context):
            return False
        handler(*args)
        return True

    def on_did_change(self, callback: Callable[[], None]) -> Disposable:
        """Hear that commands came or went."""
        return OnDispose(self._listeners.add(lambda _nothing: callback()))

    def _withdraw(self, command_id: str) -> None:
        self._commands.pop(command_id, None)
        self._details.pop(command_id, None)
        self._handlers.pop(command_id, None)
        self._listeners.notify(None)

    def _forget(self, command_id: str) -> None:
        self._handlers.pop(command_id, None)
