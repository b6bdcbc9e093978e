"""One question to a model and its answer: events while it comes, and what to make of it in the end."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from redraft.core.answer.pipeline import Note, NoteKind
from redraft.core.diff.lines import whole_diff
from redraft.core.errors import AnswerError, ModelError, RedraftError
from redraft.core.llm.client import ChatClient, ModelInfo
from redraft.core.llm.messages import (
    ReasoningDelta,
    RetryScheduled,
    Stop,
    StopReason,
    StreamEvent,
    TextDelta,
    Usage,
)
from redraft.core.text import split_lines
from redraft_inline_edit.answer.checks import LONGEST, can_check, nearby, new_syntax_error
from redraft_inline_edit.answer.seams import mend_seam
from redraft_inline_edit.answer.writing import UNTOUCHED, AnswerForm, AnswerWriter, Written, has_note
from redraft_inline_edit.context import estimate_tokens
from redraft_inline_edit.events import (
    Counted,
    EditEvent,
    EditOutcome,
    EditState,
    Numbers,
    Progressed,
    RetryAhead,
    Said,
    Thought,
)
from redraft_inline_edit.framing import FramedRequest
from redraft_inline_edit.request import EditRequest

Clock = Callable[[], float]

REMOVAL: Final = re.compile(r"(?i)\b(?:delete|remove|drop|erase|cut|clear|empty)\b")
"""An instruction that may well be answered with nothing."""
SHORTENING: Final = re.compile(r"(?i)\b(?:only|keep|shorten|shorter|simplify|extract|strip|reduce|summari[sz]e)\b")
"""An instruction that may well be answered with a part of the selection."""


class Turn:
    """One question and its answer.

    Args:
        request: What is asked.
        framed: The same in the model's terms.
        client: Whom to ask.
        clock: Seconds.
        so_far: Code the answer goes on behind.
    """

    def __init__(
        self, request: EditRequest, framed: FramedRequest, client: ChatClient, clock: Clock, so_far: str = ""
    ) -> None:
        self._request = request
        self._framed = framed
        self._client = client
        self._clock = clock
        form = AnswerForm(
            framed.tag,
            framed.comment,
            is_prefilled=bool(framed.chat.prefill),
            stops_at_close=bool(framed.chat.stop),
            is_bare=framed.is_bare,
        )
        self._writer = AnswerWriter(request, form, so_far)
        self._reason: StopReason | None = None
        self._error: ModelError | None = None
        self._usage: Usage | None = None
        self._thoughts = ""
        self._received = 0
        self._started = clock()
        self._first: float | None = None
        self._ended = self._started

    async def run(self) -> AsyncGenerator[EditEvent, None]:
        """Stream the answer; an error ends it, and stands in the outcome."""
        try:
            async with _closing(self._client.stream(self._framed.chat)) as events:
                async for event in events:
                    for told in self._take(event):
                        yield told
        except ModelError as error:
            self._error = error
        self._ended = self._clock()

    def outcome(self) -> EditOutcome:
        """How the turn ended."""
        reason = self._reason or StopReason.DISCONNECTED
        is_whole = reason.is_complete and self._error is None
        written = self._writer.close(is_complete=is_whole)
        outcome = EditOutcome(
            EditState.COMPLETED,
            self._request.target.lines,
            self._request.original,
            written.proposed,
            written.progress,
            code=written.code or "",
            words=written.words,
            thoughts=self._thoughts + written.thoughts,
            notes=written.notes,
            reason=reason,
            error=self._error,
            numbers=self._numbers(),
            model=self._client.info,
        )
        return self._judged(outcome, written) if is_whole else _cut_off(outcome, written)

    def _take(self, event: StreamEvent) -> list[EditEvent]:
        match event:
            case TextDelta(text):
                self._note_first()
                self._received += estimate_tokens(text)
                return self._written(text)
            case ReasoningDelta(text):
                self._note_first()
                self._thoughts += text
                return [Thought(text)]
            case Usage():
                self._usage = event
                return [Counted(event)]
            case RetryScheduled(attempt, attempts, delay, reason):
                return [RetryAhead(attempt, attempts, delay, reason)]
            case Stop(reason):
                self._reason = reason
                return []

    def _written(self, text: str) -> list[EditEvent]:
        piece = self._writer.feed(text)
        events: list[EditEvent] = []
        if piece.thoughts:
            events.append(Thought(piece.thoughts))
        if piece.words:
            events.append(Said(piece.words))
        if piece.progress is not None:
            events.append(Progressed(piece.progress, self._received))
        return events

    def _note_first(self) -> None:
        if self._first is None:
            self._first = self._clock() - self._started

    def _judged(self, outcome: EditOutcome, written: Written) -> EditOutcome:
        """A whole answer: is there code in it, and does it change anything?"""
        request = self._request
        if request.is_question:
            return replace(outcome, state=EditState.ANSWERED)
        is_empty = has_note(written.notes, NoteKind.EMPTY) and not REMOVAL.search(request.command)
        if written.code is None or is_empty:
            return _failed(outcome, AnswerError(_no_code(outcome), words=outcome.words))
        if outcome.proposed == outcome.original:
            return replace(outcome, state=EditState.UNCHANGED)
        result = checked(outcome, request)
        if result.syntax_error and is_only_moved(outcome.original, outcome.proposed):
            # Lines copied to the margin: the model changed nothing, and lost their place.
            return replace(outcome, state=EditState.UNCHANGED, proposed=outcome.original, progress=UNTOUCHED)
        return result

    def _numbers(self) -> Numbers:
        usage = self._usage or Usage(self._framed.tokens, self._received)
        return Numbers(
            sent_tokens=usage.input_tokens,
            received_tokens=usage.output_tokens,
            cached_tokens=usage.cached_tokens,
            first_token=self._first,
            total=self._ended - self._started,
            cost=_cost(usage, self._client.info),
        )


def is_only_moved(original: str, proposed: str) -> bool:
    """Whether two texts differ in the indentation of their lines alone."""
    return [line.strip() for line in split_lines(original)] == [line.strip() for line in split_lines(proposed)]


def checked(outcome: EditOutcome, request: EditRequest) -> EditOutcome:
    """Whether the file still parses; where a comma at the seam is all that is missing, it is mended."""
    language_id, before = request.file.language_id, request.text[: outcome.lines.start]
    head, tail = nearby(before, request.after, language_id)
    longest = max(map(len, (outcome.original, outcome.proposed)))
    if not can_check(language_id) or (len(head) + longest + len(tail) > 2 * LONGEST and language_id != "json"):
        return outcome
    broken = new_syntax_error(head + outcome.original + tail, head + outcome.proposed + tail, language_id)
    broken = _moved(broken, before[: len(before) - len(head)].count("\n"))
    mended = mend_seam(head, outcome.proposed, tail, language_id) if broken else None
    if mended is None:
        return replace(outcome, syntax_error=broken, is_checked=True)
    note = Note(NoteKind.MENDED, "The comma at the end was mended; without that the file would not parse.", 1)
    return replace(
        outcome,
        proposed=mended,
        progress=whole_diff(outcome.original, mended),
        notes=(*outcome.notes, note),
        is_checked=True,
    )


def _moved(fault: str, lines: int) -> str:
    """A fault, `line 3: ...`, that is so many lines further down in the file."""
    place, _, message = fault.removeprefix("line ").partition(": ")
    return f"line {int(place) + lines}: {message}" if fault else ""


def _cut_off(outcome: EditOutcome, written: Written) -> EditOutcome:
    """An answer that did not come whole: what came can be kept, what never came stays as it was."""
    error = outcome.error or AnswerError(_why_cut_off(outcome, written), words=outcome.words)
    if written.code is None:
        return _failed(outcome, error)
    return replace(outcome, state=EditState.INCOMPLETE, error=error)


def _failed(outcome: EditOutcome, error: RedraftError) -> EditOutcome:
    return replace(outcome, state=EditState.FAILED, error=error, proposed=outcome.original, progress=UNTOUCHED)


def _why_cut_off(outcome: EditOutcome, written: Written) -> str:
    match outcome.reason:
        case StopReason.LENGTH if written.ended_thinking or (outcome.thoughts and not outcome.code):
            return "The model used its whole output limit for thinking; raise the limit, or choose another model."
        case StopReason.LENGTH:
            tokens = outcome.numbers.received_tokens
            return f"The answer was cut off at the limit of {tokens:,} tokens; select less, or raise the model's limit."
        case StopReason.CONTENT_FILTER:
            return "The provider withheld the rest of the answer; put the instruction differently."
        case _:
            return "The connection ended before the answer was complete; try again."


def _no_code(outcome: EditOutcome) -> str:
    if outcome.words.strip():
        return "The model answered in words, without code."
    return "The model gave an empty answer. Try again, or put the instruction differently."


def _cost(usage: Usage, model: ModelInfo) -> float | None:
    if model.input_price is None or model.output_price is None:
        return None
    return (usage.input_tokens * model.input_price + usage.output_tokens * model.output_price) / 1_000_000


@asynccontextmanager
async def _closing(events: AsyncIterator[StreamEvent]) -> AsyncIterator[AsyncIterator[StreamEvent]]:
    """Close a stream however the block ends, which closes its connection."""
    try:
        yield events
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()


def asks_for_less(request: EditRequest) -> bool:
    """Whether an instruction may be meant to leave lines out."""
    preset = request.preset
    words = f"{preset.name} {preset.instruction(request.command)}" if preset is not None else request.command
    return bool(REMOVAL.search(words) or SHORTENING.search(words))
