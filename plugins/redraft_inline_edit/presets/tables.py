"""Reads presets: the built-in ones of this plugin's manifest, those of other plugins, of settings and of files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from redraft.core.config.preset_rows import is_alteration, named_rows
from redraft.core.errors import ConfigError, RedraftError
from redraft_inline_edit.presets.preset import SLASH_WORD, Preset, PresetSource, Purpose

OWN_PLUGIN: Final = "inline_edit"
FILTERS: Final = frozenset({"language_id_in", "language_id_not_in"})
ALTERED: Final = {"language_id_in": "language_in", "language_id_not_in": "language_not_in"} | {
    key: key for key in ("label", "kind", "purpose", "model", "effort")
}
"""What a table without an instruction can say of a preset, and where it stands in a `Preset`."""
EFFORTS: Final = frozenset({"", "low", "medium", "high"})
KEYS: Final = FILTERS | {
    "name",
    "plugin",
    "label",
    "command",
    "prompt_template",
    "kind",
    "purpose",
    "filters",
    "model",
    "effort",
}


def preset_from_table(name: str, table: Mapping[str, Any], source: PresetSource, origin: str = "") -> Preset:
    """A preset as written in settings, a manifest or a file; the keys of both spellings are known.

    Raises:
        ConfigError: A value is missing or of the wrong kind; the message names the preset and the key.
    """
    table = _snaked(table)
    filters = _snaked(_value(table, "filters", dict, name, {}))
    _check_keys(table, KEYS, name)
    _check_keys(filters, FILTERS, f"{name}, filters")
    preset = Preset(
        name.removeprefix("/"),
        label=_value(table, "label", str, name, ""),
        command=_value(table, "command", str, name, ""),
        template=_value(table, "prompt_template", str, name, ""),
        kind=_value(table, "kind", str, name, ""),
        purpose=_purpose(_value(table, "purpose", str, name, "edit"), name),
        language_in=_languages({**table, **filters}, "language_id_in", name),
        language_not_in=_languages({**table, **filters}, "language_id_not_in", name),
        source=source,
        origin=origin,
        model=_value(table, "model", str, name, ""),
        effort=_value(table, "effort", str, name, ""),
    )
    if not SLASH_WORD.fullmatch(f"/{preset.name}"):
        raise ConfigError(f"The preset {name!r} needs a name of letters, digits, - and _ only.")
    if preset.kind not in {"", "replace", "insert"}:
        raise ConfigError(f"The preset /{preset.name}: kind must be replace or insert, not {preset.kind!r}.")
    if preset.effort not in EFFORTS:
        raise ConfigError(f"The preset /{preset.name}: effort must be low, medium or high, not {preset.effort!r}.")
    if not (preset.command or preset.template):
        raise ConfigError(f"The preset /{preset.name} needs a command or a promptTemplate.")
    return preset if preset.label else replace(preset, label=_first_line(preset.command))


def presets_from_settings(
    tables: Iterable[Mapping[str, Any]], known: Iterable[Preset] | None = None
) -> tuple[list[Preset], list[ConfigError]]:
    """The user's presets from settings, and what is wrong with those that cannot be used.

    Each table has its own `name`, or stands under it, as in other tools: `{"/doc" = { label = ..., ... }}`. One
    without an instruction alters the known presets of its name, by default the built-in ones:
    `{name = "fix", model = "large"}`.
    """
    presets: list[Preset] = []
    errors: list[ConfigError] = []
    known = BUILT_IN if known is None else tuple(known)
    for name, table in named_rows(tables):
        try:
            presets += _from_settings(name, table, [one for one in known if one.name == name])
        except RedraftError as error:
            errors.append(ConfigError(str(error)))
    return presets, errors


def presets_from_plugins(tables: Iterable[Mapping[str, Any]]) -> tuple[list[Preset], list[ConfigError]]:
    """The presets other plugins bring."""
    return _collect(
        (str(table.get("name", "")), table, PresetSource.PLUGIN, str(table.get("plugin", "")))
        for table in tables
        if table.get("plugin") != OWN_PLUGIN
    )


def preset_from_file(path: Path, text: str, source: PresetSource) -> Preset:
    """A preset as a Markdown file: its name is the file's, its text the instruction.

    Lines such as `label: ...` or `kind: insert` may stand on top, between two lines of `---`.

    Raises:
        ConfigError: It cannot be used.
    """
    head: dict[str, Any] = {}
    match = re.match(r"---\n(.*?)\n---\n", text.replace("\r\n", "\n"), re.DOTALL)
    body = text.replace("\r\n", "\n")[match.end() if match else 0 :]
    for line in filter(str.strip, match[1].split("\n") if match else ()):
        key, _, value = line.partition(":")
        head[key.strip()] = value.strip()
    return preset_from_table(path.stem, {**head, "command": body.strip()}, source, str(path))


def _collect(
    tables: Iterable[tuple[str, Any, PresetSource, str]],
) -> tuple[list[Preset], list[ConfigError]]:
    presets: list[Preset] = []
    errors: list[ConfigError] = []
    for name, table, source, origin in tables:
        try:
            if not isinstance(table, Mapping):
                raise ConfigError(f"The preset {name!r} must be a table.")
            presets.append(preset_from_table(name, table, source, origin))
        except RedraftError as error:
            errors.append(ConfigError(str(error)))
    return presets, errors


def _value(table: Mapping[str, Any], key: str, kind: type[Any], name: str, default: Any) -> Any:
    value = table.get(key, default)
    if not isinstance(value, kind):
        raise ConfigError(f"The preset {name!r}: {key} must be {'text' if kind is str else 'a table'}.")
    return value


def _languages(table: Mapping[str, Any], key: str, name: str) -> frozenset[str]:
    value = table.get(key, "")
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple | set | frozenset) or not all(isinstance(part, str) for part in parts):
        raise ConfigError(f"The preset {name!r}: {key} must be a list of languages.")
    return frozenset(part.strip() for part in parts if part.strip())


def _purpose(value: str, name: str) -> Purpose:
    try:
        return Purpose(value)
    except ValueError:
        allowed = ", ".join(purpose.value for purpose in Purpose)
        raise ConfigError(f"The preset {name!r}: purpose must be one of {allowed}, not {value!r}.") from None


def _snaked(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table with its keys in one spelling: `languageIdIn` is `language_id_in`."""
    return {re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", str(key)): value for key, value in table.items()}


def _from_settings(name: str, table: Any, known: Sequence[Preset]) -> list[Preset]:
    if not isinstance(table, Mapping):
        raise ConfigError(f"The preset {name!r} must be a table.")
    if not is_alteration(table):
        return [preset_from_table(name, table, PresetSource.YOURS, "settings")]
    if not known and table.keys() <= {"name", "model"}:
        return []  # a model for a preset of a folder or plugin that is not there now
    return [_altered(preset, table) for preset in known] or [preset_from_table(name, table, PresetSource.YOURS)]


def _altered(preset: Preset, table: Mapping[str, Any]) -> Preset:
    """A preset with what a table says instead; it stays closest to the user where it is the project's."""
    parsed = preset_from_table(preset.name, {"command": "as it is", **table}, PresetSource.YOURS)
    filters = table.get("filters", {})
    given = {ALTERED[key] for key in (*_snaked(table), *_snaked(filters)) if key in ALTERED}
    source = preset.source if preset.source is PresetSource.PROJECT else PresetSource.YOURS
    return replace(preset, source=source, **{field: getattr(parsed, field) for field in given})


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]


def _check_keys(table: Mapping[str, Any], known: frozenset[str], name: str) -> None:
    if unknown := next((key for key in table if key not in known), None):
        raise ConfigError(f"The preset {name!r}: there is no key {unknown!r}; known are {', '.join(sorted(known))}.")


def _read_own_tables() -> tuple[dict[str, Any], ...]:
    """The presets of this plugin's own manifest, where the settings page finds them too."""
    manifest = tomllib.loads((files("redraft_inline_edit") / "plugin.toml").read_text(encoding="utf-8"))
    return tuple(manifest["presets"])


_OWN_TABLES: Final = _read_own_tables()
BUILT_IN: Final = tuple(preset_from_table(table["name"], table, PresetSource.BUILT_IN) for table in _OWN_TABLES)
"""The presets that are always there."""
