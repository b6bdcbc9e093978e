"""What is left out for texts too large to be coloured, and how wide the text is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LARGE: Final = 20_000_000
"""Bytes above which a text is shown plain: lexing to its end takes over a second."""

_PIECE: Final = 1 << 20

LONG_LINE: Final = 20_000
"""Characters of a line above which a text is shown plain and wrapped."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a text is too large for; `reason` is the sentence to show, empty if nothing is left out."""

    reason: str = ""
    wraps: bool = False
    longest: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the text is shown without colours and folding."""
        return bool(self.reason)


def longest_line(text: str) -> str:
    """The longest line, without its end; between pieces of a large text other threads have their turn."""
    longest, rest = "", ""
    for start in range(0, len(text), _PIECE):
        *lines, rest = (rest + text[start : start + _PIECE]).replace("\r", "\n").split("\n")
        longest = max((longest, *lines), key=len)
    return max(longest, rest, key=len)


def limits_of(text: str) -> Limits:
    """Look at a text that is to be shown."""
    longest = longest_line(text)
    if len(longest) > LONG_LINE:
        reason = f"A line of this file has {len(longest):,} characters, so it is shown without colours and wrapped."
        return Limits(reason, wraps=True, longest=longest)
    if len(text) > LARGE:
        return Limits(
            f"This file is large ({len(text) // 1_000_000} MB), so it is shown without colours.", longest=longest
        )
    return Limits(longest=longest)
