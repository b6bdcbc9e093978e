"""What each line of a unified diff is, told by counting a hunk's lines and not by its first characters alone.

A deleted SQL comment reads `--- x` in a diff; only the counts of the hunk header tell it from a file header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

HUNK_HEADER: Final = re.compile(r"@@\s+-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?")
_HEADER: Final = re.compile(r"(?:---|\+\+\+)(?:\s|$)|@@|diff |index ")


class LineKind(Enum):
    """What a line of a diff is."""

    HEADER = auto()
    CONTEXT = auto()
    DELETED = auto()
    ADDED = auto()
    NOTE = auto()
    """No line of the text: a comment between hunks, a blank line after the last, `\\ No newline at end of file`."""


class PatchLine(NamedTuple):
    """One line of a diff, as written and without its line end."""

    kind: LineKind
    text: str

    @property
    def content(self) -> str:
        """The line without its sign."""
        return self.text[1:]

    @property
    def is_added(self) -> bool:
        """Whether it adds."""
        return self.kind is LineKind.ADDED

    @property
    def is_change(self) -> bool:
        """Whether it adds or deletes."""
        return self.kind is LineKind.ADDED or self.kind is LineKind.DELETED


class Group(NamedTuple):
    """Changed lines that stand together, deleted ones and added ones, and the line after them (none at the end)."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    after: PatchLine | None


@lru_cache(maxsize=16)  # Every metric of an example reads the same few patches.
def patch_lines(patch: str) -> tuple[PatchLine, ...]:
    """Classify every line; a hunk whose header has no counts, or wrong ones, is read by first characters."""
    return tuple(_classified(patch))


def change_groups(lines: Iterable[PatchLine]) -> Iterator[Group]:
    """Changed lines group by group; a group without any stands before each line that is no change."""
    old: list[str] = []
    new: list[str] = []
    for line in lines:
        if line.kind is LineKind.DELETED:
            old.append(line.content)
        elif line.kind is LineKind.ADDED:
            new.append(line.content)
        else:
            yield Group(tuple(old), tuple(new), line)
            old, new = [], []
    yield Group(tuple(old), tuple(new), None)


def _classified(patch: str) -> Iterator[PatchLine]:
    lines = patch.split("\n")
    if lines[-1] == "":
        lines.pop()
    old_left = new_left = 0
    is_counted = False
    for index, line in enumerate(lines):
        if old_left > 0 or new_left > 0:
            kind = _kind_in_hunk(line, lines, index, old_left, new_left)
        else:
            kind = _kind_by_sign(line)
            if not line and is_counted and not _goes_on(lines[index + 1 :]):
                kind = LineKind.NOTE
        if kind is LineKind.HEADER:
            old_left, new_left = _counts(line)
            is_counted = old_left + new_left > 0
        elif kind is not LineKind.NOTE:
            old_left -= kind is not LineKind.ADDED
            new_left -= kind is not LineKind.DELETED
        yield PatchLine(kind, line)


def _kind_in_hunk(line: str, lines: Sequence[str], index: int, old_left: int, new_left: int) -> LineKind:
    sign = line[:1]
    if sign in {" ", ""}:
        return LineKind.CONTEXT
    # With one line left on each side it is a deletion and an addition, however much it looks like a header.
    is_due = old_left == new_left == 1
    if line.startswith("@@") or (not is_due and _opens_file(line, lines[index + 1 : index + 3])):
        return LineKind.HEADER
    if sign == "-" and old_left > 0:
        return LineKind.DELETED
    if sign == "+" and new_left > 0:
        return LineKind.ADDED
    return _kind_by_sign(line)


def _opens_file(line: str, following: Sequence[str]) -> bool:
    return line.startswith("--- ") and [text[:3] for text in following] == ["+++", "@@ "]


def _kind_by_sign(line: str) -> LineKind:
    if _HEADER.match(line):
        return LineKind.HEADER
    if line.startswith("-"):
        return LineKind.DELETED
    if line.startswith("+"):
        return LineKind.ADDED
    return LineKind.CONTEXT if line[:1] in {" ", ""} else LineKind.NOTE


def _goes_on(following: Iterable[str]) -> bool:
    """Whether more lines of the hunk come, though its counts say that it is over."""
    line = next((line for line in following if line), "")
    return line[:1] in {" ", "+", "-"} and not _HEADER.match(line)


def _counts(line: str) -> tuple[int, int]:
    match = HUNK_HEADER.match(line)
    return (int(match[2] or 1), int(match[4] or 1)) if match else (0, 0)
