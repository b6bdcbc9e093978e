"""Names that the latest edit replaced, and where they still stand: there the next edit is likely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.core.diff.common_ends import common_ends
from redraft.core.diff.words import pair_lines, word_spans
from redraft.core.review.example import BufferChange
from redraft.core.review.loose_patch import LooseHunk, read_hunks
from redraft.core.review.patch_lines import LineKind, change_groups

NAME: Final = re.compile(r"[^\W\d]\w*")
MOST_NAMES: Final = 3
MOST_PLACES: Final = 200
"""Places of a name that are looked at; a name that stands more often is no name of something."""


def replaced_names(event: BufferChange) -> tuple[tuple[str, str], ...]:
    """Names that gave way to others in an event, each with the one that came for it."""
    found: dict[str, str] = {}
    for hunk in read_hunks(f"--- a/x\n+++ b/x\n{event.diff}"):
        added = (line.content for line in hunk.lines if line.kind is LineKind.ADDED)
        kept = {name for line in added for name in NAME.findall(line)}
        for old, new in _pairs(hunk):
            if old not in kept:
                found.setdefault(old, new)
    return tuple(found.items())[:MOST_NAMES]


def stands_in(name: str, text: str) -> bool:
    """Whether a text holds a name as a whole word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def places_of(name: str, text: str) -> list[int]:
    """The offsets at which a name stands as a whole word; none if it stands nearly everywhere."""
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    return places if len(places) <= MOST_PLACES else []


def _pairs(hunk: LooseHunk) -> Iterator[tuple[str, str]]:
    for group in change_groups(hunk.lines):
        # Lines of one count belong together in order, however short and unlike they are.
        in_order = [(row, row) for row in range(len(group.old))]
        is_same_count = len(group.old) == len(group.new)
        for old_row, new_row in in_order if is_same_count else pair_lines(group.old, group.new):
            old, new = group.old[old_row], group.new[new_row]
            old_spans, new_spans = word_spans(old, new)
            if not old_spans or len(old_spans) != len(new_spans):
                old_spans, new_spans = _middles(old, new)
            for (start, end), (new_start, new_end) in zip(old_spans, new_spans, strict=True):
                one, other = _name_around(old, start, end), _name_around(new, new_start, new_end)
                if one and other and one != other:
                    yield one, other


def _middles(old: str, new: str) -> tuple[tuple[tuple[int, int]], tuple[tuple[int, int]]]:
    """What differs of two lines, as one stretch of each: lines that are unlike have no words in common to go by."""
    head, tail = common_ends(old, new)
    return ((head, len(old) - tail),), ((head, len(new) - tail),)


def _name_around(line: str, start: int, end: int) -> str:
    """The name that a changed stretch belongs to, if it lies within one."""
    return next((match[0] for match in NAME.finditer(line) if match.start() <= start and end <= match.end()), "")
