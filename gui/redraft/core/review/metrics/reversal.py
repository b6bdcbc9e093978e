"""How much of a prediction undoes what the user has just done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from rapidfuzz.distance import LCSseq

from redraft.core.review.tokens import tokenize_code
from redraft.core.text import split_lines

REFINED_BYTES: Final = 512
REFINED_LINES: Final = 8


@dataclass(frozen=True, slots=True)
class Reversal:
    """Characters of a prediction that undo the user's edit, of all it deletes and inserts; `ratio` from 0 to 1."""

    reversed_chars: int
    total_chars: int

    @property
    def ratio(self) -> float:
        """The undoing share; 0 where nothing is predicted."""
        return self.reversed_chars / self.total_chars if self.total_chars else 0.0


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement: `deleted` at `start` of the old text gave way to `inserted` at `new_start` of the new one."""

    start: int
    deleted: str
    new_start: int
    inserted: str

    @property
    def end(self) -> int:
        """Where the deleted text ended."""
        return self.start + len(self.deleted)

    @property
    def new_end(self) -> int:
        """Where the inserted text ends."""
        return self.new_start + len(self.inserted)


def reversal(before: str, current: str, predicted: str) -> Reversal:
    """Compare the user's edit (`before` to `current`) with the predicted one (`current` to `predicted`).

    Undoing are: deleting characters the user added, and bringing back, in order, characters the user deleted there.
    """
    history = list(find_edits(before, current))
    prediction = list(find_edits(current, predicted))
    undone = sum(
        max(0, min(edit.end, done.new_end) - max(edit.start, done.new_start)) for edit in prediction for done in history
    )
    restored = sum(
        LCSseq.similarity(done.deleted, edit.inserted)
        for edit in prediction
        for done in history
        if edit.start == done.new_start or edit.start < done.new_start < edit.end
    )
    total = sum(len(edit.deleted) + len(edit.inserted) for edit in prediction)
    return Reversal(undone + restored, total)


def find_edits(old: str, new: str) -> Iterator[Edit]:
    """Edits from one text to another: by lines, small groups by tokens, and pure growth or shrinking by characters."""
    for edit in _differences(split_lines(old), split_lines(new), Edit(0, old, 0, new)):
        for fine in _by_tokens(edit) if _is_small(edit) else [edit]:
            yield from _by_characters(fine)


def _is_small(edit: Edit) -> bool:
    return all(
        0 < len(text.encode()) <= REFINED_BYTES and len(split_lines(text)) <= REFINED_LINES
        for text in (edit.deleted, edit.inserted)
    )


def _by_tokens(edit: Edit) -> Iterator[Edit]:
    return _differences(tokenize_code(edit.deleted), tokenize_code(edit.inserted), edit)


def _by_characters(edit: Edit) -> list[Edit]:
    """An edit that only inserts, or only deletes, characters is just these; any other stays whole."""
    shorter = min(len(edit.deleted), len(edit.inserted))
    # Only a text that is contained in the other, in order, grows or shrinks into it.
    if not shorter or LCSseq.similarity(edit.deleted, edit.inserted) < shorter:
        return [edit]
    fine = list(_differences(list(edit.deleted), list(edit.inserted), edit))
    grows = all(not part.deleted for part in fine)
    shrinks = all(not part.inserted for part in fine)
    return fine if grows or shrinks else [edit]


def _differences(old: list[str], new: list[str], whole: Edit) -> Iterator[Edit]:
    old_ends, new_ends = _ends(old, whole.start), _ends(new, whole.new_start)
    # Without autojunk: a frequent line or token is as good an anchor as any other here.
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            deleted, inserted = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
            yield Edit(old_ends[old_from], deleted, new_ends[new_from], inserted)


def _ends(parts: list[str], start: int) -> list[int]:
    """Where each part begins, and where the last one ends."""
    ends = [start]
    for part in parts:
        ends.append(ends[-1] + len(part))
    return ends
