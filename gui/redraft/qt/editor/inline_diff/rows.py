"""From proposed lines to styled rows: tabs, hidden characters, changed words, syntax, wrapping."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, overload

from redraft.core.diff.emphasis import Spans
from redraft.core.text import without_end
from redraft.qt.editor.annotation_rows import Look, StyledRow
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.hidden import hidden_names
from redraft.qt.editor.inline_diff.looks import DiffLooks, Ink, Tint

Inks = tuple[tuple[int, Ink], ...]
"""Runs of a line: a length in code points, and the ink of that many."""

LEAST_COLUMNS: Final = 20
"""Columns a row has at least, however narrow the view is."""


@dataclass(frozen=True, slots=True)
class ProposedLine:
    """One line of the new side, as it is to be drawn.

    Attributes:
        text: The line with its end.
        inks: Syntax; what it does not cover is plain.
        words: Changed words, in code points.
        tint: What stands behind it.
        note: Said after its end, quietly.
    """

    text: str
    inks: Inks = ()
    words: Spans = ()
    tint: Tint = Tint.ADDED
    note: str = ""


class RowSize(NamedTuple):
    """What decides how many rows a line takes.

    Attributes:
        tab_width: Columns of a tab.
        columns: Columns after which rows are wrapped; 0 for never.
        width: The view's width in px.
    """

    tab_width: int
    columns: int
    width: int

    @classmethod
    def of(cls, editor: CodeEditor, registry: AnnotationRegistry) -> RowSize:
        """As an editor is now."""
        width = editor.viewport().width()
        columns = 0
        if editor.wrapMode():
            columns = max(int((width - editor.text_left()) / registry.blank_width()), LEAST_COLUMNS)
        return cls(max(editor.tabWidth(), 1), columns, width)


class RowMaker:
    """Makes rows of lines; the same line gives the same rows, so that they are encoded once."""

    def __init__(self, looks: DiffLooks, size: RowSize) -> None:
        self.looks = looks
        self.size = size
        self.rows = lru_cache(maxsize=8192)(self._rows)

    def row_count(self, text: str) -> int:
        """How many rows a line takes, without making them."""
        if not self.size.columns:
            return 1
        width = sum(len(piece) for piece, *_ in self._cells(ProposedLine(text)))
        return max(-(-width // self.size.columns), 1)

    def _rows(self, line: ProposedLine) -> tuple[StyledRow, ...]:
        fill = self.looks.look(self.looks.plain, line.tint)
        cells = [(piece, self.looks.look(ink, tint)) for piece, ink, tint in self._cells(line)]
        if line.note:
            cells.append((f"  {line.note}", self.looks.look(self.looks.note, line.tint)))
        text = "".join(piece for piece, _ in cells)
        step = self.size.columns or max(len(text), 1)
        rows: list[StyledRow] = []
        for start in range(0, max(len(text), 1), step):
            runs = tuple(_cut(cells, start, start + step))
            rows.append(StyledRow(text[start : start + step], runs, fill))
        return tuple(rows)

    def _cells(self, line: ProposedLine) -> Iterator[tuple[str, Ink, Tint]]:
        """Pieces of text as they are drawn, each with ink and tint."""
        text = without_end(line.text)
        column, hidden = 0, hidden_names(text)
        is_plain = not hidden and "\t" not in text
        for start, end, ink, tint in _segments(text, line, self.looks.plain):
            if is_plain:
                yield text[start:end], ink, tint
                continue
            for piece, is_suspect in _visible(text, start, end, column, self.size.tab_width, hidden):
                column += len(piece)
                yield piece, ink, Tint.SUSPECT if is_suspect else tint


def _segments(text: str, line: ProposedLine, plain: Ink) -> Iterator[tuple[int, int, Ink, Tint]]:
    """The line cut where its ink or its emphasis changes."""
    cuts = {0, len(text)}
    inks: list[tuple[int, Ink]] = []
    end = 0
    for length, ink in line.inks:
        end = min(end + length, len(text))
        cuts.add(end)
        inks.append((end, ink))
    for word in line.words:
        cuts.update(min(place, len(text)) for place in word)
    places = sorted(cuts)
    at = 0
    for start, stop in pairwise(places):
        while at < len(inks) and inks[at][0] <= start:
            at += 1
        is_word = any(first <= start < last for first, last in line.words)
        tint = Tint.WORD if is_word and line.tint is Tint.ADDED else line.tint
        yield start, stop, inks[at][1] if at < len(inks) else plain, tint


def _visible(
    text: str, start: int, end: int, column: int, tab_width: int, hidden: Mapping[int, str]
) -> Iterator[tuple[str, bool]]:
    """A stretch of text without tabs and hidden characters, which are drawn as blanks and as names."""
    plain = ""
    for index in range(start, end):
        name = hidden.get(index)
        if name is not None:
            if plain:
                column += len(plain)
                yield plain, False
                plain = ""
            column += len(name)
            yield name, True
        elif text[index] == "\t":
            plain += " " * (tab_width - (column + len(plain)) % tab_width)
        else:
            plain += text[index]
    if plain:
        yield plain, False


def _cut(cells: Sequence[tuple[str, Look]], start: int, end: int) -> Iterator[tuple[int, Look]]:
    place = 0
    for piece, look in cells:
        length = min(place + len(piece), end) - max(place, start)
        if length > 0:
            yield length, look
        place += len(piece)


class LazyRows(Sequence[StyledRow]):
    """The rows of many lines, each made when it comes near the view."""

    def __init__(self, counts: Sequence[int] | int, make: Callable[[int], tuple[StyledRow, ...]]) -> None:
        """Rows per line (or the number of lines, where each is one row), and what makes a line's rows."""
        self._make = make
        self._ends = None if isinstance(counts, int) else list(accumulate(counts))
        self._length = counts if isinstance(counts, int) else (self._ends or [0])[-1]

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> StyledRow: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[StyledRow]: ...
    def __getitem__(self, index: int | slice) -> StyledRow | Sequence[StyledRow]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._length))]
        if not 0 <= index < self._length:
            raise IndexError(index)
        if self._ends is None:
            return self._make(index)[0]
        line = bisect_right(self._ends, index)
        return self._make(line)[index - (self._ends[line - 1] if line else 0)]
