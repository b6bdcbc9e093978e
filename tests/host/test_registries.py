from __future__ import annotations

import tomllib

import pytest

from redraft.core.assets import resource
from redraft.host.contributions import CommandContribution
from redraft.host.manifest import PluginManifest, read_manifest
from redraft.host.registries import Registries
from redraft.host.when import WhenExpression


@pytest.fixture(scope="module")
def manifest() -> PluginManifest:
    return read_manifest(resource("commands.toml"))


def conditions(manifest: PluginManifest) -> list[str]:
    found = [condition for command in manifest.commands for condition in (command.when, command.checked)]
    found += [entry.when for entry in manifest.menus] + [entry.when for entry in manifest.keybindings]
    return [condition for condition in found if condition]


def shown_commands(manifest: PluginManifest) -> set[str]:
    return {entry.command for entry in manifest.menus} | {entry.command for entry in manifest.keybindings}


def test_the_menu_bar_is_the_usual_one() -> None:
    registries = Registries.built_in()
    titles = [menu.title for menu in registries.menus.menu_bar()]
    assert titles == ["File", "Edit", "Selection", "View", "Go", "AI", "Help"]


def test_no_key_is_asked_for_twice_and_ctrl_k_is_left_to_the_inline_edit() -> None:
    keymap = Registries.built_in().keymap
    assert keymap.conflicts() == ()
    used = {str(binding.key) for binding in keymap.all()}
    assert not used & {"Ctrl+K", "Ctrl+I", "Ctrl+Shift+K", "Alt+Y", "Alt+N", "Alt+J", "Alt+K", "F7", "Shift+F7", "Esc"}


def test_menus_and_keys_name_commands_that_are_declared(manifest: PluginManifest) -> None:
    declared = {command.id for command in manifest.commands}
    assert shown_commands(manifest) <= declared


def test_every_command_is_reachable_by_menu_palette_or_key(manifest: PluginManifest) -> None:
    shown = shown_commands(manifest)
    assert [command.id for command in manifest.commands if not command.palette and command.id not in shown] == []


def test_conditions_read_only_context_keys_that_are_declared(manifest: PluginManifest) -> None:
    declared = {key.name for key in manifest.context}
    read = {name for condition in conditions(manifest) for name in WhenExpression.parse(condition).names}
    assert read <= declared


def test_icons_are_named_by_meanings_the_theme_has(manifest: PluginManifest) -> None:
    meanings = tomllib.loads(resource("themes/tokens.toml").read_text(encoding="utf-8"))["icon"]
    assert {command.icon for command in manifest.commands if command.icon} <= meanings.keys()


def test_commands_are_in_the_category_their_id_names(manifest: PluginManifest) -> None:
    def is_at_home(command: CommandContribution) -> bool:
        return command.id.partition(".")[0] == command.category.lower()

    assert [command.id for command in manifest.commands if not is_at_home(command)] == []


def test_context_keys_have_their_declared_values_from_the_start() -> None:
    context = Registries.built_in().context
    assert context["ai_enabled"] is True
    assert context["language"] == ""
    assert context["tab_count"] == 0
    assert context["editor_open"] is False
