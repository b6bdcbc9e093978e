"""The reference of all settings, made from the declared table: the page docs/settings.md."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any, Final

from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.schema import Setting, SettingsSchema

HEAD: Final = """\
# Settings

Your settings stand in `settings.toml` in your configuration folder (`~/.config/redraft` on Linux). The settings page
writes the same file and keeps your comments. A name such as `editor.tab_width` is the key `tab_width` in the table
`[editor]`. What does not fit is named with its line, and its default is used. Plugins add settings of their own, in a
table named after them. This page is made from the declared settings by `make docs`.
"""
MODEL_EXAMPLE: Final = """\
One model is one table. Only `name` and `base_url` are needed; keys are never written here.

```toml
[[models]]
name = "Workshop"
kind = "openai"                 # or "anthropic", "tabby"
base_url = "https://gpu.example.com/v1"
model = "qwen2.5-coder-32b-instruct"
key = "keyring"                 # or "env:NAME", "command:WORDS", "file"
context_tokens = 32768
max_output_tokens = 4096
temperature = 0.2
```
"""


def settings_reference(schema: SettingsSchema) -> str:
    """The whole page."""
    parts = [HEAD]
    for section, settings in groupby(schema.settings.values(), key=lambda setting: setting.section):
        parts += [f"\n## {section.replace('_', ' ').capitalize()}\n\n", _table(list(settings))]
        if section == "models":
            parts += ["\n", MODEL_EXAMPLE, "\n", _model_keys()]
    return "".join(parts)


def _table(settings: list[Setting]) -> str:
    head = "| name | value | default | what it does |\n|---|---|---|---|\n"
    return head + "".join(
        f"| `{setting.name}` | {setting.wanted} | {_default(setting.default)} | {_cell(setting.sentence)} |\n"
        for setting in settings
    )


def _model_keys() -> str:
    """The keys of `[[models]]`, from the attributes its docstring describes."""
    attributes = (ModelSettings.__doc__ or "").partition("Attributes:")[2].strip().splitlines()
    rows = [line.strip().partition(": ") for line in attributes if line.strip()]
    return "| key | what it is |\n|---|---|\n" + "".join(f"| `{key}` | {_cell(words)} |\n" for key, _, words in rows)


def _default(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(f"`{_cell(entry)}`" for entry in value) or "none"
    return f"`{json.dumps(value)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
