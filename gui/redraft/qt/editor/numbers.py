"""Who owns which marker, indicator, style and margin number of a code editor, and how wide the margins are.

Scintilla shares small number spaces between all who draw in one editor: markers and indicators are 0 to 31.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

OVERLAY_MARKERS: Final = range(12)
"""Markers of proposals and prompts: line tints, bars, the frontier arrow."""

OVERLAY_MARKER_MASK: Final = sum(1 << number for number in OVERLAY_MARKERS)


class Marker(IntEnum):
    """Markers of the editor itself (21 to 24 are Scintilla's change history)."""

    BOOKMARK = 12


class Indicator(IntEnum):
    """Indicators of the editor itself; 8 to 19 belong to proposals. A higher one is drawn over a lower one."""

    BRACKET = 0
    OCCURRENCE = 1
    FIND = 2
    FIND_CURRENT = 3
    SYNTAX = 20
    """Text colours beyond the lexer's: calls, types, constants, escapes."""


class Margin(IntEnum):
    """Margins from the left."""

    SYMBOLS = 0
    NUMBERS = 1
    RANGE = 2


SYMBOLS_WIDTH: Final = 18
NUMBERS_WIDTH: Final = 40
RANGE_WIDTH: Final = 14
TEXT_AIR: Final = 8
NUMBERS_AIR: Final = 8
"""Blank pixels between a line number and the range margin."""
