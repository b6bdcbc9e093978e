"""What the status item and its menu say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.api.menu import MenuModel, MenuRow, MenuSection
from redraft.api.prompt_block import Tone
from redraft.api.ui import StatusModel
from redraft_edit_prediction.live.journal import Entry, in_words
from redraft_edit_prediction.live.rules import Mode, Obstacle, Why

TITLE: Final = "Edit prediction"
MENU_COMMAND: Final = "edit_prediction.menu"
SHOWN_EVENTS: Final = 3


@dataclass(frozen=True, slots=True)
class Standing:
    """All that the item and its menu tell.

    Attributes:
        mode: When predictions are shown.
        obstacle: What keeps them away here.
        is_asking: Whether a model works on one.
        note: What became of the last one, where nothing is shown: held back, failed, no suggestion.
        is_failed: Whether the last one failed.
        is_slow: Whether they were given up because the model is too slow.
        last_seconds: How long the last answer took.
        model: Who is asked.
        language: The language of the file in front, and whether it is on.
        file: The name of the file in front; empty where there is none.
        is_language_off: Whether they are off for that language.
        is_file_off: Whether they are off for that file alone.
        is_asleep: Whether they are asleep.
        entries: What happened, the latest first.
    """

    mode: Mode
    obstacle: Obstacle | None = None
    is_asking: bool = False
    note: str = ""
    is_failed: bool = False
    is_slow: bool = False
    last_seconds: float | None = None
    model: str = ""
    language: str = ""
    file: str = ""
    is_language_off: bool = False
    is_file_off: bool = False
    is_asleep: bool = False
    entries: Sequence[Entry] = ()

    @property
    def sentence(self) -> str:
        """How it stands, in a sentence."""
        if self.obstacle is not None:
            return self.obstacle.sentence
        if self.is_slow:
            return "Resting: this model is slow here. “Show at once” insists."
        if self.is_asking:
            return "The model is at work."
        if self.note:
            return self.note
        took = f" The last one took {in_words(self.last_seconds)}." if self.last_seconds is not None else ""
        return f"Ready.{took}"


def status_of(standing: Standing) -> StatusModel:
    """The item of the status bar."""
    icon, text, tone = _look(standing)
    is_busy = standing.is_asking and standing.obstacle is None
    tooltip = f"{TITLE}: {standing.sentence}"
    return StatusModel(text, icon, tone, tooltip, MENU_COMMAND, busy=is_busy, at_right=True)


def menu_of(standing: Standing) -> MenuModel:
    """The menu of the item."""
    is_off = standing.mode is Mode.OFF
    modes = (
        MenuRow("eager", "Show at once", is_checked=standing.mode is Mode.EAGER),
        MenuRow("subtle", "Show only while Alt is held", is_checked=standing.mode is Mode.SUBTLE),
        MenuRow("off", "Off", is_checked=is_off),
    )
    pauses = [MenuRow("snooze", "Wake up" if standing.is_asleep else "Snooze for 10 minutes", icon="snooze")]
    if standing.file:
        language = f"{'On' if standing.is_language_off else 'Off'} for {standing.language}"
        file = f"{'On' if standing.is_file_off else 'Off'} for {standing.file}"
        pauses += [MenuRow("language", language, icon="off_here"), MenuRow("file", file, icon="off_here")]
    model = MenuRow("model", "Model", note=standing.model or "none", icon="model_local")
    events = [
        MenuRow("events", entry.words, note=entry.clock, dot=entry.tone) for entry in standing.entries[:SHOWN_EVENTS]
    ]
    more = MenuRow("events", "Show the last 50…", icon="menu")
    return MenuModel(
        TITLE,
        standing.sentence,
        (
            MenuSection(modes),
            MenuSection((*(() if is_off else pauses), model)),
            MenuSection((*events, more), "Last events") if events else MenuSection(()),
        ),
    )


def _look(standing: Standing) -> tuple[str, str, Tone]:
    obstacle = standing.obstacle
    if obstacle is None:
        if standing.is_slow:
            return "prediction_off", "Prediction rests", Tone.PLAIN
        if standing.is_failed:
            return "prediction", "Prediction", Tone.WARN
        return "prediction", "Prediction", Tone.ACCENT if standing.is_asking else Tone.PLAIN
    return {
        Why.OFF: ("prediction_off", "Prediction off", Tone.PLAIN),
        Why.PAUSED: ("prediction", "Paused here", Tone.PLAIN),
        Why.LEFT_OUT: ("off_here", "Off here", Tone.PLAIN),
        Why.ASLEEP: ("snooze", "Snoozed", Tone.PLAIN),
    }[obstacle.why]
