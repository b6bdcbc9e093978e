"""Finds characters that hide or reorder code, and quotes that look like others.

Bidirectional controls and tags follow Unicode's UTS #55 (source code handling). A joiner inside an emoji, or between
letters of a script that needs it, is not hidden.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Final

SUSPECT: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
JOINERS: Final = frozenset("\u200c\u200d")
QUOTES: Final = re.compile("[\u00b4\u2018-\u201f\u2032\u2033\u2039\u203a\u00ab\u00bb\uff02\uff07]")
DIRECTION_MARKS: Final = frozenset({0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x2070)})
FIRST_TAG: Final = 0xE0000
BLACK_FLAG: Final = "\U0001f3f4"


@dataclass(frozen=True, slots=True)
class HiddenCharacter:
    """A character that is not seen where it stands; `name` is as in `U+202E`."""

    offset: int
    name: str
    description: str


def find_hidden(text: str) -> list[HiddenCharacter]:
    """Every hidden character of a text, in order."""
    return [
        HiddenCharacter(match.start(), code_point(match[0]), unicodedata.name(match[0], "unnamed").lower())
        for match in SUSPECT.finditer(text)
        if not _belongs(text, match.start())
    ]


def introduced_hidden(new: str, old: str) -> list[HiddenCharacter]:
    """Hidden characters of the new text beyond those the old text had."""
    known = Counter(hidden.name for hidden in find_hidden(old))
    return [hidden for hidden in find_hidden(new) if not _used_up(known, hidden.name)]


def kind_in_words(hidden: HiddenCharacter) -> str:
    """What a hidden character does, as one says it: `"a text-direction mark"`."""
    number = int(hidden.name.removeprefix("U+"), 16)
    if number in DIRECTION_MARKS:
        return "a text-direction mark"
    return "a tag character" if number >= FIRST_TAG else "a character without width"


def introduced_quotes(new: str, old: str) -> list[HiddenCharacter]:
    """Typographic quotes of the new text beyond those the old text had: in code they are rarely meant."""
    known = Counter(match[0] for match in QUOTES.finditer(old))
    return [
        HiddenCharacter(match.start(), code_point(match[0]), unicodedata.name(match[0]).lower())
        for match in QUOTES.finditer(new)
        if not _used_up(known, match[0])
    ]


def code_point(char: str) -> str:
    """A character by number, as in `U+202E`."""
    return f"U+{ord(char):04X}"


def _used_up(known: Counter[str], name: str) -> bool:
    known[name] -= 1
    return known[name] >= 0


def _belongs(text: str, at: int) -> bool:
    """Whether a joiner does its work between what it joins, or a tag spells a flag."""
    char = text[at]
    if "\U000e0020" <= char <= "\U000e007f":
        start = at
        while start and "\U000e0020" <= text[start - 1] <= "\U000e007f":
            start -= 1
        return start > 0 and text[start - 1] == BLACK_FLAG
    if char not in JOINERS or at == 0 or at + 1 >= len(text):
        return False
    before, after = text[at - 1], text[at + 1]
    if char == "\u200d" and _is_emoji_part(before) and _is_emoji_part(after):
        return True
    return _joins(before) and _joins(after)


def _is_emoji_part(char: str) -> bool:
    return unicodedata.category(char) in {"So", "Sk"} or char == "\ufe0f"


def _joins(char: str) -> bool:
    """Letters and marks of Arabic to Myanmar and Khmer, whose shapes depend on joiners."""
    return "\u0600" <= char <= "\u1aff" and unicodedata.category(char)[0] in "LM"
