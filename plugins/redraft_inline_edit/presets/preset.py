"""Presets: named instructions such as `/doc`, where they come from, and which of them fit a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

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
        model: The model it is for, by name; empty for the one in use.
        effort: How long a model that reasons should do so; empty for the usual.
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
    model: str = ""
    effort: str = ""

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


class PresetTable:
    """All presets there are; of the same name, the one closest to the user and fitting the place is meant."""

    def __init__(self, presets: Iterable[Preset]) -> None:
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
