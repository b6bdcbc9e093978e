"""The instruction while it is written: what was typed, the palette for it, earlier ones, and what goes along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from redraft.api.prompt_block import PaletteRow
from redraft_inline_edit.context import mentions
from redraft_inline_edit.presets.preset import Preset, PresetTable
from redraft_inline_edit.prompt.history import History, Recall
from redraft_inline_edit.prompt.palette import HISTORY, OWN, PRESET, palette_rows
from redraft_inline_edit.request import Attachment
from redraft_inline_edit.sources import mention


@dataclass(frozen=True, slots=True)
class Run:
    """These words are to be run now."""

    words: str


@dataclass(frozen=True, slots=True)
class Fill:
    """These words are to stand in the field."""

    words: str


class Draft:
    """One instruction in the making.

    Args:
        presets: All presets.
        history: Earlier instructions.
        language_id: The file's language.
        kind: `"replace"` or `"insert"`.
        key_of: The key label of a preset.
        clock: Seconds since 1970.
    """

    def __init__(
        self,
        presets: PresetTable,
        history: History,
        *,
        language_id: str,
        kind: str,
        key_of: Callable[[Preset], str],
        clock: Callable[[], float],
    ) -> None:
        self.words = ""
        self.attachments: dict[str, Attachment] = {}
        self.presets = presets
        self._history = history
        self._language_id = language_id
        self._kind = kind
        self._key_of = key_of
        self._clock = clock
        self._recall = Recall([entry.words for entry in history.entries])
        self.rows: tuple[PaletteRow, ...] = ()
        self.current_row = ""
        self.type("")

    def split(self, words: str) -> tuple[Preset | None, str]:
        """The preset that words begin with, and the rest of them."""
        return self.presets.parse(words, self._language_id, self._kind)

    def type(self, words: str) -> None:
        """The user wrote something else."""
        self.words = words
        self.rows = palette_rows(
            words,
            self.presets.fitting(self._language_id, self._kind),
            self._history.search(words),
            language_id=self._language_id,
            key_of=self._key_of,
            now=self._clock(),
        )
        self.current_row = self.rows[0].id

    def use_presets(self, presets: PresetTable) -> None:
        """Offer other presets."""
        self.presets = presets
        self.type(self.words)

    def move(self, step: int) -> Fill | None:
        """Up and Down at the edge of the field: through the palette, and above its first row through earlier ones."""
        ids = [row.id for row in self.rows]
        place = ids.index(self.current_row) if self.current_row in ids else 0
        if self._recall.place < 0 and (step > 0 or place > 0):
            self.current_row = ids[min(place + step, len(ids) - 1)]
            return None
        words = self._recall.move(step, self.words)
        if words is None:
            return None
        self.type(words)
        self.current_row = OWN
        return Fill(words)

    def choose(self, row_id: str, action: str = "") -> Run | Fill | None:
        """A row was chosen, or one of its buttons pressed."""
        if row_id == OWN:
            return Run(self.words.strip()) if self.words.strip() else None
        if row_id.startswith(PRESET):
            return Run(f"/{row_id.removeprefix(PRESET)}")
        words = row_id.removeprefix(HISTORY)
        match action:
            case "remove":
                self._history.remove(words)
                self._recall = Recall([entry.words for entry in self._history.entries])
                self.type(self.words)
                return None
            case "edit":
                self.type(words)
                self.current_row = OWN
                return Fill(words)
            case _:
                return Run(words)

    def complete(self, row_id: str) -> Fill:
        """Tab: put a row's words into the field, ready for more of them."""
        words = f"/{row_id.removeprefix(PRESET)} " if row_id.startswith(PRESET) else row_id.removeprefix(HISTORY)
        words = self.words if row_id == OWN else words
        self.type(words)
        return Fill(words)

    def attach(self, attachment: Attachment, caret: int | None = None) -> Fill:
        """Send something along; where `@` was just typed, its name is put behind it."""
        self.attachments[attachment.name] = attachment
        if caret is None or self.words[caret - 1 : caret] != "@":
            self.type(self.words)
            return Fill(self.words)
        words = f"{self.words[: caret - 1]}{mention(attachment.name)} {self.words[caret:].lstrip()}"
        self.type(words)
        return Fill(words)

    def detach(self, name: str) -> Fill:
        """Send something no longer, and take its name out of the words."""
        self.attachments.pop(name, None)
        words = self.words.replace(f"{mention(name)} ", "").replace(mention(name), "")
        self.type(words)
        return Fill(words)

    def wants_context(self, caret: int) -> bool:
        """Whether `@` was just typed at the start of a word."""
        return self.words[caret - 1 : caret] == "@" and (caret == 1 or self.words[caret - 2].isspace())

    def sent_attachments(self, words: str) -> tuple[Attachment, ...]:
        """What goes along: what the words name first."""
        named = set(mentions(words))
        return tuple(sorted(self.attachments.values(), key=lambda attachment: attachment.name not in named))
