from __future__ import annotations

from pathlib import Path

import pytest

from redraft.core.errors import PluginError
from redraft.host.manifest import PluginManifest, parse_manifest, read_manifest

HEAD = 'id = "sample"\nname = "Sample"\nversion = "1.2"\n'
WHOLE = (
    HEAD
    + """
api = 1
description = "Shows everything a manifest may hold."
activate = "sample:activate"
activate_on = "editor"

[[commands]]
id = "sample.greet"
title = "Greet"
handler = "sample.commands:greet"
icon = "check"
category = "Sample"
when = "editor_open and not read_only"
checked = "sample.greeting"

[[menus]]
menu = "AI/More"
command = "sample.greet"
group = "2"
when = "editor_open"

[[keybindings]]
command = "sample.greet"
key = "shift+ctrl+g"
secondary = ["alt+return"]
when = "editor_focus"
args = ["loudly"]

[[settings]]
name = "sample.volume"
type = "int"
default = 3
min = 0
max = 11
sentence = "How loud."

[[panels]]
id = "sample.list"
title = "Greetings"

[[presets]]
name = "doc"
prompt = "Write documentation"

[[model_providers]]
id = "echo"
factory = "sample.models:create"

[[cli]]
name = "greet"
help = "Greet from the command line."

[[context]]
name = "sample.greeting"
description = "A greeting is on screen."
"""
)


def fault(text: str) -> str:
    with pytest.raises(PluginError) as caught:
        parse_manifest(text, "/x/plugin.toml")
    return str(caught.value)


def test_a_whole_manifest_reads_into_frozen_values() -> None:
    manifest = parse_manifest(WHOLE, "plugin.toml")
    assert manifest.commands[0].handler == "sample.commands:greet"
    assert manifest.keybindings[0].key == "Ctrl+Shift+G"
    assert manifest.keybindings[0].secondary == ("Alt+Enter",)
    assert manifest.keybindings[0].args == ("loudly",)
    assert manifest.settings[0].default == 3
    assert manifest.presets == ({"name": "doc", "prompt": "Write documentation"},)
    assert manifest.context[0].default is False
    assert list(manifest.targets()) == ["sample:activate", "sample.commands:greet", "sample.models:create"]


def test_three_lines_are_enough() -> None:
    manifest = parse_manifest(HEAD, "plugin.toml")
    assert manifest == PluginManifest(id="sample", name="Sample", version="1.2")


@pytest.mark.parametrize(
    ("more", "key", "reason"),
    [
        ('colour = "red"', "colour", "there is no such key"),
        ("api = 99", "", "api = 99 is not offered here"),
        ('activate = "sample"', "activate", "package.module:function"),
        ('[[commands]]\nid = "sample.a"', "commands[1].title", "required"),
        (
            '[[commands]]\nid = "sample.a"\ntitle = "A"\n[[commands]]\nid = "sample.b"\ntitle = "B"\nhandler = "x y"',
            "commands[2].handler",
            "package.module:function",
        ),
        ('[[commands]]\nid = "other.a"\ntitle = "A"', "", "must begin with 'sample.'"),
        (
            '[[commands]]\nid = "sample.a"\ntitle = "A"\n[[commands]]\nid = "sample.a"\ntitle = "A"',
            "",
            "declared twice",
        ),
        ('[[commands]]\nid = "Sample.A"\ntitle = "A"', "commands[1].id", "lower-case words"),
        ('[[commands]]\nid = "sample.a"\ntitle = "A"\nwhen = "a <"', "commands[1].when", "not a condition"),
        ('[[keybindings]]\ncommand = "sample.a"\nkey = "Ctrl+K Ctrl+B"', "keybindings[1].key", "single key"),
        ('[[keybindings]]\ncommand = "sample.a"\nkey = "A"\nsecondary = ["Foo+B"]', "keybindings[1].secondary", "Foo"),
        (
            '[[settings]]\nname = "sample.a"\ntype = "int"\ndefault = true\nsentence = "A."',
            "settings[1]",
            "not of type int",
        ),
        (
            '[[settings]]\nname = "sample.a"\ntype = "choice"\ndefault = "x"\nchoices = ["y"]\nsentence = "A."',
            "settings[1]",
            "none of the choices",
        ),
        ('[[settings]]\nname = "else.a"\ntype = "int"\ndefault = 1\nsentence = "A."', "", "must begin with 'sample.'"),
    ],
)
def test_a_fault_names_file_key_and_reason(more: str, key: str, reason: str) -> None:
    message = fault(f"{HEAD}{more}\n")
    assert message.startswith("The plugin manifest /x/plugin.toml cannot be used: ")
    assert f"{key}: " in message
    assert reason in message


def test_several_faults_are_counted() -> None:
    assert "(and 1 more)" in fault('id = "sample"\n')


def test_broken_toml_names_line_and_column() -> None:
    assert "line 2, column 7" in fault('id = "sample"\nname =\n')


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PluginError, match=r"plugin\.toml cannot be read: No such file"):
        read_manifest(tmp_path / "plugin.toml")


def test_bytes_that_are_no_text_are_named(tmp_path: Path) -> None:
    path = tmp_path / "plugin.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PluginError, match="not UTF-8"):
        read_manifest(path)


def test_a_hyphen_in_an_id_is_an_underscore_in_names() -> None:
    manifest = parse_manifest(
        'id = "local-model"\nname = "L"\nversion = "1"\n[[commands]]\nid = "local_model.a"\ntitle = "A"\n',
        "plugin.toml",
    )
    assert manifest.prefix == "local_model."
