"""An answer that leaves out what stays, merged into the text by a model made for that.

turn ──whole text──────────────────────────────> outcome
  └──sketch──> the merging model ──whole text──> outcome, checked like every other
                      └──no usable answer──> the sketch, which goes back to the model that wrote it
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from redraft.api.services import Prompts
from redraft.core.answer.pipeline import Note, NoteKind
from redraft.core.answer.tags import TagPair
from redraft.core.diff.hunks import apply_hunks
from redraft.core.errors import RedraftError
from redraft.core.llm.client import ModelInfo
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role
from redraft.core.text import split_lines
from redraft_inline_edit.answer.sketch import Gap, lost_lines
from redraft_inline_edit.answer.writing import has_note
from redraft_inline_edit.applier import Applier
from redraft_inline_edit.context import ROOM_FOR_ANSWER, estimate_tokens
from redraft_inline_edit.events import EditEvent, EditOutcome, EditState, MergeStarted, Numbers, Progressed
from redraft_inline_edit.framing import FramedRequest, instruction_of
from redraft_inline_edit.request import EditRequest
from redraft_inline_edit.turn import Clock, Turn

FORM: Final = ("<code>", "</code>", "<update>", "</update>", "<instruction>", "</instruction>")
"""Marks that these models know; a text with one of them cannot be told from its frame."""
ANSWER: Final = TagPair.named("updated-code")
"""Marks that some of them put around their answer."""


class MergedTurn:
    """One question and its answer, as `Turn`, with a second model that merges an answer with gaps.

    Args:
        turn: The question.
        request: What it is about.
        applier: The model that merges.
        prompts: The templates.
        clock: Seconds.
    """

    def __init__(self, turn: Turn, request: EditRequest, applier: Applier, prompts: Prompts, clock: Clock) -> None:
        self._turn = turn
        self._request = request
        self._applier = applier
        self._prompts = prompts
        self._clock = clock
        self._gap = Gap(request.original)
        self._outcome: EditOutcome | None = None

    async def run(self) -> AsyncGenerator[EditEvent, None]:
        """Stream the answer up to its first gap, and the merged text after that."""
        async with aclosing(self._turn.run()) as events:
            async for event in events:
                if isinstance(event, Progressed):
                    event = replace(event, progress=self._gap.take(event.progress))  # noqa: PLW2901 - the same event
                yield event
        sketch = self._outcome = self._without_gap(self._turn.outcome())
        framed = merge_request(self._request, sketch, self._applier.info, self._prompts)
        if framed is None:
            return
        yield MergeStarted(self._applier.info, framed.tokens)
        try:
            client = await self._applier.open()
        except RedraftError as error:
            self._outcome = self._not_merged(sketch, error)
            return
        second = Turn(self._request, framed, client, self._clock)
        async with aclosing(second.run()) as events:
            async for event in events:
                yield event
        self._outcome = self._merged(sketch, second.outcome())

    def outcome(self) -> EditOutcome:
        """How it ended."""
        return self._outcome or self._turn.outcome()

    def _without_gap(self, outcome: EditOutcome) -> EditOutcome:
        """An answer that was cut off behind a gap ends there: what it leaves out stays."""
        if outcome.state is not EditState.INCOMPLETE or not has_note(outcome.notes, NoteKind.PLACEHOLDER):
            return outcome
        progress = replace(self._gap.progress, partial="", is_final=True)
        proposed = "".join(apply_hunks(split_lines(outcome.original), progress.hunks))
        return replace(outcome, proposed=proposed, progress=progress, notes=())

    def _merged(self, sketch: EditOutcome, merged: EditOutcome) -> EditOutcome:
        if merged.state is EditState.FAILED:
            return self._not_merged(sketch, merged.error, merged.numbers)
        notes = [*merged.notes, *(note for note in sketch.notes if note.kind is NoteKind.NEEDS_IMPORT)]
        if merged.state is EditState.COMPLETED and (note := self._lost(sketch, merged)):
            notes.append(note)
        return replace(
            merged,
            words=sketch.words or merged.words,
            thoughts=sketch.thoughts + merged.thoughts,
            notes=tuple(notes),
            numbers=sketch.numbers.plus(merged.numbers),
            model=sketch.model,
            merged_by=self._applier.info,
        )

    def _lost(self, sketch: EditOutcome, merged: EditOutcome) -> Note | None:
        lines = lost_lines(sketch.original, sketch.proposed, merged.proposed)
        if not lines:
            return None
        count = "One line that stays in the answer is" if len(lines) == 1 else f"{len(lines)} lines that stay are"
        sentence = f"{count} missing after merging: {lines[0]}"
        return Note(NoteKind.LOST, sentence, len(lines), tuple(lines), blocks_accept=True)

    def _not_merged(
        self, sketch: EditOutcome, error: RedraftError | None, numbers: Numbers | None = None
    ) -> EditOutcome:
        why = f": {error}" if error is not None else "."
        note = Note(NoteKind.NOT_MERGED, f"{self._applier.info.name} could not merge the answer{why}", 1)
        spent = sketch.numbers if numbers is None else sketch.numbers.plus(numbers)
        return replace(sketch, notes=(*sketch.notes, note), numbers=spent)


def merge_request(
    request: EditRequest, sketch: EditOutcome, model: ModelInfo, prompts: Prompts
) -> FramedRequest | None:
    """A sketch as merging models take it; `None` where the answer is none, or cannot be put so."""
    if sketch.state is not EditState.COMPLETED or not has_note(sketch.notes, NoteKind.PLACEHOLDER):
        return None
    old, new = (text.replace("\r\n", "\n") for text in (sketch.original, sketch.proposed))
    command = instruction_of(request)
    if any(mark in part for mark in FORM for part in (old, new, command)):
        return None
    words = prompts.render("apply", command=command, document=old, update=new).strip()
    tokens = estimate_tokens(words)
    answer = estimate_tokens(old) + estimate_tokens(new) + ROOM_FOR_ANSWER
    too_long = model.context_tokens and tokens + answer - ROOM_FOR_ANSWER > model.context_tokens
    if too_long or (model.max_output_tokens and estimate_tokens(old) > model.max_output_tokens):
        return None
    limit = min(answer, model.max_output_tokens) if model.max_output_tokens else answer
    if model.context_tokens:
        limit = min(limit, model.context_tokens - tokens)
    chat = ChatRequest((ChatMessage(Role.USER, words),), max_tokens=limit, temperature=0.0)
    return FramedRequest(chat, ANSWER.fresh(old + new), tokens, is_bare=True)
