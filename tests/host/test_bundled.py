"""The plugins that come with Redraft, declared together: they must fit each other and the application."""

from __future__ import annotations

import tomllib

import pytest

from redraft.api.disposable import DisposableStack
from redraft.core.assets import resource
from redraft.host.discovery import FoundPlugin, Origin, discover
from redraft.host.headless import schema_with
from redraft.host.keys import Key
from redraft.host.loader import load_target
from redraft.host.manifest import PluginManifest
from redraft.host.registries import Registries, declare
from redraft.host.when import WhenExpression


@pytest.fixture(scope="module")
def plugins() -> list[FoundPlugin]:
    return [plugin for plugin in discover().plugins if plugin.origin is Origin.BUNDLED]


@pytest.fixture(scope="module")
def registries(plugins: list[FoundPlugin]) -> Registries:
    made = Registries.built_in()
    for plugin in plugins:
        declare(plugin.manifest, made, DisposableStack(), lambda *_: print)
    return made


def test_no_key_is_asked_for_twice_under_the_same_condition(registries: Registries) -> None:
    assert [str(conflict) for conflict in registries.keymap.conflicts()] == []


def test_menus_and_keys_name_commands_that_are_declared(plugins: list[FoundPlugin], registries: Registries) -> None:
    declared = {command.id for command in registries.commands.all()}
    in_menus = {entry.command for plugin in plugins for entry in plugin.manifest.menus}
    with_keys = {entry.command for plugin in plugins for entry in plugin.manifest.keybindings}
    assert (in_menus | with_keys) - declared == set()


def test_conditions_read_only_context_keys_that_are_declared(registries: Registries) -> None:
    read = {name for binding in registries.keymap.all() for name in binding.when.names}
    for command in registries.commands.all():
        read |= command.when.names | (command.checked or WhenExpression.parse("")).names
    assert read - registries.context.keys() == set()


def test_icons_are_named_by_meanings_the_theme_has(registries: Registries) -> None:
    meanings = tomllib.loads(resource("themes/tokens.toml").read_text(encoding="utf-8"))["icon"]
    assert {command.icon for command in registries.commands.all() if command.icon} - meanings.keys() == set()


def test_settings_fit_beside_the_editors_own(plugins: list[FoundPlugin]) -> None:
    schema = schema_with(plugin.manifest for plugin in plugins)
    assert "local_model.threads" in schema


def test_settings_that_clash_with_the_editors_own_are_left_out_and_told(caplog: pytest.LogCaptureFixture) -> None:
    clashing = PluginManifest.model_validate(
        {
            "id": "editor",
            "name": "Clash",
            "version": "1",
            "settings": [{"name": "editor.tab_width", "type": "int", "default": 3, "sentence": "Mine."}],
        }
    )
    schema = schema_with([clashing])
    assert schema["editor.tab_width"].default == 4
    assert "'editor' are left out: the setting editor.tab_width is declared twice" in caplog.text


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        ("inline_edit.open", ["Ctrl+K", "Ctrl+I"]),
        ("inline_edit.toggle_focus", ["Ctrl+Shift+K"]),
        ("inline_edit.accept_all", ["Ctrl+Enter", "Ctrl+Shift+Enter"]),
        ("inline_edit.reject_all", ["Ctrl+Backspace", "Ctrl+Shift+Backspace"]),
        ("inline_edit.accept_hunk", ["Alt+Y", "Alt+Shift+Enter"]),
        ("inline_edit.reject_hunk", ["Alt+N", "Alt+Shift+Backspace"]),
        ("inline_edit.next_hunk", ["Alt+J", "F7"]),
        ("inline_edit.previous_hunk", ["Alt+K", "Shift+F7"]),
        ("inline_edit.retry", ["Ctrl+F5", "Alt+R"]),
        ("inline_edit.repeat", ["Ctrl+Shift+;"]),
    ],
)
def test_the_keys_people_know_are_in_force(registries: Registries, command: str, keys: list[str]) -> None:
    assert [str(key) for key in registries.keymap.keys(command)] == keys


def test_ctrl_k_opens_the_inline_edit_and_does_nothing_else(registries: Registries) -> None:
    assert {binding.command for binding in registries.keymap.using(Key.parse("Ctrl+K"))} == {"inline_edit.open"}


def test_keys_keep_their_usual_meaning_while_no_proposal_is_shown(registries: Registries) -> None:
    def does(key: str, **context: object) -> str:
        binding = registries.keymap.resolve(Key.parse(key), {**registries.context, "editor_open": True, **context})
        return binding.command if binding else ""

    writing = {"editor_focus": True}
    reviewing = {"editor_focus": True, "diff_visible": True}
    in_prompt = {"prompt_focus": True, "prompt_visible": True, "diff_visible": True}
    assert does("Ctrl+Backspace", **writing) == ""
    assert does("Ctrl+Backspace", **reviewing) == "inline_edit.reject_all"
    assert does("Ctrl+Backspace", **in_prompt) == "inline_edit.reject_all"
    assert does("Ctrl+Backspace", **in_prompt, prompt_text=True) == "", "in a field with words it deletes one"
    assert does("Ctrl+Enter", **writing) == "edit.insert_line_below"
    assert does("Ctrl+Enter", **reviewing) == "inline_edit.accept_all"
    assert does("Alt+Left", **writing) == "go.back"


def test_every_function_a_manifest_names_is_there(plugins: list[FoundPlugin]) -> None:
    for plugin in plugins:
        for address in plugin.manifest.targets():
            assert callable(load_target(plugin, address))


def test_every_menu_entry_of_a_plugin_has_something_that_runs_it(
    plugins: list[FoundPlugin], registries: Registries
) -> None:
    entries = [entry.command for plugin in plugins for entry in plugin.manifest.menus]
    assert [command for command in entries if not registries.commands.has_handler(command)] == []
