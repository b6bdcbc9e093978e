"""Cuts patches down to their first logical groups of edits."""

from __future__ import annotations

from redraft.core.review.loose_patch import LooseHunk, read_hunks, render_hunk
from redraft.core.review.patch_lines import LineKind, PatchLine


def truncated(patch: str, groups: int, *, only_path: str | None = None) -> str:
    """A patch with its first groups only; a group begins at a hunk that carries a line beginning with `///`.

    Args:
        patch: The patch.
        groups: How many groups stay.
        only_path: Hunks of other files are dropped.
    """
    parts: list[str] = []
    number = 0
    path = None
    shift = 0
    is_announced = False
    for hunk, notes in _with_notes(patch):
        is_announced = any(note.startswith("///") for note in notes)
        number += is_announced or number == 0
        if number > groups:
            break
        if only_path is not None and hunk.path != only_path:
            continue
        shift = shift if hunk.path == path else 0
        if hunk.path != path:
            parts.append(f"--- a/{hunk.path}\n+++ b/{hunk.path}\n")
            path = hunk.path
        start = hunk.old_start or 0
        parts.append(render_hunk(hunk.lines, start, start + shift))
        shift += hunk.growth
    return "".join(parts)


def _with_notes(patch: str) -> list[tuple[LooseHunk, list[str]]]:
    """Hunks without the comment lines that stand before or in them, and these comments.

    A comment after a hunk's lines announces the next one.
    """
    found: list[tuple[LooseHunk, list[str]]] = []
    leading = [line for line in patch.split("\n@@", 1)[0].split("\n") if line.startswith("//")]
    for hunk in read_hunks(patch, with_notes=True):
        lines = [line for line in hunk.lines if line.kind is not LineKind.NOTE]
        trailing: list[str] = []
        for line in reversed(hunk.lines):
            if not _is_note(line):
                break
            trailing.insert(0, line.text)
        notes = [line.text for line in hunk.lines if _is_note(line)]
        inner = notes[: len(notes) - len(trailing)]
        found.append((LooseHunk(hunk.path, hunk.old_start, hunk.new_start, tuple(lines)), leading + inner))
        leading = trailing
    return found


def _is_note(line: PatchLine) -> bool:
    return line.kind is LineKind.NOTE and line.text.startswith("//")
