"""How proposed text looks: syntax colours on the tints of a theme."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from redraft.qt.editor.annotation_rows import Look
from redraft.qt.theme import Theme


class Tint(IntEnum):
    """What stands behind a run of text in a row."""

    ADDED = 0
    WORD = 1
    SUSPECT = 2
    FRONTIER = 3
    PLAIN = 4


TOKENS = {
    Tint.ADDED: "diff.added.line",
    Tint.WORD: "diff.added.word",
    Tint.SUSPECT: "diff.suspect.word",
    Tint.FRONTIER: "diff.frontier.line",
    Tint.PLAIN: "surface.0",
}


@dataclass(frozen=True, slots=True)
class Ink:
    """The colour and slant of code: what a lexer decides."""

    fore: str
    italic: bool = False


class DiffLooks:
    """Makes looks of inks and tints for one theme; the same pair gives the same object."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.plain = Ink(theme.syntax_colors["text"])
        self.note = Ink(theme.hex("editor.ghost"))
        self.look = cache(self._look)

    def _look(self, ink: Ink, tint: Tint) -> Look:
        return Look(ink.fore, self.theme.hex(TOKENS[tint]), ink.italic)
