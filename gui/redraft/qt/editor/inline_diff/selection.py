"""Which part of a hunk is meant when lines inside it are selected."""

from __future__ import annotations

from redraft.core.diff.hunks import Hunk
from redraft.core.diff.words import pair_lines
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.layout import PlacedHunk


def selected_part(editor: CodeEditor, placed: PlacedHunk) -> tuple[range, range] | None:
    """Old and new lines of the part of a hunk that is selected; `None` for all of it, or nothing."""
    old = selected_lines(editor, placed.line, placed.end)
    return None if old is None else (old, matching_lines(placed.hunk, old))


def selected_lines(editor: CodeEditor, start: int, stop: int) -> range | None:
    """Which of the lines from `start` on are selected, counted from there; `None` for all of them, or none."""
    first_byte, last_byte = editor.selectionStart(), editor.selectionEnd()
    if first_byte == last_byte:
        return None
    first, last = editor.lineFromPosition(first_byte), editor.lineFromPosition(last_byte)
    if last > first and last_byte == editor.positionFromLine(last):
        last -= 1
    if last < start or first >= stop:
        return None
    lines = range(max(first, start) - start, min(last + 1, stop) - start)
    return None if len(lines) == stop - start else lines


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


def matching_old_lines(hunk: Hunk, new: range) -> range:
    """The old lines that belong to some new ones, matched as in `matching_lines`."""
    return matching_lines(Hunk(hunk.old_start, hunk.new_lines, hunk.old_lines), new)
