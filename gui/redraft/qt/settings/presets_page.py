"""The page of prompts and presets: where each comes from, and a way to make one's own of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from redraft.api.prompt_block import Tone
from redraft.core.config.document import find_line
from redraft.core.errors import ConfigError, PromptError
from redraft.core.paths import config_folder
from redraft.qt.settings.chips import Mark
from redraft.qt.settings.rows import ActionRow
from redraft.qt.settings.surfaces import Card
from redraft.qt.settings.table_page import TablePage
from redraft.qt.widgets import KeyButton

NONE_YET = "Presets of your own, of your preset files and of plugins are listed here."
PRESETS_OWNER = "inline_edit"
"""The plugin whose own presets are the built-in ones."""
PURPOSES = {"answer": "answers in words", "new_tab": "opens a new tab"}


@dataclass(frozen=True, slots=True)
class ListedPreset:
    """A preset as the page lists it.

    Attributes:
        source: Who wrote it: `"yours"`, `"built-in"`, or a plugin's id.
        file: Where it stands, if in a file of the user's.
    """

    name: str
    words: str
    source: str
    table: Mapping[str, Any]
    file: Path | None = None


class PresetsPage(TablePage):
    """The presets and the prompt templates."""

    def build(self) -> None:
        """Fill the page."""
        self.add_heading("Presets")
        self.presets = Card(self.theme)
        self.body.addWidget(self.presets)
        self.add_heading("Prompts")
        self.prompts = Card(self.theme)
        self.body.addWidget(self.prompts)
        self.kept.add(self.services.store.on_did_change("presets", lambda _rows: self.list_presets()))
        self.list_presets()
        self.list_prompts()

    def list_presets(self) -> None:
        """Show the presets there are now."""
        self.presets.clear()
        for preset in self.listed():
            row = ActionRow(self.theme, f"/{preset.name}", preset.words, icon="settings_presets")
            row.add(Mark(self.theme, preset.source, Tone.ACCENT if preset.source == "yours" else Tone.PLAIN))
            is_own = preset.source == "yours"
            button = KeyButton(self.theme, "Open" if is_own else "Copy to edit")
            button.setAccessibleName(f"{button.text()}: /{preset.name}")
            button.clicked.connect(partial(self._on_open if is_own else self._on_copy, preset))
            row.add(button)
            self.presets.add_row(row)
        last = ActionRow(self.theme, "New preset", "" if self.presets.rows else NONE_YET)
        add = KeyButton(self.theme, "Add preset", icon="add")
        add.clicked.connect(self._on_add)
        last.add(add)
        self.presets.add_row(last)
        self._last = last

    def list_prompts(self) -> None:
        """Show the prompt templates there are now."""
        self.prompts.clear()
        library = self.services.prompts
        for name in library.names():
            is_own = library.is_overridden(name)
            row = ActionRow(self.theme, name, str(library.path(name)) if is_own else "", icon="file")
            row.add(Mark(self.theme, "yours" if is_own else "built-in", Tone.ACCENT if is_own else Tone.PLAIN))
            if is_own:
                back = KeyButton(self.theme, "Use the built-in one")
                back.setAccessibleName(f"Use the built-in prompt {name}")
                back.clicked.connect(partial(self._on_restore, name, row))
                row.add(back)
            button = KeyButton(self.theme, "Open" if is_own else "Copy to edit")
            button.setAccessibleName(f"{button.text()}: prompt {name}")
            button.clicked.connect(partial(self._on_override, name, row))
            row.add(button)
            self.prompts.add_row(row)

    def listed(self) -> Iterator[ListedPreset]:
        """The user's presets, then those of files, then those of plugins."""
        store = self.services.store
        for table in store.get("presets"):
            yield _listed(table, "yours", store.path)
        for path in sorted((config_folder() / "presets").glob("*.md")):
            yield _preset_of_file(path)
        for table in self.services.presets():
            plugin = str(table.get("plugin", "plugin"))
            yield _listed(table, "built-in" if plugin == PRESETS_OWNER else plugin)

    def _on_open(self, preset: ListedPreset, _checked: object = None) -> None:
        self._open_at(preset.file or self.services.store.path, preset.name)

    def _on_copy(self, preset: ListedPreset, _checked: object = None) -> None:
        self._append({key: value for key, value in preset.table.items() if key != "plugin"})

    def _on_add(self) -> None:
        taken = {preset.name for preset in self.listed()}
        name = next(name for name in ("mine", *(f"mine_{number}" for number in range(2, 999))) if name not in taken)
        self._append({"name": name, "label": "What it does, in one line", "command": "The instruction for the model."})

    def _append(self, table: dict[str, Any]) -> None:
        store = self.services.store
        last = self._last
        try:
            store.set("presets", [*store.get("presets"), table])
        except ConfigError as error:
            last.show_fault(str(error))
        else:
            self._open_at(store.path, str(table.get("name", "")))

    def _open_at(self, path: Path, name: str) -> None:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        lines = text.splitlines()
        row = next((number for number, line in enumerate(lines, 1) if f'"{name}"' in line and "name" in line), 0)
        self.services.open_file(path, row or find_line(text, "presets"))

    def _on_override(self, name: str, row: ActionRow, _checked: object = None) -> None:
        try:
            path = self.services.prompts.override(name)
        except PromptError as error:
            row.show_fault(str(error))
            return
        self.list_prompts()
        self.services.open_file(path, 0)

    def _on_restore(self, name: str, row: ActionRow, _checked: object = None) -> None:
        try:
            self.services.prompts.restore(name)
        except PromptError as error:
            row.show_fault(str(error))
        else:
            self.list_prompts()


def _listed(table: Mapping[str, Any], source: str, file: Path | None = None) -> ListedPreset:
    words = str(table.get("label") or table.get("command") or table.get("template_name") or "")
    purpose = PURPOSES.get(str(table.get("purpose", "")), "")
    return ListedPreset(str(table.get("name", "")), f"{words} ({purpose})" if purpose else words, source, table, file)


def _preset_of_file(path: Path) -> ListedPreset:
    """A preset of one's own as a Markdown file: its name is the file's; what it says of itself stands on top."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        return ListedPreset(path.stem, f"The file cannot be read: {error}.", "yours", {}, path)
    label = re.search(r"\A---\n(?:.*\n)*?label:[ \t]*(.+)\n(?:.*\n)*?---\n", text)
    first = text.rpartition("---\n")[2].strip().partition("\n")[0]
    return ListedPreset(path.stem, label[1].strip() if label else first, "yours", {}, path)
