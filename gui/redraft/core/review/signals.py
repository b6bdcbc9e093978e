"""Warnings that a patch itself gives, without knowing what was wanted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, takewhile
from typing import Final

from redraft.core.review.loose_patch import LooseHunk, read_hunks
from redraft.core.review.patch_lines import LineKind, PatchLine

OPENING_DELETIONS: Final = 3


def is_wrong_editable_region(patch: str) -> bool:
    """Whether the first hunk opens with three deletions or more, as when a region was rewritten out of step.

    A hint only: an honest rewrite of the region's first lines looks the same, so a repair may keep it.
    """
    hunks = read_hunks(patch)
    if not hunks:
        return False
    opening = takewhile(lambda line: line.kind is LineKind.DELETED, hunks[0].lines)
    return sum(1 for _ in opening) >= OPENING_DELETIONS


def removes_most(patch: str) -> bool:
    """Whether more than half of the lines a patch is about go away without anything in their place.

    A hint for a live editor, where a prediction that empties the region is nearly always a model's slip.
    """
    lines = [line for hunk in read_hunks(patch) for line in hunk.lines]
    old = sum(bool(line.content.strip()) for line in lines if not line.is_added)
    new = sum(bool(line.content.strip()) for line in lines if line.kind is not LineKind.DELETED)
    return old >= OPENING_DELETIONS and 2 * new < old


def has_isolated_whitespace_changes(patch: str, cursor_row: int | None = None) -> bool:
    """Whether blank lines come or go with no real change beside them.

    Args:
        patch: The patch.
        cursor_row: Row of the caret from 0; a blank line added there is the user's own next line.
    """
    return any(_is_isolated(group, cursor_row) for hunk in read_hunks(patch) for group in _groups(hunk))


def _groups(hunk: LooseHunk) -> list[list[tuple[int, PatchLine]]]:
    """Runs of changed lines, each line with its row in the new text."""
    row = hunk.new_start or 0
    rows: list[tuple[int, PatchLine]] = []
    for line in hunk.lines:
        rows.append((row, line))
        row += line.kind is not LineKind.DELETED
    return [list(group) for changed, group in groupby(rows, key=lambda item: item[1].is_change) if changed]


def _is_isolated(group: Sequence[tuple[int, PatchLine]], cursor_row: int | None) -> bool:
    if any(line.content.strip() for _, line in group):
        return False
    return any(line.kind is LineKind.DELETED or row != cursor_row for row, line in group)
