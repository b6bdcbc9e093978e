"""Earlier instructions, newest first: kept over restarts, per project, searchable, and forgotten on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from rapidfuzz import fuzz

from redraft.api.services import Storage

FILE: Final = "history.jsonl"
MOST_KEPT: Final = 1000
GOOD_MATCH: Final = 55.0
"""Likeness of 100 from which on an instruction is found."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One instruction as it was given.

    Attributes:
        words: What was typed, with the preset's name.
        project: The folder it was given in; empty outside any.
        when: Seconds since 1970.
    """

    words: str
    project: str = ""
    when: float = 0.0


class History:
    """The instructions of one project before those of others.

    Args:
        storage: Where they are kept.
        project: The folder that is open, or an empty text.
        limit: How many are kept for a project; 0 keeps and stores none.
        clock: The time, in seconds since 1970.
    """

    def __init__(self, storage: Storage, *, project: str, limit: int, clock: Callable[[], float]) -> None:
        self._storage = storage
        self._project = project
        self._limit = max(limit, 0)
        self._clock = clock
        self._entries = parse_entries(storage.read(FILE) or "") if self._limit else []

    @property
    def entries(self) -> Sequence[HistoryEntry]:
        """This project's instructions, newest first, then those of other projects."""
        own = [entry for entry in self._entries if entry.project == self._project]
        words = {entry.words for entry in own}
        return [*own, *_distinct(entry for entry in self._entries if entry.words not in words)]

    @property
    def last(self) -> HistoryEntry | None:
        """The instruction given last, wherever that was."""
        return max(self._entries, key=lambda entry: entry.when, default=None)

    def add(self, words: str) -> None:
        """Put an instruction on top; an equal one of this project moves there."""
        words = words.strip()
        if not words or not self._limit:
            return
        entry = HistoryEntry(words, self._project, self._clock())
        kept = [old for old in self._entries if (old.words, old.project) != (words, self._project)]
        own = [old for old in kept if old.project == self._project]
        surplus = set(own[self._limit - 1 :])
        self._entries = [entry, *(old for old in kept if old not in surplus)][:MOST_KEPT]
        self._save()

    def remove(self, words: str) -> None:
        """Forget one instruction, in every project."""
        self._entries = [entry for entry in self._entries if entry.words != words]
        self._save()

    def clear(self) -> None:
        """Forget all of them."""
        self._entries = []
        self._save()

    def search(self, typed: str, limit: int = 50) -> Sequence[HistoryEntry]:
        """The instructions that fit what was typed, best first; all of them, newest first, for nothing typed."""
        if not typed.strip():
            return self.entries[:limit]
        scored = [(match_score(typed, entry.words), entry) for entry in self.entries]
        found = [pair for pair in scored if pair[0] >= GOOD_MATCH]
        return [entry for _, entry in sorted(found, key=lambda pair: -pair[0])][:limit]

    def _save(self) -> None:
        lines = (json.dumps(asdict(entry), ensure_ascii=False) for entry in self._entries)
        self._storage.write(FILE, "".join(f"{line}\n" for line in lines))


class Recall:
    """Going through earlier instructions with Up and Down, and back to the words that were not sent yet."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._place = -1
        self._draft = ""

    @property
    def place(self) -> int:
        """Which instruction is shown, from 0 for the newest; -1 for the draft."""
        return self._place

    def move(self, step: int, current: str) -> str | None:
        """The words to show after a step (-1 is older, 1 is newer), or `None` at either end."""
        place = self._place - step
        if not -1 <= place < len(self._words):
            return None
        if self._place == -1:
            self._draft = current
        self._place = place
        return self._draft if place == -1 else self._words[place]


def match_score(typed: str, words: str) -> float:
    """How well typed letters fit some words, 0 to 100: the same letters in one place are best."""
    typed, words = typed.strip().casefold(), words.casefold()
    if typed in words:
        return 100.0 - min(words.index(typed), 9)
    return max(fuzz.partial_ratio(typed, words), fuzz.token_set_ratio(typed, words)) * 0.9


def matched_letters(typed: str, words: str) -> tuple[int, ...]:
    """The indices in `words` that typed letters stand for, to draw them stronger."""
    folded, wanted = words.lower(), typed.strip().lower()
    if len(folded) != len(words) or not wanted:
        return ()
    start = folded.find(wanted)
    if start >= 0:
        return tuple(range(start, start + len(wanted)))
    places, place = [], 0
    for letter in wanted:
        place = folded.find(letter, place)
        if place < 0:
            return ()
        places.append(place)
        place += 1
    return tuple(places)


def parse_entries(text: str) -> list[HistoryEntry]:
    """Read stored instructions; lines that cannot be read are passed over, plain text counts as words."""
    return [entry for line in text.split("\n") if line.strip() and (entry := _entry(line)) is not None]


def _entry(line: str) -> HistoryEntry | None:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, str):
        return HistoryEntry(value.strip()) if value.strip() else None
    if not isinstance(value, dict):
        return None
    words, project, when = value.get("words"), value.get("project", ""), value.get("when", 0)
    if not isinstance(words, str) or not words.strip() or not isinstance(project, str):
        return None
    return HistoryEntry(words.strip(), project, float(when) if isinstance(when, int | float) else 0.0)


def _distinct(entries: Iterable[HistoryEntry]) -> list[HistoryEntry]:
    return list({entry.words: entry for entry in reversed(list(entries))}.values())[::-1]
