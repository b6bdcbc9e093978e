"""Finding text in text: what a query matches, and what replacing it would change."""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.core.errors import UsageError
from redraft.core.text import TextEdit, TextRange

MOST_MATCHES: Final = 20_000
BUDGET_SECONDS: Final = 0.25
"""Longest time a search goes on; what was found by then is shown as the beginning of more."""

_GROUP: Final = re.compile(r"\$(?:(\d{1,2})|\{(\d{1,2})\}|(&)|(\$))")
_ESCAPE: Final = re.compile(r"\\([nt\\])")


@dataclass(frozen=True, slots=True)
class FindQuery:
    """What to look for, and how."""

    text: str
    matches_case: bool = False
    whole_word: bool = False
    is_expression: bool = False

    def compiled(self) -> re.Pattern[str]:
        """The query as a pattern.

        Raises:
            UsageError: The expression is not one; the message says what is wrong with it.
        """
        source = self.text if self.is_expression else re.escape(self.text)
        if self.whole_word:
            source = rf"(?<!\w)(?:{source})(?!\w)"
        flags = re.MULTILINE | (0 if self.matches_case else re.IGNORECASE)
        try:
            return re.compile(source, flags)
        except (re.error, OverflowError, RecursionError) as error:
            raise UsageError(f"This is not a regular expression: {error}.") from error


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, in order; `is_all` tells whether it went to the end."""

    matches: tuple[TextRange, ...] = ()
    is_all: bool = True

    def at_or_after(self, offset: int) -> int | None:
        """Index of the first match that begins at an offset or later; after the last comes the first."""
        if not self.matches:
            return None
        index = bisect_right(self.matches, offset - 1, key=lambda match: match.start)
        return index if index < len(self.matches) else 0

    def before(self, offset: int) -> int | None:
        """Index of the last match that begins before an offset; before the first comes the last."""
        if not self.matches:
            return None
        return (bisect_right(self.matches, offset - 1, key=lambda match: match.start) - 1) % len(self.matches)

    def index_of(self, selection: TextRange) -> int | None:
        """Index of the match that is exactly this selection."""
        index = self.at_or_after(selection.start)
        return index if index is not None and self.matches[index] == selection else None


class _UnixLines:
    """A text whose CRLF are LF, so that `$` and line ends in an expression mean what they say."""

    def __init__(self, text: str) -> None:
        self._dropped = [place.start() for place in re.finditer("\r\n", text)]
        self._shifted = [place - count for count, place in enumerate(self._dropped)]
        self.text = text.replace("\r\n", "\n") if self._dropped else text

    def original(self, offset: int) -> int:
        """An offset in the changed text as one in the text itself."""
        return offset + bisect_right(self._shifted, offset - 1)


def find_matches(text: str, query: FindQuery) -> Found:
    """All that a query matches; a match of nothing counts.

    Raises:
        UsageError: The expression is not one.
    """
    if not query.text:
        return Found()
    matches: list[TextRange] = []
    unix = _UnixLines(text)
    ends = time.monotonic() + BUDGET_SECONDS
    for match in query.compiled().finditer(unix.text):
        if len(matches) >= MOST_MATCHES or time.monotonic() > ends:
            return Found(tuple(matches), is_all=False)
        matches.append(TextRange(unix.original(match.start()), unix.original(match.end())))
    return Found(tuple(matches))


def replacements(
    text: str, query: FindQuery, template: str, line_end: str, only: TextRange | None = None
) -> list[TextEdit]:
    """The edits that replace every match, or only one; in expressions `$1` is a group, escapes mean themselves.

    Raises:
        UsageError: The expression is not one, or the replacement names a group it does not have.
    """
    return list(_replacements(text, query, template, line_end, only))


def _replacements(
    text: str, query: FindQuery, template: str, line_end: str, only: TextRange | None
) -> Iterator[TextEdit]:
    unix = _UnixLines(text)
    for match in query.compiled().finditer(unix.text):
        span = TextRange(unix.original(match.start()), unix.original(match.end()))
        if only is None or span == only:
            new = _expanded(match, template) if query.is_expression else template
            yield TextEdit(span, new.replace("\n", line_end))
        if only is not None and span.start >= only.start:
            return


def _expanded(match: re.Match[str], template: str) -> str:
    def group(found: re.Match[str]) -> str:
        if found[4]:
            return "$"
        number = 0 if found[3] else int(found[1] or found[2])
        try:
            return match[number] or ""
        except IndexError as error:
            raise UsageError(f"The expression has no group {number}.") from error

    unescaped = _ESCAPE.sub(lambda found: {"n": "\n", "t": "\t", "\\": "\\"}[found[1]], template)
    return _GROUP.sub(group, unescaped)


def count_label(found: Found, current: int | None, query: FindQuery) -> str:
    """How many matches there are, in words: `3 of 12`."""
    if not query.text:
        return ""
    if not found.matches:
        return "No results"
    total = f"{len(found.matches):,}" + ("" if found.is_all else "+")
    return f"{current + 1:,} of {total}" if current is not None else total


def visible_part(found: Found, start: int, end: int) -> Sequence[TextRange]:
    """The matches that touch a stretch of text."""
    first = bisect_right(found.matches, start, key=lambda match: match.end)
    last = bisect_right(found.matches, end, key=lambda match: match.start)
    return found.matches[max(first - 1, 0) : last]
