from __future__ import annotations

import pytest

from redraft.core.errors import PluginError, UsageError
from redraft.host.commands import Command, CommandRegistry
from redraft.host.context_keys import ContextKeys
from redraft.host.when import WhenExpression


@pytest.fixture
def context() -> ContextKeys:
    return ContextKeys()


@pytest.fixture
def commands(context: ContextKeys) -> CommandRegistry:
    made = CommandRegistry(context)
    made.declare(Command("a.go", "Go", "a", when=WhenExpression.parse("ready"), checked=WhenExpression.parse("going")))
    return made


def test_a_command_runs_with_its_arguments_while_its_condition_holds(
    commands: CommandRegistry, context: ContextKeys
) -> None:
    calls: list[tuple[object, ...]] = []
    commands.register("a.go", lambda *args: calls.append(args))
    assert commands.execute("a.go", 1) is False
    assert not commands.is_enabled("a.go")
    context.set("ready", True)
    assert commands.is_enabled("a.go")
    assert commands.execute("a.go", 1, "two") is True
    assert calls == [(1, "two")]


def test_a_switch_is_ticked_by_its_condition(commands: CommandRegistry, context: ContextKeys) -> None:
    assert not commands.is_checked("a.go")
    context.set("going", True)
    assert commands.is_checked("a.go")


def test_without_a_handler_it_is_off_and_says_so(commands: CommandRegistry, context: ContextKeys) -> None:
    context.set("ready", True)
    assert not commands.is_enabled("a.go")
    with pytest.raises(UsageError, match="“Go” is not available"):
        commands.execute("a.go")


def test_unknown_ids_are_named(commands: CommandRegistry) -> None:
    with pytest.raises(UsageError, match=r"no command 'b\.go'"):
        commands.execute("b.go")
    with pytest.raises(UsageError, match=r"no command 'b\.go'"):
        commands.register("b.go", print)
    assert not commands.is_enabled("b.go")


def test_an_id_is_declared_once_and_handled_once(commands: CommandRegistry) -> None:
    with pytest.raises(PluginError, match=r"'b' declares 'a\.go', a command that 'a' has"):
        commands.declare(Command("a.go", "Go", "b"))
    first = commands.register("a.go", print)
    with pytest.raises(UsageError, match="handler already"):
        commands.register("a.go", print)
    first.dispose()
    commands.register("a.go", print)
    assert commands.has_handler("a.go")


def test_a_command_taken_back_is_gone_with_its_handler(commands: CommandRegistry) -> None:
    heard: list[int] = []
    commands.on_did_change(lambda: heard.append(len(commands.all())))
    declared = commands.declare(Command("b.go", "Go", "b"))
    commands.register("b.go", print)
    declared.dispose()
    assert heard == [2, 1]
    assert not commands.has_handler("b.go")
    assert [command.id for command in commands.all()] == ["a.go"]
