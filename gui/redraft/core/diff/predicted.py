"""A predicted edit, and how it follows the text: typing along uses it up, typing elsewhere moves it, the rest ends it.

Everything here is arithmetic on offsets in code points. An edit is kept as small as it can be: what the old and the
new text have in common at their ends is not part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from redraft.core.diff.common_ends import common_ends
from redraft.core.diff.hunks import Hunk
from redraft.core.text import TextEdit, TextRange


@dataclass(frozen=True, slots=True)
class PredictedEdit:
    """`removed`, which stands at `start`, is to give way to `added`."""

    start: int
    removed: str
    added: str

    @property
    def end(self) -> int:
        """Where the removed text ends."""
        return self.start + len(self.removed)

    @property
    def growth(self) -> int:
        """By how much the text grows."""
        return len(self.added) - len(self.removed)

    @property
    def is_insertion(self) -> bool:
        """Whether nothing goes."""
        return not self.removed

    @property
    def edit(self) -> TextEdit:
        """As an edit of the text."""
        return TextEdit(TextRange(self.start, self.end), self.added)

    def trimmed(self) -> PredictedEdit:
        """Without what both sides begin and end with."""
        head, tail = common_ends(self.removed, self.added)
        removed, added = (text[head : len(text) - tail] for text in (self.removed, self.added))
        return PredictedEdit(self.start + head, removed, added)


def predicted_edits(text: str, line_starts: Sequence[int], hunks: Iterable[Hunk]) -> tuple[PredictedEdit, ...]:
    """The edits that hunks of whole lines make in a text; lines of both carry its own line ends."""
    edits: list[PredictedEdit] = []
    for hunk in hunks:
        start = line_starts[hunk.old_start] if hunk.old_start < len(line_starts) else len(text)
        edit = PredictedEdit(start, "".join(hunk.old_lines), "".join(hunk.new_lines)).trimmed()
        if edit.removed or edit.added:
            edits.append(edit)
    return tuple(edits)


def follow(edits: Sequence[PredictedEdit], start: int, removed: str, added: str) -> tuple[PredictedEdit, ...] | None:
    """The edits that are left after the text changed: `removed` at `start` gave way to `added`.

    Applied to the new text they give what the whole prediction would have given, or that with the change beside it.
    `None` if the change goes against one of them. Edits stand in order and do not overlap; no edits are left when the
    user has written all of them.
    """
    end = start + len(removed)
    touched = [edit for edit in edits if start <= edit.end and edit.start <= end]
    if len(touched) > 1:
        # A change between two edits touches both; it belongs to the one that it brings further.
        touched = [edit for edit in touched if _advanced(edit, start, removed, added) is not None] or touched
    if len(touched) > 1:
        return None
    left: list[PredictedEdit] = []
    for edit in edits:
        if touched and edit is touched[0]:
            rest = _advanced(edit, start, removed, added)
            if rest is None:
                return None
            if rest.removed or rest.added:
                left.append(rest)
        elif edit.start >= end:
            left.append(replace(edit, start=edit.start + len(added) - len(removed)))
        elif edit.end <= start:
            left.append(edit)
        else:
            return None
    return tuple(left)


def goes_along(edits: Sequence[PredictedEdit], start: int, removed: str, added: str) -> bool:
    """Whether a change is part of what is predicted, and not just elsewhere."""
    left = follow(edits, start, removed, added)
    return left is not None and _size(left) < _size(edits)


def at_caret(edit: PredictedEdit, text: str, caret: int) -> PredictedEdit:
    """The same insertion as it would be typed at the caret, where that makes no difference to the text.

    `a(b)` and a line end before the next line, or a line end and `a(b)` at the end of the line before, are one.
    """
    if not edit.is_insertion or edit.start == caret:
        return edit
    if caret < edit.start:
        between = text[caret : edit.start]
        if len(between) <= len(edit.added) and edit.added.endswith(between):
            return PredictedEdit(caret, "", between + edit.added[: len(edit.added) - len(between)])
    else:
        between = text[edit.start : caret]
        if len(between) <= len(edit.added) and edit.added.startswith(between):
            return PredictedEdit(caret, "", edit.added[len(between) :] + between)
    return edit


def _advanced(edit: PredictedEdit, start: int, removed: str, added: str) -> PredictedEdit | None:
    """What is left of an edit after a change inside it or at its edge; `None` if that is not less than before."""
    first, last = start - edit.start, start + len(removed) - edit.start
    if first < 0 or last > len(edit.removed):
        return None
    changed = edit.removed[:first] + added + edit.removed[last:]
    rest = PredictedEdit(edit.start, changed, edit.added).trimmed()
    is_nearer = len(rest.removed) <= len(edit.removed) and len(rest.added) <= len(edit.added)
    is_less = (len(rest.removed), len(rest.added)) != (len(edit.removed), len(edit.added))
    return rest if is_nearer and is_less else None


def _size(edits: Sequence[PredictedEdit]) -> int:
    return sum(len(edit.removed) + len(edit.added) for edit in edits)
