"""The named parts of a file: functions, classes, methods out of its syntax tree, headings out of prose and settings."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from tree_sitter import Node

from redraft.core.grammars import GRAMMARS, parse
from redraft.core.text import TextIndex, TextRange

KINDS: Final = {
    "class_definition": "class",
    "class_declaration": "class",
    "class_specifier": "class",
    "struct_item": "struct",
    "struct_specifier": "struct",
    "enum_item": "enum",
    "enum_declaration": "enum",
    "trait_item": "trait",
    "impl_item": "impl",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "type_declaration": "type",
    "function_definition": "function",
    "function_declaration": "function",
    "function_item": "function",
    "generator_function_declaration": "function",
    "method_definition": "method",
    "method_declaration": "method",
    "constructor_declaration": "method",
}

HEADINGS: Final = {
    "markdown": re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<name>[^\n\r]+?)[ \t#]*$", re.MULTILINE),
    "toml": re.compile(r"^[ \t]*\[+(?P<name>[^\]\n\r]+)\]", re.MULTILINE),
    "ini": re.compile(r"^[ \t]*\[(?P<name>[^\]\n\r]+)\]", re.MULTILINE),
}
FENCE: Final = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named part of a file.

    Attributes:
        name: Its name.
        kind: What it is, in one word.
        container: The class or the like it stands in; empty at the top.
        range: Its text.
    """

    name: str
    kind: str
    container: str
    range: TextRange


def symbols_of(text: str, language_id: str) -> list[Symbol]:
    """The symbols of a file, in the order they stand; none for a language that is not known."""
    if language_id in HEADINGS:
        return list(_headings(text, HEADINGS[language_id]))
    if language_id not in GRAMMARS:
        return []
    index = TextIndex(text)
    return list(_walk(parse(text, language_id), index, ""))


def _headings(text: str, heading: re.Pattern[str]) -> Iterator[Symbol]:
    """Each heading, with the text up to the next one; those inside fenced code are code."""
    fences = [match.start() for match in FENCE.finditer(text)]
    found = [match for match in heading.finditer(text) if bisect(fences, match.start()) % 2 == 0]
    for match, following in zip_longest(found, found[1:]):
        end = following.start() if following else len(text)
        yield Symbol(match["name"].strip(), "heading", "", TextRange(match.start(), end))


def _walk(node: Node, index: TextIndex, container: str) -> Iterator[Symbol]:
    for child in node.named_children:
        kind = KINDS.get(child.type)
        name = _name(child) if kind else ""
        if kind and name:
            span = TextRange(index.from_utf8(child.start_byte), index.from_utf8(child.end_byte))
            yield Symbol(name, kind, container, span)
        yield from _walk(child, index, name or container)


def _name(node: Node) -> str:
    """The name a definition has, also where a declarator or a specification stands in between."""
    named: Node | None = node
    for _ in range(4):
        if named is None:
            return ""
        # Rust's `impl` has a type for a name; in C a function's type is what it returns.
        found = named.child_by_field_name("type" if named.type == "impl_item" else "name")
        if found is not None and found.text is not None:
            return found.text.decode("utf-8", "replace").split("\n", 1)[0]
        inner = named.child_by_field_name("declarator")
        if inner is not None and inner.type in {"identifier", "field_identifier"} and inner.text is not None:
            return inner.text.decode("utf-8", "replace")
        named = inner or next((child for child in named.named_children if child.type == "type_spec"), None)
    return ""
