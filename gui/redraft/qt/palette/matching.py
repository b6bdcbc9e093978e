"""Ranks choices against what was typed: whole words and beginnings before letters in order before near misses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from rapidfuzz import fuzz

SEPARATORS: Final = frozenset(" /\\_-.:")
NEAR: Final = 78.0
"""From this likeness (0 to 100) on, a misspelt word still matches."""


@dataclass(frozen=True, slots=True)
class Match:
    """A choice that matches: its place in the list, how well, and which code points of it were typed."""

    place: int
    score: float
    positions: tuple[int, ...]


def rank(typed: str, choices: Sequence[str], limit: int = 200) -> list[Match]:
    """The best matches first; those that match alike keep the order of the list. All match nothing typed."""
    words = typed.casefold().split()
    if not words:
        return [Match(place, 0, ()) for place in range(min(len(choices), limit))]
    matches = [match for place, choice in enumerate(choices) if (match := _match(words, choice, place))]
    matches.sort(key=lambda match: (-match.score, match.place))
    return matches[:limit]


def _match(words: Iterable[str], choice: str, place: int) -> Match | None:
    folded = choice.casefold()
    # Casefolding may lengthen a text ("ß"); then positions cannot be told, only that it matches.
    same_length = len(folded) == len(choice)
    score = 0.0
    positions: set[int] = set()
    for word in words:
        found = _match_word(word, folded)
        if found is None:
            return None
        score += found[0]
        positions.update(found[1])
    return Match(place, score - len(choice) / 1000, tuple(sorted(positions)) if same_length else ())


def _match_word(word: str, text: str) -> tuple[float, Sequence[int]] | None:
    start = _best_place(word, text)
    if start >= 0:
        at_word = start == 0 or text[start - 1] in SEPARATORS
        name = text.rfind("/") + 1
        score = 100 + 40 * at_word + 20 * (start >= name) + 20 * (start == name) + 20 * (len(word) == len(text))
        return score, range(start, start + len(word))
    letters = _in_order(word, text)
    if letters is not None:
        runs = sum(b == a + 1 for a, b in pairwise(letters))
        starts = sum(place == 0 or text[place - 1] in SEPARATORS for place in letters)
        return 40 + 30 * (runs + starts) / (2 * len(word)), letters
    if len(word) >= 4 and (likeness := fuzz.partial_ratio(word, text)) >= NEAR:
        return likeness / 5, ()
    return None


def _best_place(word: str, text: str) -> int:
    """Where the word stands: preferably at the beginning of a word, and in a path's last part."""
    places = []
    start = text.find(word)
    while start >= 0:
        places.append(start)
        start = text.find(word, start + 1)
    name = text.rfind("/")
    return max(
        places,
        key=lambda place: (place > name, place == 0 or text[place - 1] in SEPARATORS, -place),
        default=-1,
    )


def _in_order(word: str, text: str) -> list[int] | None:
    places, start = [], 0
    for letter in word:
        place = text.find(letter, start)
        if place < 0:
            return None
        places.append(place)
        start = place + 1
    return places
