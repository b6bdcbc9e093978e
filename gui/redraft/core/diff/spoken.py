"""A difference in words: for screen readers, and for everybody who cannot tell red from green."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.core.diff.hunks import Hunk
from redraft.core.text import without_end
from redraft.core.wording import count_words


@dataclass(frozen=True, slots=True)
class SpokenHunk:
    """A hunk as it is read out.

    Attributes:
        id: The hunk's.
        line: Number of its first line in the text, from 1.
        hunk: What it changes.
        needs_review: Whether the text it would replace was changed since.
    """

    id: int
    line: int
    hunk: Hunk
    needs_review: bool = False


@dataclass(frozen=True, slots=True)
class SpokenDiff:
    """The text of a difference; `headers` tells in which of its lines each hunk begins, in order."""

    text: str
    headers: tuple[int, ...]


def describe_hunk(hunk: Hunk, place: int, total: int) -> str:
    """One hunk in a sentence: `"Hunk 2 of 3, 1 line removed, 2 added"`."""
    removed, added = len(hunk.old_lines), len(hunk.new_lines)
    parts = [f"Hunk {place} of {total}"]
    if removed:
        parts.append(f"{count_words(removed, 'line')} removed")
    if added:
        parts.append(f"{added} added" if removed else f"{count_words(added, 'line')} added")
    return ", ".join(parts)


def describe_counts(hunks: int, added: int, removed: int) -> str:
    """All of a difference in a few words: `"3 hunks, plus 12, minus 4"`."""
    parts = [count_words(hunks, "hunk")]
    if added:
        parts.append(f"plus {added}")
    if removed:
        parts.append(f"minus {removed}")
    return ", ".join(parts)


def diff_in_words(title: str, hunks: Sequence[SpokenHunk]) -> SpokenDiff:
    """A difference as plain text: a header for each hunk, then its lines, with `-` and `+` before them."""
    added = sum(len(spoken.hunk.new_lines) for spoken in hunks)
    removed = sum(len(spoken.hunk.old_lines) for spoken in hunks)
    lines = [f"{title}: {describe_counts(len(hunks), added, removed)}"]
    headers: list[int] = []
    for place, spoken in enumerate(hunks, start=1):
        lines.append("")
        headers.append(len(lines))
        stale = "; the text it would replace has changed" if spoken.needs_review else ""
        lines.append(f"{describe_hunk(spoken.hunk, place, len(hunks))}, at line {spoken.line}{stale}")
        lines += [f"- {without_end(line)}" for line in spoken.hunk.old_lines]
        lines += [f"+ {without_end(line)}" for line in spoken.hunk.new_lines]
    return SpokenDiff("\n".join(lines) + "\n", tuple(headers))
