"""The plugin in docs/plugins.md is a real one: it is taken from the page and run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from redraft.core.text import TextEdit, TextRange, apply_edits
from redraft.host.discovery import FoundPlugin, discover
from redraft.host.loader import load_target
from redraft.host.storage import PluginLog

PAGE = Path(__file__).parents[2] / "docs" / "plugins.md"


@dataclass
class Buffer:
    """As much of an open file as the plugin uses."""

    text: str
    selection: TextRange
    line_end: str = "\n"
    steps: list[Sequence[TextEdit]] = field(default_factory=list)

    def apply(self, edits: Sequence[TextEdit]) -> None:
        self.steps.append(edits)
        self.text = apply_edits(self.text, edits)


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> FoundPlugin:
    folder = tmp_path_factory.mktemp("plugins")
    blocks = re.findall(r"`(tidy_lines/\S+)`:\n\n```\w+\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for name, text in blocks:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    found = discover(folder, entries=[])
    assert found.faults == ()
    return found.plugins[0]


@pytest.mark.parametrize(
    ("text", "ignore_case", "expected"),
    [
        ("b\na\nb\n", False, "a\nb\n"),
        ("b\nA\na", False, "A\na\nb"),
        ("b\nA\n", True, "A\nb\n"),
        ("b\r\na\r\n", False, "a\r\nb\r\n"),
    ],
)
def test_it_does_what_the_page_says(
    plugin: FoundPlugin,
    text: str,
    ignore_case: bool,  # noqa: FBT001 - a table's column
    expected: str,
) -> None:
    buffer = Buffer(text, TextRange(0, len(text)), "\r\n" if "\r" in text else "\n")
    settings = {"tidy_lines.ignore_case": ignore_case}
    context = SimpleNamespace(
        editor=SimpleNamespace(active=buffer), settings=settings, log=PluginLog(plugin.manifest.id)
    )
    load_target(plugin, plugin.manifest.commands[0].handler)(context)
    assert buffer.text == expected
    assert len(buffer.steps) == 1


def test_its_manifest_is_whole(plugin: FoundPlugin) -> None:
    manifest = plugin.manifest
    assert (manifest.id, manifest.name, manifest.version) == ("tidy_lines", "Tidy lines", "1.0")
    assert manifest.keybindings[0].key == "Ctrl+Alt+L"
    assert manifest.settings[0].default is False
