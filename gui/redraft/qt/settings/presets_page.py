"""The page of prompts and presets: where each comes from, and a way to make one's own of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from redraft.api.prompt_block import Tone
from redraft.core.config.document import find_line
from redraft.core.config.preset_rows import is_alteration, model_in, named_rows, with_model
from redraft.core.errors import ConfigError, PromptError
from redraft.core.paths import config_folder
from redraft.core.text import split_lines
from redraft.qt.settings.chips import Mark
from redraft.qt.settings.fields import ChoiceField
from redraft.qt.settings.rows import ActionRow
from redraft.qt.settings.surfaces import Card
from redraft.qt.settings.table_page import TablePage
from redraft.qt.widgets import KeyButton

NONE_YET = "Presets of your own, of your preset files and of plugins are listed here."
PRESETS_OWNER = "inline_edit"
"""The plugin whose own presets are the built-in ones."""
USUAL = "Usual model"
MODEL_WIDTH = 176
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

    @property
    def source_words(self) -> str:
        """Who wrote it, to begin a sentence with."""
        return self.file.name if self.file is not None else f"The plugin {self.source}"


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
            row.add(self._model_field(preset, row))
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
        """The user's presets, then those of files, then those of plugins, with what the settings alter in them."""
        store = self.services.store
        rows = [(name, row) for name, row in named_rows(store.get("presets")) if isinstance(row, Mapping)]
        altered = {name: row for name, row in rows if is_alteration(row)}
        for name, table in rows:
            if not is_alteration(table):
                yield _listed(name, table, "yours", store.path)
        for path in sorted((config_folder() / "presets").glob("*.md")):
            yield _preset_of_file(path)
        for table in self.services.presets():
            name, plugin = str(table.get("name", "")), str(table.get("plugin", "plugin"))
            source = "built-in" if plugin == PRESETS_OWNER else plugin
            yield _listed(name, {**table, **altered.get(name, {})}, source)

    def _model_field(self, preset: ListedPreset, row: ActionRow) -> ChoiceField:
        """Whom the preset asks."""
        names = [model.name for model in self.services.models.list_models()]
        field = ChoiceField(self.theme, [("", USUAL), *((name, name) for name in names)])
        field.setAccessibleName(f"Model of /{preset.name}")
        field.setFixedWidth(MODEL_WIDTH)
        field.set_value(self._model_of(preset))
        field.committed.connect(partial(self._on_model, preset, field, row))
        return field

    def _model_of(self, preset: ListedPreset) -> str:
        return model_in(self.services.store.get("presets"), preset.name) or str(preset.table.get("model", ""))

    def _on_model(self, preset: ListedPreset, field: ChoiceField, row: ActionRow) -> None:
        store, place = self.services.store, self.presets.rows.index(row)
        try:
            store.set("presets", with_model(store.get("presets"), preset.name, field.value()))
        except ConfigError as error:
            row.show_fault(str(error))
            return
        # Where something has changed, the rows have been made anew.
        row = next(row for row in self.presets.rows[place : place + 1] if isinstance(row, ActionRow))
        shown = row.findChildren(ChoiceField)[0]
        shown.setFocus()
        if shown is field and field.value() != self._model_of(preset):
            field.set_value(self._model_of(preset))
            row.show_fault(f"{preset.source_words} names this model; change it there.")

    def _on_open(self, preset: ListedPreset, _checked: object = None) -> None:
        self._open_at(preset.file or self.services.store.path, preset.name)

    def _on_copy(self, preset: ListedPreset, _checked: object = None) -> None:
        table = {key: value for key, value in preset.table.items() if key != "plugin"}
        self._append(table, with_model(self.services.store.get("presets"), preset.name, ""))

    def _on_add(self) -> None:
        taken = {preset.name for preset in self.listed()}
        name = next(name for name in ("mine", *(f"mine_{number}" for number in range(2, 999))) if name not in taken)
        others = self.services.store.get("presets")
        self._append(
            {"name": name, "label": "What it does, in one line", "command": "The instruction for the model."}, others
        )

    def _append(self, table: dict[str, Any], others: Sequence[Mapping[str, Any]]) -> None:
        store = self.services.store
        last = self._last
        try:
            store.set("presets", [*others, table])
        except ConfigError as error:
            last.show_fault(str(error))
        else:
            self._open_at(store.path, str(table.get("name", "")))

    def _open_at(self, path: Path, name: str) -> None:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        lines = split_lines(text)
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


def _listed(name: str, table: Mapping[str, Any], source: str, file: Path | None = None) -> ListedPreset:
    words = str(table.get("label") or table.get("command") or table.get("template_name") or "")
    purpose = PURPOSES.get(str(table.get("purpose", "")), "")
    is_said = not purpose or (table.get("purpose") == "new_tab" and "new tab" in words)
    return ListedPreset(name, words if is_said else f"{words} ({purpose})", source, table, file)


def _preset_of_file(path: Path) -> ListedPreset:
    """A preset of one's own as a Markdown file: its name is the file's; what it says of itself stands on top."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        return ListedPreset(path.stem, f"The file cannot be read: {error}.", "yours", {}, path)
    head = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    said = dict(re.findall(r"(?m)^(\w+):[ \t]*(.+)$", head[1])) if head else {}
    first = text[head.end() if head else 0 :].strip().partition("\n")[0]
    return ListedPreset(path.stem, said.get("label", first).strip(), "yours", said, path)
