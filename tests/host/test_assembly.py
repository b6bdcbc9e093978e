from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest

from host.samples import RecordingContext, forget_modules, write_plugin
from redraft.api.context import PluginContext
from redraft.api.disposable import DisposableStack
from redraft.core.config.store import SettingsStore
from redraft.core.errors import ConfigError
from redraft.core.paths import data_folder
from redraft.host.assembly import PluginHost
from redraft.host.guard import Guard
from redraft.host.headless import Services
from redraft.host.manager import PluginState
from redraft.host.manifest import PluginManifest

MANIFEST = """
    id = "sample"
    name = "Sample"
    version = "1"
    [[commands]]
    id = "sample.fail"
    title = "Fail"
    handler = "PACKAGE:fail"
    [[keybindings]]
    command = "sample.fail"
    key = "F8"
    [[presets]]
    name = "doc"
"""


def make_context(manifest: PluginManifest, kept: DisposableStack, guard: Guard) -> PluginContext:
    return cast("PluginContext", RecordingContext(manifest.id, kept, guard))


@pytest.fixture
def host() -> Iterator[PluginHost]:
    write_plugin(data_folder("plugins"), MANIFEST, __init__="def fail(context): raise ValueError('boom')")
    made = PluginHost(Services.load(environment={}), make_context)
    made.start()
    yield made
    made.stop()
    forget_modules()


def settings_of(host: PluginHost) -> SettingsStore:
    return host.services.settings


def has_preset(host: PluginHost) -> bool:
    return "sample" in {preset["plugin"] for preset in host.services.presets()}


def test_the_applications_commands_and_the_plugins_stand_together(host: PluginHost) -> None:
    declared = {command.id for command in host.registries.commands.all()}
    assert {"file.open", "inline_edit.open", "sample.fail"} <= declared
    assert has_preset(host)


def test_the_users_keys_are_in_force_and_follow_the_settings(host: PluginHost) -> None:
    faults: list[ConfigError] = []
    host.on_key_fault(faults.append)
    settings_of(host).set("keybindings", [{"key": "F9", "command": "sample.fail"}, {"key": "K K", "command": "x.y"}])
    assert host.registries.keymap.label("sample.fail") == "F9"
    assert "keybindings[2]" in str(faults[0])
    assert len(faults) == 1
    settings_of(host).reset("keybindings")
    assert host.registries.keymap.label("sample.fail") == "F8"


def test_a_key_for_a_command_that_is_not_there_is_told_unless_its_plugin_is_only_off(host: PluginHost) -> None:
    faults: list[ConfigError] = []
    host.on_key_fault(faults.append)
    host.set_enabled("sample", enabled=False)
    entries = [{"key": "F9", "command": "edit.fnid"}, {"key": "F6", "command": "sample.fail"}, {"command": "-a.b"}]
    settings_of(host).set("keybindings", entries)
    assert [str(fault) for fault in faults] == [
        "There is no command 'edit.fnid', which your keybindings name.",
        "There is no command 'a.b', which your keybindings name.",
    ]


def test_the_ai_switch_is_a_context_key(host: PluginHost) -> None:
    assert host.registries.context["ai_enabled"] is True
    settings_of(host).set("privacy.ai_enabled", value=False)
    assert host.registries.context["ai_enabled"] is False


def test_a_plugin_turned_off_stays_off_after_the_next_start(host: PluginHost) -> None:
    host.set_enabled("sample", enabled=False)
    assert settings_of(host).get("plugins.disabled") == ("sample",)
    assert not has_preset(host)

    again = PluginHost(Services.load(environment={}), make_context)
    again.start()
    assert again.manager.status("sample").state is PluginState.OFF
    again.set_enabled("sample", enabled=True)
    assert settings_of(again).get("plugins.disabled") == ()
    assert has_preset(again)
    again.stop()


def test_a_change_of_the_settings_file_is_obeyed(host: PluginHost) -> None:
    settings_of(host).set("plugins.disabled", ["sample", "not_there"])
    assert host.manager.status("sample").state is PluginState.OFF
    settings_of(host).set("plugins.disabled", [])
    assert host.manager.status("sample").state is PluginState.READY


def test_a_faulty_plugin_is_off_for_this_run_only_and_one_click_brings_it_back(host: PluginHost) -> None:
    for _ in range(3):
        host.registries.commands.execute("sample.fail")
    assert host.manager.status("sample").state is PluginState.FAULTY
    assert settings_of(host).get("plugins.disabled") == ()
    assert not has_preset(host)
    host.set_enabled("sample", enabled=True)
    assert has_preset(host)


def test_safe_mode_declares_the_application_alone_and_writes_nothing() -> None:
    host = PluginHost(Services.load(safe_mode=True, environment={}), make_context, safe_mode=True)
    host.start()
    assert {command.plugin for command in host.registries.commands.all()} == {"redraft"}
    assert not settings_of(host).path.exists()
    host.set_enabled("inline_edit", enabled=True)
    assert "inline_edit.open" in {command.id for command in host.registries.commands.all()}
    assert not settings_of(host).path.exists()
    host.stop()
