"""Characters that hide or reorder text are drawn as boxes with their number, in every file."""

from __future__ import annotations

from typing import Final

from pyside6_scintilla import ScintillaEdit

from redraft.qt.editor.raw import set_representation
from redraft.qt.theme import Theme

HIDDEN: Final[tuple[int, ...]] = (
    0x00AD,
    0x034F,
    0x061C,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    0x180E,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0x3164,
    0xFEFF,
    0xFFA0,
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
"""Bidi controls, zero-width characters, invisible fillers, line separators and tag characters."""


def show_hidden_text(editor: ScintillaEdit, theme: Theme) -> None:
    """Draw hidden characters by their numbers (`U+202E`), in the colour of a warning."""
    for code in HIDDEN:
        set_representation(editor, chr(code), f"U+{code:04X}", colour=theme.color("state.warn"), is_blob=True)
