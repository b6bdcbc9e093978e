"""Two changes of the same text put together, line by line; and a change as edits of offsets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from redraft.core.diff.hunks import Hunk, apply_hunks
from redraft.core.diff.lines import diff_lines
from redraft.core.text import TextEdit, TextRange, split_lines


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """What `base` becomes with the changes of both sides; `None` where they meet, and somebody has to choose.

    Changes that touch each other count as meeting, and equal ones are made once.
    """
    mine = diff_lines(base, ours)
    others = [hunk for hunk in diff_lines(base, theirs) if hunk not in mine]
    if any(_meet(one, other) for one in mine for other in others):
        return None
    return apply_hunks(base, sorted((*mine, *others), key=lambda hunk: (hunk.old_start, hunk.old_end)))


def line_edits(old: str, new: str) -> list[TextEdit]:
    """Edits of whole lines that make the new text of the old one; lines that stay are not touched."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    starts = [0, *accumulate(len(line) for line in old_lines)]
    return [
        TextEdit(TextRange(starts[hunk.old_start], starts[hunk.old_end]), "".join(hunk.new_lines))
        for hunk in diff_lines(old_lines, new_lines)
    ]


def _meet(one: Hunk, other: Hunk) -> bool:
    return one.old_start <= other.old_end and other.old_start <= one.old_end
