"""Single edits of a patch: numbered, taken out, and put into another order.

Edits are the added and deleted lines of all hunks, numbered from 0 in the order in which they stand.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from redraft.core.errors import PatchError
from redraft.core.review.loose_patch import LooseHunk, read_hunks, render_hunk
from redraft.core.review.patch_lines import LineKind, PatchLine

CONTEXT_LINES: Final = 3
_RANGE: Final = re.compile(r"\s*(\d+)(?:\s*-\s*(\d+))?\s*")


def count_edits(patch: str) -> int:
    """How many edits a patch has."""
    return sum(line.is_change for hunk in read_hunks(patch) for line in hunk.lines)


def extract_edits(patch: str, chosen: Collection[int]) -> tuple[str, str]:
    """Two patches that do together what one did: first the chosen edits, then the rest on top of them."""
    first: list[LooseHunk] = []
    rest: list[LooseHunk] = []
    for hunk, numbers in _numbered(read_hunks(patch)):
        mine, others = [], []
        for line, number in zip(hunk.lines, numbers, strict=True):
            is_mine = number in chosen
            mine += _line(line, number, applies=is_mine, was_applied=False)
            others += _line(line, number, applies=not is_mine, was_applied=is_mine)
        first.append(LooseHunk(hunk.path, hunk.old_start, hunk.new_start, tuple(mine)))
        rest.append(LooseHunk(hunk.path, hunk.old_start, hunk.new_start, tuple(others)))
    return _render(_trimmed(first)), _render(_trimmed(_moved(rest, first)))


def reorder_edits(patch: str, groups: Iterable[Collection[int]]) -> list[str]:
    """The edits of a patch as one patch a group, each on top of those before; edits in no group are dropped.

    An edit named twice counts where it is named first.
    """
    patches: list[str] = []
    left, numbers = patch, list(range(count_edits(patch)))
    for group in groups:
        places = {place for place, number in enumerate(numbers) if number in group}
        if not places:
            continue
        taken, left = extract_edits(left, places)
        numbers = [number for place, number in enumerate(numbers) if place not in places]
        patches.append(taken)
    return patches


def parse_order(text: str) -> list[set[int]]:
    """Groups from an order file: one a line, numbers and ranges with commas between; `//` begins a comment.

    Raises:
        PatchError: A line is no such list.
    """
    groups: list[set[int]] = []
    for row, line in enumerate(text.splitlines(), 1):
        content = line.partition("//")[0].strip()
        if not content:
            continue
        group: set[int] = set()
        for part in content.rstrip(",").split(","):
            match = _RANGE.fullmatch(part)
            if match is None:
                raise PatchError(f"Line {row} of the order is no list of numbers: {content!r}.")
            group.update(range(int(match[1]), int(match[2] or match[1]) + 1))
        groups.append(group)
    return groups


def _numbered(hunks: Iterable[LooseHunk]) -> Iterator[tuple[LooseHunk, list[int]]]:
    at = 0
    for hunk in hunks:
        numbers = []
        for line in hunk.lines:
            numbers.append(at if line.is_change else -1)
            at += line.is_change
        yield hunk, numbers


def _line(line: PatchLine, number: int, *, applies: bool, was_applied: bool) -> list[PatchLine]:
    """A line as one of the two patches has it: changed there, or as the text is at that time, or not at all."""
    if number < 0 or applies:
        return [line]
    is_there = (line.kind is LineKind.ADDED) == was_applied
    return [PatchLine(LineKind.CONTEXT, f" {line.content}")] if is_there else []


def _moved(rest: Sequence[LooseHunk], first: Sequence[LooseHunk]) -> list[LooseHunk]:
    """The later hunks, where their lines stand once the earlier ones are applied."""
    moved: list[LooseHunk] = []
    shift = 0
    for index, hunk in enumerate(rest):
        shift = 0 if index and rest[index - 1].path != hunk.path else shift
        start = None if hunk.old_start is None else hunk.old_start + shift
        moved.append(LooseHunk(hunk.path, start, hunk.new_start, hunk.lines))
        shift += first[index].growth
    return moved


def _trimmed(hunks: Iterable[LooseHunk]) -> list[LooseHunk]:
    """Hunks with three lines of context; those without changes are gone, and new places are counted afresh."""
    kept: list[LooseHunk] = []
    path, shift = "", 0
    for hunk in hunks:
        shift = shift if hunk.path == path else 0
        path = hunk.path
        for skipped, lines in _pieces(hunk):
            start = None if hunk.old_start is None else hunk.old_start + skipped
            piece = LooseHunk(hunk.path, start, None if start is None else start + shift, tuple(lines))
            shift += piece.growth
            kept.append(piece)
    return kept


@dataclass
class _Piece:
    start: int
    end: int


def _pieces(hunk: LooseHunk) -> Iterator[tuple[int, Sequence[PatchLine]]]:
    """The parts of a hunk around its changes, each with the old lines before it."""
    pieces: list[_Piece] = []
    for index, line in enumerate(hunk.lines):
        if not line.is_change:
            continue
        start, end = max(0, index - CONTEXT_LINES), min(len(hunk.lines), index + 1 + CONTEXT_LINES)
        if pieces and start <= pieces[-1].end:
            pieces[-1].end = end
        else:
            pieces.append(_Piece(start, end))
    for piece in pieces:
        before = sum(line.kind is not LineKind.ADDED for line in hunk.lines[: piece.start])
        yield before, hunk.lines[piece.start : piece.end]


def _render(hunks: Iterable[LooseHunk]) -> str:
    parts: list[str] = []
    for path, group in groupby(hunks, key=lambda hunk: hunk.path):
        parts.append(f"--- a/{path}\n+++ b/{path}\n")
        parts += (render_hunk(hunk.lines, hunk.old_start or 0, hunk.new_start or 0) for hunk in group)
    return "".join(parts)
