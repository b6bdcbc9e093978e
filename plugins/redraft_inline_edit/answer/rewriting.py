"""An answer that was changed after it came, by hand or without the characters that hide in it; or came back."""

from __future__ import annotations

from dataclasses import replace

from redraft.core.answer.hidden import introduced_hidden
from redraft.core.answer.partial import covered_part
from redraft.core.answer.pipeline import Note, NoteKind, hidden_note
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.lines import whole_diff
from redraft.core.text import TextRange, split_lines, without_end
from redraft_inline_edit.events import EditOutcome, EditState


def rewritten(outcome: EditOutcome, proposed: str) -> EditOutcome:
    """The same answer with another text; notes about what is not in it any more are left out."""
    notes = [note for note in outcome.notes if note.kind is not NoteKind.HIDDEN]
    if hidden := hidden_note(proposed, outcome.original):
        notes.append(hidden)
    return replace(outcome, proposed=proposed, progress=whole_diff(outcome.original, proposed), notes=tuple(notes))


def recovered(start: int, original: str, proposed: str) -> EditOutcome:
    """The outcome of an edit that outlived a crash."""
    lines = TextRange(start, start + len(original))
    return rewritten(EditOutcome(EditState.COMPLETED, lines, original, proposed, DiffProgress((), 0)), proposed)


def without_hidden(outcome: EditOutcome) -> EditOutcome:
    """The same answer without the hidden characters it brought."""
    places = {found.offset for found in introduced_hidden(outcome.proposed, outcome.original)}
    return rewritten(outcome, "".join(char for place, char in enumerate(outcome.proposed) if place not in places))


def with_the_rest(outcome: EditOutcome) -> EditOutcome:
    """An answer for lines in the middle of the selection, in their place: the lines it never reached stay."""
    old, new = split_lines(outcome.original), [without_end(line) for line in split_lines(outcome.proposed)]
    part = covered_part(new, [without_end(line) for line in old])
    if part is None:
        return outcome
    end = old[part.start][len(without_end(old[part.start])) :]
    placed = [line + end for line in new]
    whole = rewritten(outcome, "".join([*old[: part.start], *placed, *old[part.stop :]]))
    sentence = f"The answer holds only lines {part.start + 1} to {part.stop} of the selection; the others stay."
    notes = (note for note in whole.notes if note.kind is not NoteKind.PARTIAL)
    return replace(whole, notes=(*notes, Note(NoteKind.PARTIAL, sentence, len(old) - len(part))))
