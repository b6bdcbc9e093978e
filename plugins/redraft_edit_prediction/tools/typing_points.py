"""Where people pause while they type a line."""

from __future__ import annotations

import random
from typing import Final

_OPENERS: Final = frozenset(",;:([{")
_CLOSERS: Final = frozenset(")]}>\"'`")
_OPERATORS: Final = frozenset("+-*/%=<!&|^~.?@#")


def pause_weight(line: str, at: int) -> int:
    """How likely someone pauses before the character at a place: 10 after an opening mark, 1 inside a word."""
    before, here = line[at - 1], line[at : at + 1]
    if before in _OPENERS:
        return 10
    if before in _CLOSERS or (_is_word(before) and not _is_word(here)):
        return 8
    if before.isspace():
        return 6
    return 5 if before in _OPERATORS else 1


def typed_part(line: str, chooser: random.Random) -> str:
    """The beginning of a line that was typed when the prediction is asked for; at least its first visible character."""
    first = len(line) - len(line.lstrip()) + 1
    places = list(range(first, len(line)))
    if not places:
        return ""
    return line[: chooser.choices(places, weights=[pause_weight(line, at) for at in places])[0]]


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
