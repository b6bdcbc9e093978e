"""Why nothing is predicted now: switched off, paused here, left out, or put to sleep; each with a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from redraft.api.context import PluginContext
from redraft.api.editor import TextEditor
from redraft.core.folder import path_below
from redraft.core.languages import language
from redraft.core.llm.client import ModelInfo
from redraft.core.patterns import pattern_list
from redraft.core.wording import count_words

LARGEST: Final = 1_000_000
"""Characters of a file above which nothing is predicted in it."""

PURPOSE: Final = "edit_prediction"
SLEEP: Final = 600.0
FRESH: Final = 2.0
"""Seconds for which it is known who is asked."""


class Mode(StrEnum):
    """When predictions are shown."""

    AUTO = "auto"
    EAGER = "eager"
    SUBTLE = "subtle"
    OFF = "off"


class Why(StrEnum):
    """Why nothing is predicted; the status item shows each differently."""

    OFF = "off"
    PAUSED = "paused"
    LEFT_OUT = "left_out"
    ASLEEP = "asleep"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What keeps predictions away, in a sentence."""

    why: Why
    sentence: str


class Rules:
    """What the user wants, and what the files allow.

    Args:
        context: The plugin's.
        clock: Seconds that never go back.
    """

    def __init__(self, context: PluginContext, clock: Callable[[], float]) -> None:
        self._context = context
        self._clock = clock
        self._asleep_until = 0.0
        self._model: tuple[float, ModelInfo | None] | None = None

    @property
    def mode(self) -> Mode:
        """The mode in force: `auto` is decided by whether a model was chosen."""
        mode = Mode(self._get("mode"))
        if mode is not Mode.AUTO:
            return mode
        return Mode.EAGER if self._context.settings.get(f"default_models.{PURPOSE}") else Mode.OFF

    @property
    def is_automatic(self) -> bool:
        """Whether nobody has said that predictions are wanted however slow they are."""
        return Mode(self._get("mode")) is Mode.AUTO

    @property
    def model(self) -> ModelInfo | None:
        """Who is asked; looked up anew after a while, for that may mean looking into folders."""
        now = self._clock()
        if self._model is None or now - self._model[0] > FRESH:
            self._model = now, self._context.models.default(PURPOSE)
        return self._model[1]

    def forget_model(self) -> None:
        """Look anew who is asked."""
        self._model = None

    @property
    def is_asleep(self) -> bool:
        """Whether predictions are put to sleep."""
        return self._clock() < self._asleep_until

    def sleep(self) -> None:
        """No predictions for ten minutes."""
        self._asleep_until = self._clock() + SLEEP

    def wake(self) -> None:
        """Predictions again."""
        self._asleep_until = 0.0

    def obstacle(self, editor: TextEditor | None) -> Obstacle | None:
        """What keeps predictions away from a file, if anything."""
        return self._general() or (self._in_file(editor) if editor is not None else None)

    def may_show(self, editor: TextEditor) -> bool:
        """Whether a file's text may be shown to the model, to predict in it or beside it."""
        return self._left_out(editor) is None and not editor.is_large and len(editor.text) <= LARGEST

    def name(self, editor: TextEditor) -> str:
        """How a file is named in prompts and patterns: its path within the open folder."""
        return path_below(editor.path, self._context.editor.folder) or editor.title

    def has_language(self, language_id: str) -> bool:
        """Whether predictions are on for a language."""
        return language_id not in self._get("off_languages")

    def toggle_language(self, language_id: str) -> None:
        """Switch predictions off for a language, or on again."""
        self._set("off_languages", _toggled(self._get("off_languages"), language_id))

    def toggle_file(self, editor: TextEditor) -> None:
        """Switch predictions off for a file, or on again: as an exception where another pattern names it."""
        own = self.pattern_for(editor)
        entries: Sequence[str] = self._get("off_files")
        is_exception = own not in entries and (bool(self.off_pattern(editor)) or f"!{own}" in entries)
        self._set("off_files", _toggled(entries, f"!{own}" if is_exception else own))

    def pattern_for(self, editor: TextEditor) -> str:
        """The pattern that names this file and no other."""
        name = self.name(editor)
        return "".join(f"\\{char}" if char in "\\*?[]!# " else char for char in name)

    def off_pattern(self, editor: TextEditor) -> str:
        """The pattern by which a file is left out, or nothing."""
        return pattern_list(tuple(self._get("off_files"))).find(self._place(editor))

    def _place(self, editor: TextEditor) -> str:
        """A file's path within the open folder, or its whole path: what patterns are compared with."""
        path = editor.path
        if path is None:
            return editor.title
        return path_below(path, self._context.editor.folder) or path.as_posix().lstrip("/")

    def _general(self) -> Obstacle | None:
        if not self._context.privacy.ai_enabled:
            return Obstacle(Why.OFF, "AI is switched off.")
        if self.mode is Mode.OFF:
            chosen = "Off until a model is chosen for it." if self.is_automatic else "Switched off."
            return Obstacle(Why.OFF, chosen)
        if self.model is None:
            return Obstacle(Why.OFF, "No model is set up for it.")
        if self.is_asleep:
            minutes = max(1, round((self._asleep_until - self._clock()) / 60))
            return Obstacle(Why.ASLEEP, f"Asleep for {count_words(minutes, 'more minute')}.")
        return None

    def _in_file(self, editor: TextEditor) -> Obstacle | None:
        if editor.is_under_edit:
            return Obstacle(Why.PAUSED, "Paused while an edit is open in this file.")
        if editor.is_read_only:
            return Obstacle(Why.PAUSED, "Paused here: the file is read-only.")
        if editor.is_large or len(editor.text) > LARGEST:
            return Obstacle(Why.PAUSED, "Paused here: the file is too large.")
        if self._is_model_wanted():
            return Obstacle(Why.PAUSED, "Paused while the model of this machine is wanted for an edit.")
        return self._left_out(editor)

    def _is_model_wanted(self) -> bool:
        """Whether the model of this machine, which does one thing at a time, has an edit to write."""
        model = self.model
        is_here = model is not None and model.location == "embedded"
        return is_here and any(editor.is_under_edit for editor in self._context.editor.all)

    def _left_out(self, editor: TextEditor) -> Obstacle | None:
        # Not even a model of this machine: what it is told of an edit may be told to another one later.
        if refusal := self._context.privacy.refusal(editor.path):
            return Obstacle(Why.LEFT_OUT, refusal)
        if not self.has_language(editor.language_id):
            return Obstacle(Why.LEFT_OUT, f"Off for {language(editor.language_id).name}.")
        if pattern := self.off_pattern(editor):
            return Obstacle(Why.LEFT_OUT, f"Off for this file (Settings, Edit prediction: {pattern}).")
        return None

    def _get(self, name: str) -> Any:
        return self._context.settings.get(f"{PURPOSE}.{name}")

    def _set(self, name: str, entries: list[str]) -> None:
        self._context.settings.set(f"{PURPOSE}.{name}", entries)


def _toggled(entries: Sequence[str], entry: str) -> list[str]:
    others = [one for one in entries if one != entry]
    return others if len(others) < len(entries) else [*others, entry]
