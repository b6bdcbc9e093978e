"""Presets: named instructions such as `/doc`, where they come from, and which of them fit a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from redraft.core.errors import ConfigError, RedraftError

SLASH_WORD = re.compile(r"/([\w-]+)(?:\s+|$)")
FIX = "fix"
"""The preset that problems reported in the lines are sent with."""
PROSE = frozenset({"plaintext", "markdown", "restructuredtext", "latex"})


class PresetSource(StrEnum):
    """Who wrote a preset; a later one hides an earlier one of the same name."""

    BUILT_IN = "built-in"
    PLUGIN = "plugin"
    YOURS = "yours"
    PROJECT = "project"


class Purpose(StrEnum):
    """What becomes of the answer."""

    EDIT = "edit"
    """It is proposed in place of the lines."""
    ANSWER = "answer"
    """It is shown as words, and nothing changes."""
    NEW_TAB = "new_tab"
    """It is shown in a new tab."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A named instruction.

    Attributes:
        name: What is typed after the slash.
        label: What it does, in one line.
        command: The instruction; the user's further words follow it.
        template: A prompt template of its own in place of the usual frame.
        template_name: The same, by the name of a prompt file.
        kind: `"replace"` or `"insert"` where it fits only one of them, else empty.
        purpose: What becomes of the answer.
        language_in: Languages it is for; empty for all.
        language_not_in: Languages it is not for.
        source: Who wrote it.
        origin: The plugin's name, or the file it stands in.
    """

    name: str
    label: str = ""
    command: str = ""
    template: str = ""
    template_name: str = ""
    kind: str = ""
    purpose: Purpose = Purpose.EDIT
    language_in: frozenset[str] = frozenset()
    language_not_in: frozenset[str] = frozenset()
    source: PresetSource = PresetSource.BUILT_IN
    origin: str = ""

    def fits(self, language_id: str, kind: str) -> bool:
        """Whether it is offered for a language and a kind of edit."""
        if self.kind and self.kind != kind:
            return False
        if self.language_in and language_id not in self.language_in:
            return False
        return language_id not in self.language_not_in

    def instruction(self, words: str) -> str:
        """Its instruction, with the user's further words."""
        return "\n".join(part for part in (self.command, words.strip()) if part)


BUILT_IN: tuple[Preset, ...] = (
    Preset(
        "fix",
        "Repair what is wrong, as you name it or as it is reported",
        "Find and repair the mistake in this code. Change nothing else.",
        kind="replace",
        language_not_in=PROSE,
    ),
    Preset(
        "fix",
        "Correct spelling and grammar",
        "Correct spelling, grammar and punctuation. Keep the meaning, the tone, the line breaks and all markup, and "
        "leave code, links and names as they are.",
        kind="replace",
        language_in=PROSE,
    ),
    Preset(
        "doc",
        "Write the documentation from what the code does",
        "Add documentation in the usual form of this language (a docstring in Python) that says what the code does, "
        "its parameters, its result and the errors it raises. Do not change the code itself.",
        kind="replace",
        language_not_in=PROSE,
    ),
    Preset(
        "test",
        "Write tests for the selection, in a new tab",
        "Write tests for this code, with the usual test framework of this language.",
        kind="replace",
        purpose=Purpose.NEW_TAB,
        language_not_in=PROSE,
    ),
    Preset(
        "explain",
        "Say what the code does, and change nothing",
        "Explain briefly what this does, and anything surprising about it.",
        kind="replace",
        purpose=Purpose.ANSWER,
    ),
    Preset(
        "simplify",
        "Make it shorter and clearer, with the same behaviour",
        "Make this simpler and easier to read. Behaviour, names seen from outside and results stay exactly the same.",
        kind="replace",
    ),
    Preset(
        "types",
        "Add types to parameters, results and attributes",
        "Add type annotations to all parameters, results and attributes. Do not change what the code does.",
        kind="replace",
        language_in=frozenset({"python", "javascript", "typescript", "php", "ruby"}),
    ),
)


class PresetTable:
    """All presets there are; of the same name, the one closest to the user and fitting the place is meant."""

    def __init__(self, presets: Iterable[Preset] = BUILT_IN) -> None:
        order = list(PresetSource)
        self._presets = sorted(presets, key=lambda preset: -order.index(preset.source))

    def fitting(self, language_id: str, kind: str) -> Sequence[Preset]:
        """The presets offered for a place, built-in ones first."""
        found: dict[str, Preset] = {}
        for preset in self._presets:
            if preset.fits(language_id, kind):
                found.setdefault(preset.name, preset)
        order = list(PresetSource)
        return sorted(found.values(), key=lambda preset: order.index(preset.source))

    def find(self, name: str, language_id: str, kind: str) -> Preset | None:
        """A preset by name: one that fits, else any of that name, since a typed name is meant."""
        named = [preset for preset in self._presets if preset.name.casefold() == name.casefold()]
        return next((preset for preset in named if preset.fits(language_id, kind)), named[0] if named else None)

    def relabelled(self, name: str, label: str) -> PresetTable:
        """The same table, with another line about a preset; an empty one leaves it as it is."""
        if not label:
            return self
        return PresetTable(replace(one, label=label) if one.name == name else one for one in self._presets)

    def parse(self, words: str, language_id: str, kind: str) -> tuple[Preset | None, str]:
        """Split `/name words` into a preset and the words; an unknown name is no preset, and all are words."""
        match = SLASH_WORD.match(words.lstrip())
        preset = self.find(match[1], language_id, kind) if match else None
        if match is None or preset is None:
            return None, words.strip()
        return preset, words.lstrip()[match.end() :].strip()


def preset_from_table(name: str, table: Mapping[str, Any], source: PresetSource, origin: str = "") -> Preset:
    """A preset as written in settings, a manifest or a file; the keys of both spellings are known.

    Raises:
        ConfigError: A value is missing or of the wrong kind; the message names the preset and the key.
    """
    filters = _value(table, "filters", dict, name, {})
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
    )
    if not SLASH_WORD.fullmatch(f"/{preset.name}"):
        raise ConfigError(f"The preset {name!r} needs a name of letters, digits, - and _ only.")
    if preset.kind not in {"", "replace", "insert"}:
        raise ConfigError(f"The preset /{preset.name}: kind must be replace or insert, not {preset.kind!r}.")
    if not (preset.command or preset.template):
        raise ConfigError(f"The preset /{preset.name} needs a command or a promptTemplate.")
    return preset if preset.label else replace(preset, label=_first_line(preset.command))


def presets_from_settings(tables: Iterable[Mapping[str, Any]]) -> tuple[list[Preset], list[ConfigError]]:
    """The user's presets from settings, and what is wrong with those that cannot be used.

    Each table has its own `name`, or stands under it, as in other tools: `{"/doc" = { label = ..., ... }}`.
    """
    return _collect(_named(tables, PresetSource.YOURS, "settings"))


def presets_from_plugins(tables: Iterable[Mapping[str, Any]]) -> tuple[list[Preset], list[ConfigError]]:
    """The presets other plugins bring."""
    return _collect(
        (str(table.get("name", "")), table, PresetSource.PLUGIN, str(table.get("plugin", ""))) for table in tables
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
    for line in match[1].split("\n") if match else ():
        key, _, value = line.partition(":")
        head[key.strip()] = value.strip()
    return preset_from_table(path.stem, {**head, "command": body.strip()}, source, str(path))


def _named(
    tables: Iterable[Mapping[str, Any]], source: PresetSource, origin: str
) -> Iterator[tuple[str, Any, PresetSource, str]]:
    for table in tables:
        if "name" in table:
            yield str(table["name"]), table, source, origin
        else:
            yield from ((name, value, source, origin) for name, value in table.items())


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
    value = table.get(key, table.get(_camel(key), default))
    if not isinstance(value, kind):
        raise ConfigError(f"The preset {name!r}: {key} must be {'text' if kind is str else 'a table'}.")
    return value


def _languages(table: Mapping[str, Any], key: str, name: str) -> frozenset[str]:
    value = table.get(key, table.get(_camel(key), ""))
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


def _camel(key: str) -> str:
    head, *rest = key.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]
