"""What the command line prints: the result on standard output, progress and complaints on standard error."""

from __future__ import annotations

import json
import secrets
import string
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal

import typer
from rich.console import Console
from rich.status import Status

from redraft.core.answer.pipeline import NoteKind
from redraft.core.diff.hunks import DiffProgress, apply_hunks
from redraft.core.diff.patch import make_patch, render_patch
from redraft.core.diff.preview import render_preview
from redraft.core.errors import AnswerError
from redraft.core.text import TextIndex, apply_edits, split_lines
from redraft_inline_edit.answer.writing import has_note
from redraft_inline_edit.events import (
    EditEvent,
    EditOutcome,
    EditState,
    MergeStarted,
    Prepared,
    Progressed,
    RepairStarted,
    RetryAhead,
    Thought,
)
from redraft_inline_edit.request import EditRequest

LETTERS: Final = string.ascii_letters + string.digits


class OutputFormat(StrEnum):
    """What goes to standard output."""

    DIFF = "diff"
    """A unified diff of the file."""
    JSON = "json"
    """One object with all that is known."""
    TEXT = "text"
    """The new text of the lines."""
    PREVIEW = "preview"
    """The running edit with its markers, again at each new line."""


def complain(sentence: str) -> None:
    """Say what went wrong."""
    typer.echo(f"redraft edit: {sentence}", err=True)


class Reporter:
    """Tells the course of one edit.

    Args:
        output: What goes to standard output.
        path: The file, as it was named.
        request: What was asked.
    """

    def __init__(self, output: OutputFormat, path: Path, request: EditRequest) -> None:
        self._output = output
        self._path = path
        self._request = request
        self._old_lines = split_lines(request.original)
        # The protocol's own prefix, by which its other tools know a header.
        self._edit_id = "tabby-" + "".join(secrets.choice(LETTERS) for _ in range(6))
        self._printed = -1
        console = Console(stderr=True, highlight=False)
        self._status: Status | None = console.status("") if console.is_terminal else None

    def tell(self, event: EditEvent) -> None:
        """Show where the edit is."""
        match event:
            case Prepared(tokens, is_file_cut, cut_attachments, model):
                self._say(f"{model.name}: waiting for the first token, about {tokens:,} sent")
                cut = [*(["the file around the lines"] if is_file_cut else []), *cut_attachments]
                if self._output is OutputFormat.PREVIEW:
                    self._print_preview("", "editing", "")
                if cut:
                    self._note(f"Cut to fit the model: {', '.join(cut)}.")
            case Progressed(progress, received):
                added, removed = progress.counts
                self._say(f"writing, +{added} -{removed}, about {received:,} tokens", is_step=True)
                self._preview(progress)
            case Thought():
                self._say("thinking", is_step=True)
            case RetryAhead(attempt, attempts, delay, reason):
                self._say(f"{reason} Try {attempt} of {attempts} in {delay:.0f} s.")
            case RepairStarted(complaint):
                self._say(f"the answer goes back to the model: {complaint}")
            case MergeStarted(model, tokens):
                self._say(f"{model.name} merges the answer into the text, about {tokens:,} sent")
            case _:
                pass

    def finish(self, outcome: EditOutcome) -> None:
        """Print the result, and on standard error what the user should know of it."""
        if self._status is not None:
            self._status.stop()
        match self._output:
            case OutputFormat.JSON:
                typer.echo(json.dumps(self._as_json(outcome), ensure_ascii=False, indent=2))
            case OutputFormat.PREVIEW:
                self._print_preview(outcome.proposed, _preview_state(outcome.state), outcome.words)
            case _ if outcome.state is EditState.ANSWERED:
                typer.echo(outcome.words.strip())
            case _ if outcome.state not in {EditState.COMPLETED, EditState.INCOMPLETE}:
                pass
            case OutputFormat.TEXT:
                typer.echo(outcome.proposed, nl=False)
            case OutputFormat.DIFF:
                typer.echo(self._patch(outcome), nl=False)
        self._explain(outcome)

    def _explain(self, outcome: EditOutcome) -> None:
        for note in outcome.notes:
            self._note(note.text)
        if outcome.syntax_error:
            self._note(f"With this the file does not parse: {outcome.syntax_error}.")
        if outcome.error is not None:
            complain(str(outcome.error))
        elif outcome.state is EditState.UNCHANGED and not has_note(outcome.notes, NoteKind.UNCHANGED):
            self._note("The model proposes no change.")
        has_words = isinstance(outcome.error, AnswerError) or outcome.state is EditState.UNCHANGED
        if has_words and outcome.words.strip():
            self._note(outcome.words.strip())

    def _as_json(self, outcome: EditOutcome) -> dict[str, Any]:
        index = TextIndex(self._request.text)
        first = index.line_at(outcome.lines.start) + 1
        return {
            "state": outcome.state.value,
            "file": str(self._path),
            "start_line": first,
            "end_line": first + len(split_lines(outcome.original)) - 1,
            "original": outcome.original,
            "text": outcome.proposed,
            "diff": self._patch(outcome),
            "words": outcome.words,
            "notes": [asdict(note) for note in outcome.notes],
            "syntax_error": outcome.syntax_error or None,
            "repaired": outcome.repaired,
            "merged_by": outcome.merged_by.name if outcome.merged_by else None,
            "stop_reason": outcome.reason.value if outcome.reason else None,
            "error": str(outcome.error) if outcome.error else None,
            "model": outcome.model.name if outcome.model else None,
            "numbers": asdict(outcome.numbers),
        }

    def _patch(self, outcome: EditOutcome) -> str:
        new = apply_edits(self._request.text, [outcome.edit])
        name = self._path.as_posix().removeprefix("/")
        return render_patch(make_patch(self._request.text, new, old_path=name, new_path=name))

    def _preview(self, progress: DiffProgress) -> None:
        # The protocol shows whole lines: a new state is due when one more has come.
        size = sum(len(hunk.new_lines) for hunk in progress.hunks) + progress.frontier
        if self._output is not OutputFormat.PREVIEW or size == self._printed:
            return
        self._printed = size
        reached = self._old_lines[: progress.frontier]
        self._print_preview("".join(apply_hunks(reached, progress.hunks)), "editing", "")

    def _print_preview(self, edited: str, state: Literal["editing", "stopped", "completed"], words: str) -> None:
        preview = render_preview(
            self._request.original,
            edited,
            state=state,
            comments=words,
            language_id=self._request.file.language_id,
            edit_id=self._edit_id,
        )
        typer.echo("\n".join((preview.header, *preview.lines)))

    def _say(self, text: str, *, is_step: bool = False) -> None:
        if self._status is not None:
            self._status.update(text)
            self._status.start()
        elif not is_step:
            typer.echo(text, err=True)

    def _note(self, text: str) -> None:
        typer.echo(text, err=True)


def _preview_state(state: EditState) -> Literal["editing", "stopped", "completed"]:
    return "completed" if state in {EditState.COMPLETED, EditState.UNCHANGED} else "stopped"
