"""Colours what the lexer leaves plain in the lines on screen, by one indicator that carries colours."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor
from pyside6_scintilla import ScintillaEdit

from redraft.qt.editor.numbers import Indicator
from redraft.qt.editor.raw import bgr, read_styled
from redraft.qt.editor.refine import Refiner

_COLOUR_BIT: Final = 0x1000000  # SC_INDICVALUEBIT
_LOOK_BACK: Final = 2000
"""Lines above the view that are read to know what it begins in."""

_LONGEST: Final = 200_000
"""Bytes beyond which a screenful is left as the lexer has it."""


def first_line_outside_docstring(editor: ScintillaEdit, line: int, refiner: Refiner) -> int:
    """The nearest line, from `line` upwards, that does not begin inside a docstring."""
    for earlier in range(line, max(line - _LOOK_BACK, 0), -1):
        start = editor.positionFromLine(earlier)
        if editor.styleAt(start - 1) not in refiner.docstring_styles:
            return earlier
    return max(line - _LOOK_BACK, 0)


class Highlighter:
    """Keeps the lines on screen coloured; work is done once per change of text, place or look."""

    def __init__(self, editor: ScintillaEdit) -> None:
        self._editor = editor
        self._refiner: Refiner | None = None
        self._colours: dict[str, int] = {}
        self._done: tuple[int, ...] = ()

    def use(self, refiner: Refiner | None, colours: dict[str, QColor]) -> None:
        """Take the finer syntax of a language, and what its classes look like."""
        was_active = self._refiner is not None
        self._refiner = refiner if refiner and refiner.is_active else None
        self._colours = {name: bgr(colour) | _COLOUR_BIT for name, colour in colours.items()}
        self._done = ()
        if was_active and self._refiner is None:
            self._editor.setIndicatorCurrent(Indicator.SYNTAX)
            self._editor.indicatorClearRange(0, self._editor.length())

    def refresh(self, first_line: int, last_line: int, revision: int) -> None:
        """Colour some lines, unless that is done."""
        wanted = (first_line, last_line, revision)
        if self._refiner is None or wanted == self._done:
            return
        self._done = wanted
        editor = self._editor
        end = editor.lineEndPosition(last_line)
        if editor.endStyled() < end:
            editor.colourise(editor.endStyled(), end)
        start = editor.positionFromLine(first_line_outside_docstring(editor, first_line, self._refiner))
        if end - start <= _LONGEST:
            self._colour(self._refiner, start, end)

    def _colour(self, refiner: Refiner, start: int, end: int) -> None:
        editor = self._editor
        editor.setIndicatorCurrent(Indicator.SYNTAX)
        done = start
        for span in refiner.spans(*read_styled(editor, start, end)):
            if start + span.start > done:
                editor.indicatorClearRange(done, start + span.start - done)
            editor.setIndicatorValue(self._colours[span.name])
            editor.indicatorFillRange(start + span.start, span.end - span.start)
            done = start + span.end
        if end > done:
            editor.indicatorClearRange(done, end - done)
