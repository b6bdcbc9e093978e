"""Rows of styled text as values, and how they become the bytes of an annotation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pyside6_scintilla import ScintillaEdit

from redraft.qt.editor.raw import Message

STYLES: Final = 255
"""A style of an annotation is one byte."""
DEFAULT_STYLE: Final = 32
CACHED_ROWS: Final = 8192
MEASURED: Final = 1000
"""Characters that are measured at once: Scintilla tells whole pixels."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text in a row is drawn; colours as `#rrggbb`."""

    fore: str
    back: str
    italic: bool = False
    is_spacer: bool = False
    """Whether it is the smallest font there is, for blanks of about a pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class StyledRow:
    """One row of text without tabs or line ends.

    Attributes:
        text: What it says.
        runs: Lengths in code points with their looks; together as long as the text.
        fill: The look of the blanks up to the right edge of the view; `None` leaves them out.
    """

    text: str = ""
    runs: tuple[tuple[int, Look], ...] = ()
    fill: Look | None = None


BLANK: Final = StyledRow()


class RowEncoder:
    """Turns rows into text and style bytes, giving each look a style number when it first appears."""

    def __init__(self, editor: ScintillaEdit) -> None:
        self._editor = editor
        self._base = editor.allocateExtendedStyles(STYLES)
        editor.annotationSetStyleOffset(self._base)
        self._numbers: dict[Look, int] = {}
        self._cache: dict[StyledRow, tuple[bytes, bytes]] = {}
        self._columns = 0
        self._blank = 8.0
        self._spacer = 1.0
        self._zoom = 0

    @property
    def blank(self) -> float:
        """Width of a character in px, as the text is drawn."""
        return self._blank

    def reset(self) -> None:
        """Forget all styles; they are defined anew when they are next used."""
        self._numbers.clear()
        self._cache.clear()

    def measure(self) -> bool:
        """Take the width of the view; whether rows must be padded anew."""
        editor = self._editor
        blank = max(editor.textWidth(DEFAULT_STYLE, " " * MEASURED) / MEASURED, 1.0)
        width = editor.viewport().width() + editor.xOffset()
        # In steps, so that dragging a window edge does not write every row for every pixel.
        columns = math.ceil(width / blank / 16) * 16
        zoom = editor.send(Message.GetZoom)
        if (columns, blank, zoom) == (self._columns, self._blank, self._zoom):
            return False
        if zoom != self._zoom:
            self._numbers.clear()
        self._columns, self._blank, self._zoom = columns, blank, zoom
        self._cache.clear()
        return True

    def encode(self, rows: Iterable[StyledRow], written: range, count: int) -> tuple[bytes, bytes]:
        """Text and styles of an annotation of `count` rows of which only those in `written` are not blank."""
        encoded = [self._row(row) for row in rows]
        before, after = written.start, count - written.stop
        text = b"\n" * before + b"\n".join(text for text, _ in encoded) + b"\n" * after
        styles = b"\0" * before + b"\0".join(styles for _, styles in encoded) + b"\0" * after
        return text, styles

    def _row(self, row: StyledRow) -> tuple[bytes, bytes]:
        found = self._cache.get(row)
        if found is None:
            if len(self._cache) >= CACHED_ROWS:
                self._cache.clear()
            found = self._cache[row] = self._encoded(row)
        return found

    def _encoded(self, row: StyledRow) -> tuple[bytes, bytes]:
        """Scintilla cuts the width of every run to whole pixels: single pixels put runs where text would be."""
        text: list[bytes] = []
        styles: list[bytes] = []
        start, exact, drawn = 0, 0.0, 0
        for length, look in row.runs:
            lost = int(exact - drawn)
            if lost:
                number = self._number(Look(look.back, look.back, is_spacer=True))
                blanks = int((lost + 0.99) / self._spacer)
                text.append(b" " * blanks)
                styles.append(bytes((number,)) * blanks)
                drawn += int(blanks * self._spacer)
            piece = row.text[start : start + length]
            run = piece.encode("utf-8", "replace")
            text.append(run)
            styles.append(bytes((self._number(look),)) * len(run))
            width = self._width(piece)
            exact, drawn, start = exact + width, drawn + int(width), start + length
        if row.fill is not None:
            blanks = max(self._columns - len(row.text), 1)
            text.append(b" " * blanks)
            styles.append(bytes((self._number(row.fill),)) * blanks)
        return b"".join(text), b"".join(styles)

    def _width(self, text: str) -> float:
        if text.isascii():
            return len(text) * self._blank
        return float(self._editor.textWidth(DEFAULT_STYLE, text))

    def _number(self, look: Look) -> int:
        number = self._numbers.get(look)
        if number is None:
            number = len(self._numbers)
            if number >= STYLES:
                return self._nearest(look)
            self._numbers[look] = number
            self._define(self._base + number, look)
        return number

    def _nearest(self, look: Look) -> int:
        """A style with the same back, once all are taken: what is added or removed must stay plain to see."""
        return next((number for known, number in self._numbers.items() if known.back == look.back), 0)

    def _define(self, style: int, look: Look) -> None:
        editor = self._editor
        editor.styleSetFont(style, bytes(editor.styleFont(DEFAULT_STYLE).data()).decode().rstrip("\0"))
        # Zoom is added to every size; the smallest that Scintilla draws is 2 pt, with blanks of about a pixel.
        size = -100 * self._zoom if look.is_spacer else editor.styleSizeFractional(DEFAULT_STYLE)
        editor.styleSetSizeFractional(style, size)
        if look.is_spacer:
            self._spacer = max(editor.textWidth(style, " " * MEASURED) / MEASURED, 0.1)
        editor.styleSetWeight(style, editor.styleWeight(DEFAULT_STYLE))
        editor.styleSetItalic(style, look.italic)
        editor.styleSetFore(style, colour(look.fore))
        editor.styleSetBack(style, colour(look.back))


def colour(value: str) -> int:
    """`#rrggbb` as Scintilla's number, which has blue first."""
    red, green, blue = (int(value[index : index + 2], 16) for index in (1, 3, 5))
    return red | green << 8 | blue << 16
