"""Positions in text, edits of text, and the one place where offsets are converted.

Everywhere in Redraft an *offset* is an index into a Python string (code points) unless its name says `utf8`
or `utf16`. A *line* counts from 0 and ends at LF, CRLF or a lone CR, as in Scintilla; form feeds and Unicode
separators do not end a line (so never `str.splitlines` on a document).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

LINE_END: Final = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text: a line from 0 and a column in code points from 0."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class TextRange:
    """A half-open span of offsets, `start` included and `end` not."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a range: {self.start} to {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        """Always true: an empty range is a caret, not nothing."""
        return True

    @property
    def is_empty(self) -> bool:
        """Whether the range is a caret."""
        return self.start == self.end

    def overlaps(self, other: TextRange) -> bool:
        """Whether the two share text, or a caret stands strictly inside the other."""
        return self.start < other.end and other.start < self.end

    def of(self, text: str) -> str:
        """The text the range covers."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A replacement of one range by new text."""

    range: TextRange
    text: str


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Apply edits, all in terms of `text` as given, in any order.

    Raises:
        ValueError: Two edits overlap, or one lies outside the text.
    """
    parts: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: edit.range):
        if edit.range.start < done or edit.range.end > len(text):
            raise ValueError(f"edit {edit.range.start} to {edit.range.end} overlaps another or leaves the text")
        parts += (text[done : edit.range.start], edit.text)
        done = edit.range.end
    return "".join((*parts, text[done:]))


def split_lines(text: str) -> list[str]:
    """Split into lines that keep their ends; joining them gives `text` back.

    A final line without an end counts; an empty text has no lines.
    """
    ends = [match.end() for match in LINE_END.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False) if start < end]


def without_end(line: str) -> str:
    """One line without its LF, CRLF or CR."""
    if line.endswith("\r\n"):
        return line[:-2]
    return line[:-1] if line.endswith(("\n", "\r")) else line


def line_end(line: str) -> str:
    """The end of one line: LF, CRLF, CR or nothing."""
    return line[len(without_end(line)) :]


def _line_starts(text: str) -> list[int]:
    if "\r" in text:
        return [0, *(match.end() for match in LINE_END.finditer(text))]
    # Several times as quick, which a file of a million lines shows.
    lengths = accumulate(map(len, text.split("\n")))
    return [0, *(end + place for place, end in enumerate(lengths, 1))][:-1]


class TextIndex:
    """Converts between offsets, positions, UTF-8 bytes and UTF-16 units of one fixed text.

    The line table is made at once; an ASCII text (the common case) needs nothing more.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = _line_starts(text)
        self._is_ascii = text.isascii()

    @property
    def line_count(self) -> int:
        """Lines as an editor counts them: a text that ends in a line end has an empty last line."""
        return len(self._starts)

    @property
    def line_starts(self) -> Sequence[int]:
        """The offset at which each line begins."""
        return self._starts

    def line_at(self, offset: int) -> int:
        """The line that holds an offset."""
        return bisect_right(self._starts, self._checked(offset)) - 1

    def line_range(self, line: int, *, with_end: bool = True) -> TextRange:
        """The span of a line, with or without its line end."""
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        return TextRange(start, end if with_end else start + len(without_end(self.text[start:end])))

    def lines_range(self, first: int, last: int) -> TextRange:
        """The span of whole lines, `last` included with its end."""
        return TextRange(self.line_range(first).start, self.line_range(last).end)

    def position(self, offset: int) -> Position:
        """An offset as line and column."""
        line = self.line_at(offset)
        return Position(line, offset - self._starts[line])

    def offset(self, position: Position) -> int:
        """A position as an offset; a column past the line's end is the line's end."""
        line = self.line_range(position.line, with_end=False)
        return min(line.start + position.column, line.end)

    def to_utf8(self, offset: int) -> int:
        """An offset as a count of UTF-8 bytes from the start."""
        if self._is_ascii:
            return self._checked(offset)
        line = self.line_at(offset)
        return self._utf8_starts[line] + len(_utf8(self.text[self._starts[line] : offset]))

    def from_utf8(self, byte: int) -> int:
        """A count of UTF-8 bytes as an offset; a byte inside a character means that character's start."""
        if self._is_ascii:
            return self._checked(byte)
        line = max(bisect_right(self._utf8_starts, byte) - 1, 0)
        encoded = _utf8(self.line_range(line).of(self.text))
        head = encoded[: byte - self._utf8_starts[line]]
        return self._starts[line] + len(head.decode("utf-8", "ignore"))

    def to_utf16(self, offset: int) -> int:
        """An offset as a count of UTF-16 code units from the start."""
        return (
            offset
            if self._is_ascii
            else len(self.text[: self._checked(offset)].encode("utf-16-le", "surrogatepass")) // 2
        )

    def from_utf16(self, units: int) -> int:
        """A count of UTF-16 code units as an offset; half of a surrogate pair means that pair's start."""
        if self._is_ascii:
            return self._checked(units)
        head = self.text.encode("utf-16-le", "surrogatepass")[: units * 2]
        return len(head.decode("utf-16-le", "ignore"))

    @cached_property
    def _utf8_starts(self) -> list[int]:
        starts, total = [], 0
        for line in range(self.line_count):
            starts.append(total)
            total += len(_utf8(self.line_range(line).of(self.text)))
        return starts

    def _checked(self, offset: int) -> int:
        if not 0 <= offset <= len(self.text):
            raise ValueError(f"offset {offset} is outside a text of {len(self.text)}")
        return offset


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
