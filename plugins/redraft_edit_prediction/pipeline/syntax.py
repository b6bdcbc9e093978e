"""What tree-sitter knows of a file: the nodes around a place, and the names it defines and uses."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

from redraft.core.grammars import GRAMMARS, load_grammar
from redraft.core.languages import language_of

_GRAMMARS: Final = MappingProxyType(
    {
        **GRAMMARS,
        "jsonc": GRAMMARS["json"],
        "markdown": ("tree_sitter_markdown", "language"),
    }
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a file: where it is defined (with the whole definition's rows), or used."""

    text: str
    is_definition: bool
    start_row: int
    end_row: int


def enclosing_ranges(path: str, text: str, offset: int) -> list[tuple[int, int]] | None:
    """Byte ranges of the syntax nodes around a byte offset, innermost first; `None` for a language without grammar."""
    parser = _parser(language_of(path))
    if parser is None:
        return None
    node: Node | None = parser.parse(text.encode()).root_node.descendant_for_byte_range(offset, offset)
    ranges: list[tuple[int, int]] = []
    while node is not None:
        span = node.start_byte, node.end_byte
        if not ranges or ranges[-1] != span:
            ranges.append(span)
        node = node.parent
    return ranges


@lru_cache(maxsize=4096)  # Examples of one project read the same files again and again.
def names_in(path: str, text: str) -> tuple[Name, ...]:
    """The definitions and references of a file, in order; nothing for a language without such queries."""
    language_id = language_of(path)
    parser, query = _parser(language_id), _tags(language_id)
    if parser is None or query is None:
        return ()
    return tuple(_names(parser.parse(text.encode()), query))


def _names(tree: Tree, query: Query) -> Iterator[Name]:
    for _, captures in QueryCursor(query).matches(tree.root_node):
        labels = [label for label in captures if label.startswith(("definition.", "reference."))]
        for name in captures.get("name", ()):
            if not labels or name.text is None:
                continue
            whole = captures[labels[0]][0]
            is_definition = labels[0].startswith("definition.")
            rows = (whole.start_point.row, whole.end_point.row + 1) if is_definition else (name.start_point.row,) * 2
            yield Name(name.text.decode(errors="replace"), is_definition, *rows)


def _language(language_id: str) -> Language | None:
    return load_grammar(*_GRAMMARS[language_id]) if language_id in _GRAMMARS else None


def _parser(language_id: str) -> Parser | None:
    language = _language(language_id)
    return Parser(language) if language is not None else None


@cache
def _tags(language_id: str) -> Query | None:
    language = _language(language_id)
    if language is None:
        return None
    source = getattr(importlib.import_module(_GRAMMARS[language_id][0]), "TAGS_QUERY", None)
    if language_id.startswith("typescript"):
        # Its own queries only add to those of JavaScript.
        source = f"{importlib.import_module('tree_sitter_javascript').TAGS_QUERY}\n{source or ''}"
    return Query(language, source) if source else None
