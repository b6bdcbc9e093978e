"""Where a text may be cut without splitting what a reader sees as one character.

A small reading of Unicode's rules for grapheme clusters (UAX #29): combining marks, joiners, variation selectors,
skin tones, tag sequences and flags stay with what they belong to, and so do the two halves of CRLF.
"""

from __future__ import annotations

import unicodedata

JOINER = "\u200d"


def is_boundary(text: str, at: int) -> bool:
    """Whether a cut before `text[at]` leaves both sides whole."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return not (before == "\r" and after == "\n")
    if before == JOINER or _extends(after):
        return False
    return not (_is_flag_half(before) and _is_flag_half(after) and _flag_halves_before(text, at) % 2)


def boundary_before(text: str, at: int) -> int:
    """The nearest boundary at or before an offset."""
    while not is_boundary(text, at):
        at -= 1
    return at


def boundary_after(text: str, at: int) -> int:
    """The nearest boundary at or after an offset."""
    while not is_boundary(text, at):
        at += 1
    return at


def _extends(char: str) -> bool:
    if char.isascii():
        return False
    if char == JOINER or unicodedata.category(char) in {"Mn", "Me", "Mc"}:
        return True
    code = ord(char)
    return 0x1F3FB <= code <= 0x1F3FF or 0xE0020 <= code <= 0xE007F or 0x1160 <= code <= 0x11FF


def _is_flag_half(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def _flag_halves_before(text: str, at: int) -> int:
    count = 0
    while count < at and _is_flag_half(text[at - 1 - count]):
        count += 1
    return count
