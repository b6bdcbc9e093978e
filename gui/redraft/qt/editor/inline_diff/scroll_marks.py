"""Marks of an overlay beside the scroll bar: removed above added, and what is not reached yet."""

from __future__ import annotations

from typing import Final

from redraft.qt.editor.inline_diff.layout import Layout
from redraft.qt.editor.scroll_bar import ScrollMark

MOST: Final = 160
"""Hunks that are marked one by one; of more, as many are picked evenly: they would overlap anyway."""


def scroll_marks(layout: Layout) -> list[ScrollMark]:
    """The marks of a layout, from top to bottom."""
    marks: list[ScrollMark] = []
    for placed in layout.hunks[:: 1 + len(layout.hunks) // MOST]:
        removed = "state.warn" if placed.needs_review else "diff.removed.bar"
        if placed.end > placed.line:
            marks.append(ScrollMark(placed.line, placed.end - placed.line, removed))
        if placed.hunk.new_lines:
            marks.append(ScrollMark(placed.anchor, len(placed.hunk.new_lines), "diff.added.bar", below=True))
    if layout.frontier is not None and layout.frontier < layout.end:
        marks.append(ScrollMark(layout.frontier, layout.end - layout.frontier, "accent.bar_dim"))
    return marks
