"""An answer that was changed after it came, by hand or without the characters that hide in it; or came back."""

from __future__ import annotations

from dataclasses import replace

from redraft.core.answer.hidden import introduced_hidden
from redraft.core.answer.pipeline import NoteKind, hidden_note
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import TextRange, split_lines
from redraft_inline_edit.events import EditOutcome, EditState


def rewritten(outcome: EditOutcome, proposed: str) -> EditOutcome:
    """The same answer with another text; notes about what is not in it any more are left out."""
    diff = StreamingDiff(split_lines(outcome.original))
    diff.push_all(split_lines(proposed))
    notes = [note for note in outcome.notes if note.kind is not NoteKind.HIDDEN]
    if hidden := hidden_note(proposed, outcome.original):
        notes.append(hidden)
    return replace(outcome, proposed=proposed, progress=diff.finish(), notes=tuple(notes))


def recovered(start: int, original: str, proposed: str) -> EditOutcome:
    """The outcome of an edit that outlived a crash."""
    lines = TextRange(start, start + len(original))
    return rewritten(EditOutcome(EditState.COMPLETED, lines, original, proposed, DiffProgress((), 0)), proposed)


def without_hidden(outcome: EditOutcome) -> EditOutcome:
    """The same answer without the hidden characters it brought."""
    places = {found.offset for found in introduced_hidden(outcome.proposed, outcome.original)}
    return rewritten(outcome, "".join(char for place, char in enumerate(outcome.proposed) if place not in places))
