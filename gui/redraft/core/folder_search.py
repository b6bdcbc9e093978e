"""Searches the text files below a folder, one after another, for as long as anybody wants to know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redraft.core import textfile
from redraft.core.errors import FileError
from redraft.core.text import TextRange

MOST_BYTES: Final = 4 << 20
"""Larger files are data rather than text somebody wrote, and are left out."""

MOST_IN_FILE: Final = 200
"""Matches of one file that are told."""

_CLIP: Final = 240
"""Characters of a line that are shown."""

_BEFORE: Final = 60
"""Characters shown before a match in a long line."""


@dataclass(frozen=True, slots=True)
class FileMatch:
    """One place that matches.

    Attributes:
        path: The file.
        span: The match, in offsets of the file's text.
        row: Which line it begins in, from 0.
        line: That line, without the blanks around; a long one is cut around the match.
        marked: Which characters of `line` belong to the match.
    """

    path: Path
    span: TextRange
    row: int
    line: str
    marked: range


def search_files(
    files: Iterable[Path], pattern: re.Pattern[str], unsaved: Mapping[Path, str], *, limit: int
) -> Iterator[FileMatch]:
    """What matches in files, in their order; of a file with unsaved text, that text counts. Ends at the limit.

    Files that are no text, or cannot be read, are left out: nobody asked for them by name.
    """
    left = limit
    for path in files:
        text = unsaved.get(path)
        if text is None:
            text = _read(path)
        for match in matches_in(path, text, pattern, min(left, MOST_IN_FILE)):
            yield match
            left -= 1
        if left <= 0:
            return


def matches_in(path: Path, text: str, pattern: re.Pattern[str], limit: int) -> Iterator[FileMatch]:
    """What matches in one text; matches of nothing are left out."""
    line, line_start = 0, 0
    for match in pattern.finditer(text):
        if limit <= 0:
            return
        if match.end() == match.start():
            continue
        # Lines are counted along the way: an index of every file would cost more than the search.
        line += text.count("\n", line_start, match.start())
        line_start = text.rfind("\n", 0, match.start()) + 1
        shown, marked = _shown_line(text, line_start, match)
        yield FileMatch(path, TextRange(*match.span()), line, shown, marked)
        limit -= 1


def _shown_line(text: str, line_start: int, match: re.Match[str]) -> tuple[str, range]:
    end = text.find("\n", match.start())
    whole = text[line_start : end if end >= 0 else len(text)].rstrip()
    column = match.start() - line_start
    first = max(len(whole) - len(whole.lstrip()), column - _BEFORE if column > _CLIP - _BEFORE else 0)
    first = min(first, column)
    shown = whole[first : first + _CLIP]
    start = column - first
    return shown, range(start, min(len(shown), start + match.end() - match.start()))


def _read(path: Path) -> str:
    try:
        return textfile.load(path, max_bytes=MOST_BYTES).text
    except FileError:
        return ""
