"""Which part of a hunk is meant when lines inside it are selected."""

from __future__ import annotations

from redraft.core.diff.hunks import Hunk
from redraft.core.diff.words import pair_lines
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.layout import PlacedHunk


def selected_part(editor: CodeEditor, placed: PlacedHunk) -> tuple[range, range] | None:
    """Old and new lines of the part of a hunk that is selected; `None` for all of it, or nothing."""
    start, end = editor.selectionStart(), editor.selectionEnd()
    if start == end:
        return None
    first, last = editor.lineFromPosition(start), editor.lineFromPosition(end)
    if last > first and end == editor.positionFromLine(last):
        last -= 1
    if last < placed.line or first >= placed.end:
        return None
    old = range(max(first, placed.line) - placed.line, min(last + 1, placed.end) - placed.line)
    if len(old) == len(placed.hunk.old_lines):
        return None
    return old, matching_lines(placed.hunk, old)


def matching_lines(hunk: Hunk, old: range) -> range:
    """The new lines that belong to some old ones: from the partner of the first to that of the last.

    Lines without a partner go with the partnered line before them; where there is no partner at all, lines are
    matched by their share.
    """
    pairs = pair_lines(hunk.old_lines, hunk.new_lines)
    if not pairs:
        total, count = len(hunk.old_lines), len(hunk.new_lines)
        return range(old.start * count // total, old.stop * count // total)
    before = [new for index, new in pairs if index < old.start]
    after = [new for index, new in pairs if index >= old.stop]
    inside = [new for index, new in pairs if index in old]
    start = min(inside) if inside else (before[-1] + 1 if before else 0)
    if old.start == 0:
        start = 0
    stop = after[0] if after else len(hunk.new_lines)
    return range(min(start, stop), stop)
