"""Is a predicted edit good enough to be shown? Each is looked at by itself, before anybody sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.core.answer.hidden import introduced_hidden
from redraft.core.diff.common_ends import common_head, common_tail
from redraft.core.diff.predicted import PredictedEdit
from redraft.core.errors import AnswerError
from redraft.core.review.loose_patch import make_hunks
from redraft.core.review.metrics.kept_rate import kept_rate
from redraft.core.review.metrics.reversal import Reversal, reversal
from redraft.core.review.signals import is_wrong_editable_region, removes_most
from redraft.core.review.teacher import refuse_sentinels
from redraft.core.text import TextIndex, split_lines

REVERSAL_LIMIT: Final = 0.5
"""Half of an edit undoing what the user has just done is too much, where nobody asked for it."""

KEPT_LIMIT: Final = 0.5
"""The share of the user's latest edit that must outlive a prediction."""

OUT_OF_STEP: Final = "looks out of step with the text"
LARGEST: Final = 20_000
"""Characters between the latest edit and a predicted one above which they have nothing to do with each other."""


@dataclass(frozen=True, slots=True)
class Held:
    """An edit that is not shown, and why: words for the user without any code."""

    edit: PredictedEdit
    reason: str
    undoes: float = 0.0
    """Its reversal ratio."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be shown, and what is held back."""

    edits: tuple[PredictedEdit, ...] = ()
    held: tuple[Held, ...] = ()


def review(before: str | None, text: str, edits: Sequence[PredictedEdit]) -> Verdict:
    """Look at the edits of one answer.

    Args:
        before: The text before the user's latest edit; `None` where that was in another file.
        text: The text they are about.
        edits: In order.
    """
    good: list[PredictedEdit] = []
    held: list[Held] = []
    index = TextIndex(text)
    for edit in edits:
        reason, undoes = _fault(before, index, edit)
        if reason:
            held.append(Held(edit, reason, undoes))
        else:
            good.append(edit)
    return Verdict(tuple(good), tuple(held))


def _fault(before: str | None, index: TextIndex, edit: PredictedEdit) -> tuple[str, float]:
    """Why an edit is not shown, or nothing; and how much of it undoes the latest edit."""
    reason = _fault_of_text(index, edit) or _fault_of_patch(_patch(index, edit))
    return (reason, 0.0) if reason else _against_latest(before, index.text, edit)


def _fault_of_text(index: TextIndex, edit: PredictedEdit) -> str:
    if introduced_hidden(edit.added, edit.removed):
        return "holds hidden characters"
    if not edit.added.strip() and not edit.removed.strip():
        return "changes nothing but blanks"
    row = _repeated_row(index, edit)
    return f"repeats line {row + 1}" if row is not None else ""


def _fault_of_patch(patch: str) -> str:
    try:
        refuse_sentinels(patch)
    except AnswerError:
        return "holds words of the prompt"
    if removes_most(patch):
        return "removes most of its place"
    return OUT_OF_STEP if is_wrong_editable_region(patch) else ""


def _against_latest(before: str | None, text: str, edit: PredictedEdit) -> tuple[str, float]:
    window = _window(before, text, edit) if before is not None else None
    if window is None:
        return "", 0.0
    found: Reversal = reversal(*window)
    if found.ratio > REVERSAL_LIMIT:
        return "takes back your last edit", found.ratio
    # What only adds lets everything stand; a half-typed name that is completed counts as another word, though.
    if edit.removed and kept_rate(*window).kept_rate < KEPT_LIMIT:
        return "drops what you have just written", found.ratio
    return "", found.ratio


def _window(before: str, text: str, edit: PredictedEdit) -> tuple[str, str, str] | None:
    """The rows in which the three texts differ: before the latest edit, as it is, and as predicted."""
    head = min(common_head(before, text), edit.start)
    tail = min(common_tail(before, text), len(text) - edit.end, min(len(before), len(text)) - head)
    start = text.rfind("\n", 0, head) + 1
    end = text.find("\n", len(text) - tail)
    tail = len(text) - (len(text) if end < 0 else end + 1)
    if len(text) - tail - start > LARGEST or len(before) - tail - start > LARGEST:
        return None
    predicted = text[: edit.start] + edit.added + text[edit.end :]
    return before[start : len(before) - tail], text[start : len(text) - tail], predicted[start : len(predicted) - tail]


def _repeated_row(index: TextIndex, edit: PredictedEdit) -> int | None:
    """The first row of those right before or behind an insertion that it repeats as a whole."""
    wanted = [row.strip() for row in split_lines(edit.added.strip("\r\n"))]
    if not edit.is_insertion or not any(char.isalnum() for char in edit.added):
        return None
    row = index.line_at(edit.start)
    column = edit.start - index.line_range(row).start
    is_whole = column == 0 and edit.added.endswith(("\n", "\r"))
    is_after = edit.added.startswith(("\n", "\r")) and edit.start == index.line_range(row, with_end=False).end
    if not is_whole and not is_after:
        return None
    below = row if is_whole else row + 1
    for start in _next_to(index, below, len(wanted)):
        if start >= 0 and start + len(wanted) <= index.line_count and _rows(index, start, len(wanted)) == wanted:
            return start
    return None


def _next_to(index: TextIndex, row: int, count: int) -> tuple[int, int]:
    """Where so many rows begin that stand right below a place, and right above it, blank rows passed over."""
    below, above = row, row
    while below < index.line_count - 1 and not _rows(index, below, 1)[0]:
        below += 1
    while above > 0 and not _rows(index, above - 1, 1)[0]:
        above -= 1
    return below, above - count


def _rows(index: TextIndex, start: int, count: int) -> list[str]:
    return [index.line_range(row).of(index.text).strip() for row in range(start, start + count)]


def _patch(index: TextIndex, edit: PredictedEdit) -> str:
    """The edit as a patch of its whole lines, with two more at either side."""
    first = max(index.line_at(edit.start) - 2, 0)
    last = min(index.line_at(edit.end) + 2, index.line_count - 1)
    span = index.lines_range(first, last)
    old = span.of(index.text)
    new = old[: edit.start - span.start] + edit.added + old[edit.end - span.start :]
    old, new = (side.replace("\r\n", "\n") for side in (old, new))
    return f"--- a/x\n+++ b/x\n{make_hunks(old, new, context=2, first_row=first)}"
