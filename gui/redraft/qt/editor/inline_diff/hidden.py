"""Characters that do not show, and the names by which they are drawn."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

HIDDEN: Final = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Controls, bidi and zero-width characters, blank fillers, variation selectors and tags."""

JOINS: Final = frozenset("\u200c\u200d\ufe0e\ufe0f")
"""Harmless inside an emoji or a script that joins; suspect anywhere else."""


def hidden_name(character: str) -> str:
    """`"‹U+202E›"` for a character that does not show."""
    return f"‹U+{ord(character):04X}›"


def is_hidden(text: str, index: int) -> bool:
    """Whether the character at a place hides: a joiner after a mark that it may join does not."""
    character = text[index]
    if HIDDEN.match(character) is None:
        return False
    if character in JOINS and index > 0:
        before = text[index - 1]
        return ord(before) < 0x2000 and unicodedata.category(before) not in {"Lo", "Mn", "Mc"}
    return True
