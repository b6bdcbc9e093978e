"""One edit from request to outcome: the one way behind the window and the command line.

    request -> context -> frame -> client.stream -> AnswerWriter -> (merging) -> checks -> (one more turn) -> outcome

`run_edit` yields events as they come; the last is `Finished`. Closing the generator closes the connection.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from redraft.api.services import Prompts
from redraft.core.answer.pipeline import NoteKind
from redraft.core.errors import AnswerError
from redraft.core.llm.client import ChatClient
from redraft_inline_edit.answer.no_change import says_nothing_to_change
from redraft_inline_edit.answer.rewriting import with_the_rest
from redraft_inline_edit.context import build_context
from redraft_inline_edit.events import (
    EditEvent,
    EditOutcome,
    EditState,
    Finished,
    Prepared,
    Progressed,
    RepairStarted,
)
from redraft_inline_edit.framing import frame, repair, resume
from redraft_inline_edit.merging import MergedTurn
from redraft_inline_edit.options import DEFAULT_OPTIONS, EditOptions
from redraft_inline_edit.presets.preset import PROSE
from redraft_inline_edit.request import EditRequest
from redraft_inline_edit.turn import Clock, Turn, asks_for_less, checked

SOME: Final = 5
"""How many lines a complaint names."""


async def run_edit(
    request: EditRequest,
    client: ChatClient,
    prompts: Prompts,
    options: EditOptions = DEFAULT_OPTIONS,
    *,
    so_far: str = "",
    clock: Clock = time.monotonic,
) -> AsyncGenerator[EditEvent, None]:
    """Ask a model for an edit, and yield what happens.

    Args:
        request: What is asked.
        client: Whom to ask.
        prompts: The templates.
        options: Limits and temperature.
        so_far: The code of an answer that was cut off; the model goes on behind it.
        clock: Seconds, for the numbers.

    Raises:
        ContextTooLong: The request does not fit into the model; nothing was sent.
        PromptError: A template is at fault; nothing was sent.
    """
    context = build_context(request, client.info, options.limits)
    in_full = replace(options, sketch_lines=0)
    framed = frame(request, context, prompts, client.capabilities, options if options.applier else in_full)
    if so_far:
        framed = resume(framed, so_far, prompts, client.capabilities)
    yield Prepared(framed.tokens, context.is_file_cut, context.cut_attachments, client.info)
    turn = Turn(request, framed, client, clock, so_far)
    first = MergedTurn(turn, request, options.applier, prompts, clock) if options.applier else turn
    async with aclosing(first.run()) as events:
        async for event in events:
            yield event
    outcome = first.outcome()
    if framed.marker:
        framed = frame(request, context, prompts, client.capabilities, in_full)
    for _ in range(options.repairs if not so_far else 0):
        complaint = complaint_about(outcome)
        if not complaint:
            break
        yield RepairStarted(complaint, outcome)
        second = Turn(request, repair(framed, outcome.code, complaint, prompts), client, clock)
        async with aclosing(second.run()) as events:
            async for event in events:
                if not isinstance(event, Progressed):
                    yield event
        outcome = better(outcome, second.outcome())
    yield Finished(_in_place(outcome, request))


def complaint_about(outcome: EditOutcome) -> str:
    """What to tell the model about an answer that failed a check; empty where all is well or nothing helps."""
    if outcome.state is EditState.UNCHANGED and says_nothing_to_change(outcome.words):
        return ""
    if outcome.state is EditState.UNCHANGED:
        return "It is the same text as before; nothing was changed."
    if outcome.state is EditState.FAILED and isinstance(outcome.error, AnswerError) and not outcome.words:
        return "It has no code."
    if outcome.state is not EditState.COMPLETED:
        return ""
    complaints = [f"With it the file does not parse: {outcome.syntax_error}."] if outcome.syntax_error else []
    complaints += [
        f"“{'”, “'.join(note.details)}” stands where code was left out; write that code."
        for note in outcome.notes
        if note.kind is NoteKind.PLACEHOLDER
    ]
    complaints += [
        f"{note.text} Write out all of the selection, from “{_first_line(outcome.original)}” on."
        for note in outcome.notes
        if note.kind is NoteKind.PARTIAL
    ]
    complaints += [
        f"Lines are missing that were to stay: “{'”, “'.join(note.details[:SOME])}”."
        for note in outcome.notes
        if note.kind is NoteKind.LOST
    ]
    return " ".join(complaints)


def better(first: EditOutcome, second: EditOutcome) -> EditOutcome:
    """The outcome to keep: the second one if it is whole and has fewer faults; the time of both counts."""
    is_better = second.state is EditState.COMPLETED and (
        first.state is not EditState.COMPLETED or second.faults < first.faults
    )
    kept = second if is_better else first
    return replace(kept, numbers=first.numbers.plus(second.numbers), repaired=is_better)


def _in_place(outcome: EditOutcome, request: EditRequest) -> EditOutcome:
    """The last answer: where it is a part of a text for people, and less was not asked for, the other lines stay."""
    may_be_less = request.file.language_id not in PROSE or asks_for_less(request)
    whole = outcome if may_be_less else with_the_rest(outcome)
    return outcome if whole is outcome else checked(whole, request)


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0].strip()
