"""What a review pane shows, as one value."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.api.inline_diff import DiffKeys
from redraft.core.diff.spoken import SpokenDiff, SpokenHunk, describe_counts, diff_in_words
from redraft.qt.editor.inline_diff.layout import PlacedHunk


@dataclass(frozen=True, slots=True)
class ReviewState:
    """A proposal under review.

    Attributes:
        text: The buffer as it is.
        language_id: Its language.
        hunks: The undecided hunks from top to bottom.
        current: Id of the current one.
        keys: Key labels.
        zoom: Zoom of the code, in Scintilla's steps.
    """

    text: str
    language_id: str
    hunks: tuple[PlacedHunk, ...]
    current: int
    keys: DiffKeys
    zoom: int = 0

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and removed."""
        added = sum(len(placed.hunk.new_lines) for placed in self.hunks)
        return added, sum(len(placed.hunk.old_lines) for placed in self.hunks)

    @property
    def summary(self) -> str:
        """All of it in a few words."""
        return describe_counts(len(self.hunks), *self.counts)

    @property
    def current_index(self) -> int:
        """Place of the current hunk, from 0; 0 where there is none."""
        return next((index for index, placed in enumerate(self.hunks) if placed.id == self.current), 0)

    def in_words(self, title: str) -> SpokenDiff:
        """All of it as plain text."""
        spoken = [
            SpokenHunk(placed.id, placed.line + 1, placed.hunk, needs_review=placed.needs_review)
            for placed in self.hunks
        ]
        return diff_in_words(title, spoken)
