"""Finer syntax than a lexer tells: calls, types, constants, escapes, braces of f-strings. A light pass over bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from redraft.qt.editor.syntax import TEXT, Syntax

TOKEN: Final = re.compile(
    rb"(?m:(?P<heading>^#{1,6}[ \t][^\r\n]*))"
    rb"|(?P<triple>[rRbBuU]{0,2}(?:\"\"\"|'''))"
    rb"|(?P<name>[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)(?P<call>\s?\()?"
    rb"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}\n]*\}|[0-7]{1,3}|[^\r\n]))"
    rb"|(?P<format>%[-+0#]*\d*(?:\.\d+)?(?:[hlqjzt]{1,2})?[A-Za-z])"
    rb"|(?P<brace>[{}])"
)
CONSTANT: Final = re.compile(rb"_*[A-Z][A-Z0-9_]+")
TYPE: Final = re.compile(rb"_*[A-Z]\w*[a-z]\w*")
DUNDER: Final = re.compile(rb"__\w+__")
_FORMATTED: Final = frozenset({"python", "c", "cpp", "objective-c", "go"})


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes that have a class of their own, by their place in what was looked at."""

    start: int
    end: int
    name: str


class Refiner:
    """Finds what a lexer leaves plain, for one language."""

    def __init__(self, syntax: Syntax, classes: Mapping[int, str]) -> None:
        self._syntax = syntax
        self._class = [classes.get(number, TEXT) for number in range(256)]
        self._formats = syntax.language_id in _FORMATTED

    @cached_property
    def docstring_styles(self) -> frozenset[int]:
        """Styles of text that may be a docstring, and may be a plain string over several lines."""
        return frozenset(number for number, name in enumerate(self._class) if name == "docstring")

    @property
    def is_active(self) -> bool:
        """Whether there is anything to find."""
        return self._syntax.names or bool(self._syntax.constants) or "heading" in self._class

    def spans(self, text: bytes, styles: bytes) -> Iterator[Span]:
        """The spans of some text, in order; it should begin at the start of a line, outside of any docstring."""
        for match in TOKEN.finditer(text):
            name = self._kind(match, text, styles)
            if name:
                end = match.end("name") if match.lastgroup in {"name", "call"} else match.end()
                yield Span(match.start(), self._triple_end(match, styles) or end, name)

    def _kind(self, match: re.Match[bytes], text: bytes, styles: bytes) -> str | None:
        start = match.start()
        lexed = self._class[styles[start]]
        if match["name"]:
            return self._name(match["name"], bool(match["call"])) if lexed == TEXT else None
        if match["escape"] or match["format"]:
            wanted = bool(match["escape"]) or self._formats
            return "escape" if wanted and lexed == "string" else None
        if match["brace"]:
            return "escape" if lexed == "string" and self._encloses_code(match, styles) else None
        if match["heading"]:
            return "heading" if lexed == "heading" else None
        return "string" if self._is_plain_triple(start, text, styles) else None

    def _name(self, name: bytes, is_call: bool) -> str | None:  # noqa: FBT001 - a fact about the name, not an option
        if name in self._syntax.constants:
            return "constant"
        if not self._syntax.names:
            return None
        if TYPE.fullmatch(name):
            return "type"
        if CONSTANT.fullmatch(name):
            return "constant"
        if is_call:
            return "function"
        return "builtin" if DUNDER.fullmatch(name) else None

    def _encloses_code(self, match: re.Match[bytes], styles: bytes) -> bool:
        inside = match.end() if match[0] == b"{" else match.start() - 1
        return 0 <= inside < len(styles) and self._class[styles[inside]] != "string"

    def _is_plain_triple(self, start: int, text: bytes, styles: bytes) -> bool:
        style = styles[start]
        if style not in self.docstring_styles or (start and styles[start - 1] == style):
            return False
        line = text[text.rfind(b"\n", 0, start) + 1 : start]
        return bool(line.strip())

    def _triple_end(self, match: re.Match[bytes], styles: bytes) -> int | None:
        if not match["triple"]:
            return None
        rest = styles[match.start() :]
        return match.start() + len(rest) - len(rest.lstrip(rest[:1]))
