"""The rows of the palette below the prompt: the user's own words, presets that fit, earlier instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from redraft.api.prompt_block import PaletteRow
from redraft.core.languages import language
from redraft_inline_edit.presets.preset import Preset, PresetSource
from redraft_inline_edit.prompt.history import HistoryEntry, match_score, matched_letters

OWN: Final = "own"
PRESET: Final = "preset:"
HISTORY: Final = "history:"
SHOWN_HISTORY: Final = 8
"""Earlier instructions that are listed."""

GOOD_MATCH: Final = 60.0
"""Likeness of 100 from which on a preset is found."""


def palette_rows(
    typed: str,
    presets: Sequence[Preset],
    history: Sequence[HistoryEntry],
    *,
    language_id: str,
    key_of: Callable[[Preset], str],
    now: float,
) -> tuple[PaletteRow, ...]:
    """What is offered for the words typed so far; after a slash only presets."""
    typed = typed.strip()
    is_slash = typed.startswith("/") and " " not in typed
    section = f"Presets for {language(language_id).name}"
    found = _matching(typed.removeprefix("/") if is_slash else typed, presets)
    rows = [_preset_row(preset, typed, section, key_of(preset)) for preset in found]
    if is_slash:
        return (*rows, _own_row(typed)) if rows else (_own_row(typed),)
    recent = [_history_row(entry, typed, now) for entry in history[:SHOWN_HISTORY] if entry.words != typed]
    return (_own_row(typed), *rows, *recent)


def age(seconds: float) -> str:
    """A time ago, as short words."""
    minutes, hours, days = int(seconds // 60), int(seconds // 3600), int(seconds // 86400)
    if minutes < 1:
        return "now"
    if hours < 1:
        return f"{minutes} min"
    if days < 1:
        return f"{hours} h"
    return "yesterday" if days == 1 else f"{days} days"


def _matching(typed: str, presets: Sequence[Preset]) -> Sequence[Preset]:
    if not typed:
        return presets
    scored = [(_preset_score(typed, preset), preset) for preset in presets]
    return [preset for score, preset in sorted(scored, key=lambda pair: -pair[0]) if score >= GOOD_MATCH]


def _preset_score(typed: str, preset: Preset) -> float:
    if preset.name.casefold().startswith(typed.casefold()):
        return 200.0
    if len(typed) < 3:
        return 0.0
    return max(match_score(typed, preset.name), match_score(typed, preset.label))


def _own_row(typed: str) -> PaletteRow:
    detail = typed or "write above, ↑ for earlier ones, / to filter presets"
    return PaletteRow(OWN, "Your own words", detail.split("\n", 1)[0], key="Enter", icon="own_words")


def _preset_row(preset: Preset, typed: str, section: str, key: str) -> PaletteRow:
    source = preset.origin if preset.source is PresetSource.PLUGIN else preset.source.value
    title = f"/{preset.name}"
    return PaletteRow(
        f"{PRESET}{preset.name}",
        title,
        preset.label,
        source=source,
        key=key,
        section=section,
        matched=matched_letters(typed, title),
    )


def _history_row(entry: HistoryEntry, typed: str, now: float) -> PaletteRow:
    return PaletteRow(
        f"{HISTORY}{entry.words}",
        " ".join(entry.words.split()),
        source=age(max(now - entry.when, 0.0)) if entry.when else "",
        section="Recent",
        icon="history",
        actions=("edit", "remove"),
        matched=matched_letters(typed, entry.words),
    )
