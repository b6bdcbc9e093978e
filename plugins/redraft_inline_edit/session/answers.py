"""The answers of one edit: those to choose from, the one that is shown, and the last failure."""

from __future__ import annotations

from dataclasses import replace

from redraft.core.diff.hunks import apply_hunks
from redraft.core.errors import RedraftError
from redraft.core.text import split_lines
from redraft_inline_edit.answer.writing import UNTOUCHED
from redraft_inline_edit.events import EditOutcome, EditState, Numbers
from redraft_inline_edit.proposal.view import ProposalView
from redraft_inline_edit.request import EditRequest
from redraft_inline_edit.session.model_run import ModelRun


class Answers:
    """What came of the runs of one edit, in their order."""

    def __init__(self) -> None:
        self.all: list[EditOutcome] = []
        self.failure: EditOutcome | None = None
        self._shown = 0

    @property
    def shown(self) -> EditOutcome | None:
        """The answer that is shown."""
        return self.all[self._shown] if self.all else None

    @property
    def position(self) -> tuple[int, int]:
        """Which answer is shown, from 1, of how many."""
        return self._shown + 1, len(self.all)

    def add(self, outcome: EditOutcome) -> None:
        """A new answer, which is shown from now on."""
        self.all.append(outcome)
        self._shown = len(self.all) - 1

    def replace(self, outcome: EditOutcome) -> None:
        """Another form of the answer that is shown."""
        self.all[self._shown] = outcome

    def step(self, step: int) -> EditOutcome:
        """Show an earlier or later one; behind the last comes the first."""
        self._shown = (self._shown + step) % len(self.all)
        return self.all[self._shown]


def failed_outcome(request: EditRequest, error: RedraftError | None, numbers: Numbers) -> EditOutcome:
    """What a run leaves of which nothing can be used."""
    original = request.original
    return EditOutcome(
        EditState.FAILED, request.target.lines, original, original, UNTOUCHED, error=error, numbers=numbers
    )


def stopped_outcome(run: ModelRun) -> EditOutcome:
    """What a stopped run leaves: the lines that came; those never reached stay as they are."""
    progress = replace(run.progress, partial="", is_final=True) if run.progress is not None else None
    outcome = failed_outcome(run.request, None, run.numbers)
    if progress is not None:
        proposed = "".join(apply_hunks(split_lines(outcome.original), progress.hunks))
        outcome = replace(outcome, progress=progress, proposed=proposed)
    return replace(outcome, state=EditState.STOPPED, model=run.model)


def in_words(outcome: EditOutcome, view: ProposalView) -> str:
    """What is said when an answer is whole, or cut off."""
    match outcome.state:
        case EditState.COMPLETED:
            return f"Done: {view.in_words}."
        case EditState.STOPPED:
            return f"Stopped: {view.in_words}." if view.open_hunks else "Stopped."
        case EditState.UNCHANGED:
            return "The model proposes no change."
        case EditState.ANSWERED:
            return outcome.words
        case _:
            return str(outcome.error)
