"""Cuts a streamed answer into text and the marks that may mean something: tags, think tags, fence lines.

Incremental and linear: what cannot be decided yet (the beginning of a mark at the end of a chunk) is held back, and
nothing is looked at twice but that little. The tokens, joined, are the answer; how it was cut into chunks makes no
difference but in how the text between marks is divided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from redraft.core.answer.tags import TagPair

LONGEST_MARK: Final = 240
"""Characters of a mark that are held back at most; what is longer is text."""

FENCE: Final = r" {0,3}(?P<ticks>`{3,}|~{3,})(?P<info>[^\n`<]{0,100}?)(?:\r?\n|(?=<)|\Z)"
HALF_FENCE: Final = r" {0,3}(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n`<]{0,100})"


class Kind(Enum):
    """What a token may mean."""

    TEXT = auto()
    OPEN = auto()
    CLOSE = auto()
    THINK = auto()
    UNTHINK = auto()
    FENCE = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer.

    Attributes:
        kind: What it may mean.
        raw: Exactly what stood there.
        begins_line: Whether nothing but spaces stands before it on its line.
        ends_line: Of a closing tag, whether nothing but spaces follows on its line.
        ticks: Of a fence, its row of backticks or tildes.
        info: Of a fence, the words behind it.
    """

    kind: Kind
    raw: str
    begins_line: bool = False
    ends_line: bool = False
    ticks: str = ""
    info: str = ""


class Scanner:
    """Takes chunks, gives tokens."""

    def __init__(self, tag: str | TagPair) -> None:
        tag = TagPair.named(tag) if isinstance(tag, str) else tag
        opening, closing = re.escape(tag.open), re.escape(tag.close)
        line_start = rf"(?:(?<=\n)|(?<={opening}))"
        self._marks = re.compile(
            rf"(?P<open>{opening}(?:[ \t]{{0,100}}\r?\n)?)"
            rf"|(?P<close>{closing})(?P<rest>(?=[ \t]{{0,100}}(?:\r?\n|\Z)))?"
            rf"|(?P<think><think(?:ing)?>)|(?P<unthink></think(?:ing)?>)|(?P<fence>{line_start}{FENCE})",
            re.IGNORECASE,
        )
        halves = [_beginnings(text) for text in (tag.open, tag.close, "<thinking>", "</thinking>")]
        halves += [rf"(?:{opening}|{closing})[ \t]{{0,100}}\r?", line_start + HALF_FENCE, r"\r"]
        self._half = re.compile(rf"(?:{'|'.join(halves)})\Z", re.IGNORECASE)
        # One character of context stands first, so that a line's beginning can be seen.
        self._buffer = "\n"
        self._line_is_blank = True

    def feed(self, text: str) -> list[Token]:
        """The tokens that are sure now."""
        if len(self._buffer) == 1 and text.isalnum():  # nothing here can begin a mark
            self._buffer = text[-1]
            return [self._text(text)]
        self._buffer += text
        hold = self._half.search(self._buffer, max(1, len(self._buffer) - LONGEST_MARK))
        end = hold.start() if hold else len(self._buffer)
        return list(self._tokens(end))

    def close(self) -> list[Token]:
        """The rest, once nothing more comes."""
        return list(self._tokens(len(self._buffer)))

    def _tokens(self, end: int) -> Iterator[Token]:
        at = 1
        context = self._buffer[0]
        while at < end and (mark := self._marks.search(self._buffer, at)) and mark.start() < end:
            if mark.start() > at:
                yield self._text(self._buffer[at : mark.start()])
            yield self._mark(mark)
            at = mark.end()
            if mark["open"]:
                # What follows the tag begins a line, whether or not one ends there.
                self._buffer = "\n" + self._buffer[at:]
                end, at = end - at + 1, 1
            context = self._buffer[at - 1]
        end = max(at, end)
        if at < end:
            yield self._text(self._buffer[at:end])
            context = self._buffer[end - 1]
        self._buffer = context + self._buffer[end:]

    def _text(self, raw: str) -> Token:
        begins = self._line_is_blank
        last = raw.rfind("\n") + 1
        self._line_is_blank = (last > 0 or begins) and not raw[last:].strip(" \t\r")
        return Token(Kind.TEXT, raw, begins)

    def _mark(self, mark: re.Match[str]) -> Token:
        raw = mark[0]
        begins = self._line_is_blank
        self._line_is_blank = raw.endswith("\n") or not (mark["close"] or mark["fence"])
        if mark["open"]:
            return Token(Kind.OPEN, raw, begins)
        if mark["close"]:
            return Token(Kind.CLOSE, raw, begins, ends_line=mark["rest"] is not None)
        if mark["think"]:
            return Token(Kind.THINK, raw, begins)
        if mark["unthink"]:
            return Token(Kind.UNTHINK, raw, begins)
        return Token(Kind.FENCE, raw, begins, ticks=mark["ticks"], info=mark["info"].strip())


def _beginnings(text: str) -> str:
    """A pattern for every proper beginning of a text."""
    pattern = ""
    for char in reversed(text[1:-1]):
        pattern = f"(?:{re.escape(char)}{pattern})?"
    return re.escape(text[0]) + pattern
