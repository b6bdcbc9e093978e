"""Selections that grow by what belongs together: word, brackets or syntax node, line, block, file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from redraft.core.grammars import GRAMMARS, parse
from redraft.core.text import TextIndex, TextRange

MOST_PARSED: Final = 400_000
"""Longest text, in characters, that is parsed while the user waits; a longer one grows by brackets and lines."""

_WORD: Final = re.compile(r"\w+")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_FAR: Final = 50_000
"""Characters to either side within which a bracket is looked for."""


def larger_selection(text: str, language_id: str, selection: TextRange) -> TextRange:
    """The smallest range that belongs together and holds more than a selection; the selection itself at the end."""
    larger = [span for span in _candidates(text, language_id, selection) if _holds(span, selection)]
    return min(larger, key=len, default=selection)


def _holds(span: TextRange, selection: TextRange) -> bool:
    return span.start <= selection.start and span.end >= selection.end and len(span) > len(selection)


def _candidates(text: str, language_id: str, selection: TextRange) -> Iterator[TextRange]:
    index = TextIndex(text)
    yield from _words(text, index, selection)
    if language_id in GRAMMARS and len(text) <= MOST_PARSED:
        yield from _nodes(text, index, language_id, selection)
    else:
        yield from _brackets(text, selection)
        yield from _lines(text, index, selection)
    yield TextRange(0, len(text))


def _words(text: str, index: TextIndex, selection: TextRange) -> Iterator[TextRange]:
    line = index.line_range(index.line_at(selection.start), with_end=False)
    for match in _WORD.finditer(text, line.start, line.end):
        yield TextRange(*match.span())


def _nodes(text: str, index: TextIndex, language_id: str, selection: TextRange) -> Iterator[TextRange]:
    """The syntax nodes around a selection, and for one of several lines its whole lines."""
    start, end = index.to_utf8(selection.start), index.to_utf8(selection.end)
    node: Node | None = parse(text, language_id).descendant_for_byte_range(start, end)
    while node is not None:
        span = TextRange(index.from_utf8(node.start_byte), index.from_utf8(node.end_byte))
        yield span
        if node.start_point.row != node.end_point.row:
            yield index.lines_range(index.line_at(span.start), index.line_at(span.end))
        node = node.parent


def _brackets(text: str, selection: TextRange) -> Iterator[TextRange]:
    """What stands between the brackets around a selection, and that with its brackets; strings are not told apart."""
    depths = dict.fromkeys(_CLOSING.values(), 0)
    for place in range(selection.start - 1, max(-1, selection.start - _FAR), -1):
        letter = text[place]
        if letter in depths:
            depths[letter] += 1
        elif letter in _CLOSING and depths[_CLOSING[letter]]:
            depths[_CLOSING[letter]] -= 1
        elif letter in _CLOSING:
            end = _closing(text, selection.end, letter)
            if end is not None:
                yield TextRange(place + 1, end)
                yield TextRange(place, end + 1)


def _closing(text: str, start: int, opening: str) -> int | None:
    depth = 0
    for place in range(start, min(len(text), start + _FAR)):
        if text[place] == opening:
            depth += 1
        elif text[place] == _CLOSING[opening]:
            if not depth:
                return place
            depth -= 1
    return None


def _lines(text: str, index: TextIndex, selection: TextRange) -> Iterator[TextRange]:
    """The lines a selection touches: their content, all of them, and the block between blank lines."""
    first, last = index.line_at(selection.start), index.line_at(selection.end)
    if last > first and selection.end == index.line_range(last).start:
        last -= 1
    content = TextRange(index.line_range(first).start, index.line_range(last, with_end=False).end)
    words = content.of(text)
    yield TextRange(content.start + len(words) - len(words.lstrip()), content.end)
    yield index.lines_range(first, last)
    while first and index.line_range(first - 1).of(text).strip():
        first -= 1
    while last + 1 < index.line_count and index.line_range(last + 1).of(text).strip():
        last += 1
    yield index.lines_range(first, last)
