"""What is coloured how: the syntax of each language, and how each class of it looks in a theme."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from PySide6.QtGui import QColor

from redraft.core.assets import resource
from redraft.core.languages import PLAIN
from redraft.qt.theme import Theme

TEXT: Final = "text"
_BORROWED: Final = {"strong": (TEXT, True, False), "emphasis": (TEXT, False, True), "heading": ("keyword", True, False)}
"""Classes with the colour of another, and whether they are bold or italic."""

_BY_TOKEN: Final = {"added": "accept.text", "removed": "reject.text"}
"""Classes with a colour of the theme that no syntax has."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """What the editor knows of a language beyond its name.

    Attributes:
        language_id: Its LSP identifier.
        lexer: Name of its Lexilla lexer; empty for none.
        keywords: The lexer's word lists, in its order.
        properties: The lexer's properties.
        styles: Syntax class by style name, or by style number as text.
        block: How a block comment opens and closes, if there is one.
        names: Whether calls, types and constants are told by how their names are written.
        constants: Words that are values.
        indent: Ends of a line after which the next one is deeper.
        dedent: Beginnings of a line that close what was deeper.
    """

    language_id: str
    lexer: str = ""
    keywords: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    styles: Mapping[str, str] = field(default_factory=dict)
    block: tuple[str, str] | None = None
    names: bool = False
    constants: frozenset[bytes] = frozenset()
    indent: tuple[str, ...] = ("{", "(", "[")
    dedent: tuple[str, ...] = ("}", ")", "]")


@dataclass(frozen=True, slots=True)
class Look:
    """How a piece of text is drawn."""

    color: QColor
    bold: bool = False
    italic: bool = False


@cache
def _tables() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(resource("syntax.toml").read_text(encoding="utf-8"))


def _merged(language_id: str) -> dict[str, Any]:
    table = dict(_tables()[language_id])
    base = table.pop("like", None)
    if base is None:
        return table
    merged = _merged(base)
    for name in ("properties", "styles"):
        table[name] = {**merged.get(name, {}), **table.get(name, {})}
    return {**merged, **table}


@cache
def syntax_of(language_id: str) -> Syntax:
    """The syntax of a language; an unknown one has none."""
    if language_id not in _tables():
        return Syntax(language_id or PLAIN)
    table = _merged(language_id)
    usual = Syntax(language_id)
    return Syntax(
        language_id,
        lexer=table.get("lexer", ""),
        keywords=tuple(table.get("keywords", ())),
        properties=table.get("properties", {}),
        styles=table.get("styles", {}),
        block=tuple(table["block"]) if "block" in table else None,
        names=table.get("names", False),
        constants=frozenset(word.encode() for word in table.get("constants", "").split()),
        indent=tuple(table.get("indent", usual.indent)),
        dedent=tuple(table.get("dedent", usual.dedent)),
    )


_BY_TAG: Final = (
    ("comment", "comment"),
    ("documentation", "docstring"),
    ("escapesequence", "escape"),
    ("numeric", "number"),
    ("string", "string"),
    ("regex", "string"),
    ("character", "string"),
    ("template", "string"),
    ("here-doc", "string"),
    ("literal", "constant"),
    ("tag", "keyword"),
    ("attribute", "type"),
    ("keyword", "keyword"),
    ("annotation", "decorator"),
    ("macro", "decorator"),
    ("preprocessor", "decorator"),
    ("operator", "operator"),
    ("type", "type"),
    ("label", "constant"),
    ("key", "builtin"),
    ("error", "invalid"),
)


def class_of_tags(tags: str) -> str:
    """The syntax class of a Lexilla style by its tags; an unfinished string is a string, not a mistake."""
    words = set(tags.split())
    return next((name for tag, name in _BY_TAG if tag in words), TEXT)


def syntax_classes(theme: Theme) -> tuple[str, ...]:
    """All classes that can be drawn, in one order for all themes."""
    return tuple(dict.fromkeys((*_BORROWED, *_BY_TOKEN, *sorted(theme.syntax_colors))))


def look_of(name: str, theme: Theme) -> Look:
    """How a syntax class looks."""
    if name in _BORROWED:
        token, bold, italic = _BORROWED[name]
        return Look(theme.syntax(token), bold=bold, italic=italic)
    if name in _BY_TOKEN:
        return Look(theme.color(_BY_TOKEN[name]))
    return Look(theme.syntax(name), italic=name == "comment")


def indexed_classes(names: Iterable[tuple[int, str, str]], syntax: Syntax) -> dict[int, str]:
    """Syntax class by style number, from what a lexer says of its styles: number, name and tags."""
    classes = {number: class_of_tags(tags) for number, name, tags in names if name}
    numbers = {name: number for number, name, _ in names}
    for style, name in syntax.styles.items():
        number = int(style) if style.isdigit() else numbers.get(style)
        if number is not None:
            classes[number] = name
    return classes
