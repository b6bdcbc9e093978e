"""Asks a model for the next edit: at the caret first, then where a replaced name still stands; and reviews it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from redraft.api.models import Models
from redraft.api.services import Prompts
from redraft.core.diff.hunks import Hunk
from redraft.core.diff.predicted import PredictedEdit, predicted_edits
from redraft.core.errors import AnswerError
from redraft.core.llm.client import ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, Stop, StopReason, TextDelta
from redraft.core.text import TextIndex, line_end, without_end
from redraft_edit_prediction.live.moment import Moment, Offer, OpenText
from redraft_edit_prediction.live.names import places_of, replaced_names
from redraft_edit_prediction.live.question import Question, ask_for
from redraft_edit_prediction.live.reading import AnswerReader
from redraft_edit_prediction.live.region import LARGE, SMALL, Region, region_at
from redraft_edit_prediction.live.repairing import repair_request, wants_repair
from redraft_edit_prediction.live.review import Verdict, review

ROWS_COVERED: Final = 8
"""Rows that one question covers, about."""

MOST_PLACES: Final = 2
"""Places besides the caret's that a model is asked about, one after the other."""

LF: Final = "\n"


@dataclass(frozen=True, slots=True)
class Asker:
    """Makes predictions; holds nothing of a single one.

    Attributes:
        repairs: Whether a model of a server gets a second try when its answer is held back.
    """

    models: Models
    prompts: Prompts
    repairs: bool = True
    clock: Callable[[], float] = time.monotonic

    async def predict(self, moment: Moment, model: ModelInfo) -> AsyncIterator[Offer]:
        """Yield what may be shown: the first part as soon as it is sure, then the whole answer.

        Raises:
            ModelError: The model cannot be asked, or its answer broke off.
            AnswerError: The answer cannot be read.
            PromptError: A template is at fault.
        """
        started = self.clock()
        client = await self.models.open(model)
        budget = SMALL if model.location == "embedded" else LARGE
        for file, place in _places(moment):
            region = region_at(TextIndex(file.text), place, budget)
            question = ask_for(
                file.path,
                region,
                moment.events,
                prompts=self.prompts,
                capabilities=client.capabilities,
                budget=budget,
            )
            offer: Offer | None = None
            async for verdict, is_last in self._answers(client, question, moment, file):
                seconds = self.clock() - started
                offer = Offer(file.key, verdict.edits, verdict.held, seconds, is_last)
                if offer.edits and not is_last:
                    yield offer
            if offer is not None and (offer.edits or offer.held):
                yield offer
                return
        yield Offer(moment.file.key, (), (), self.clock() - started, is_last=True)

    async def _answers(
        self, client: ChatClient, question: Question, moment: Moment, file: OpenText
    ) -> AsyncIterator[tuple[Verdict, bool]]:
        """What a review says of the first part of an answer, and of all of it; after a second try if need be."""
        before = moment.before if file.key == moment.file.key else None
        region = question.region
        reader = AnswerReader(region.lines, region.above, region.below, is_led=question.is_led)
        reader.feed(question.begun)
        known = 0
        async for hunks in _arriving(client, question.chat, reader):
            if hunks is None or len(hunks) > known:
                is_last = hunks is None
                found = reader.close() if hunks is None else hunks
                known = len(found)
                verdict = review(before, file.text, edits_of(region, found))
                if is_last and self.repairs and client.info.location != "embedded" and wants_repair(verdict):
                    verdict = await self._second_try(client, question, reader.text, verdict, before)
                yield verdict, is_last

    async def _second_try(
        self, client: ChatClient, question: Question, answer: str, verdict: Verdict, before: str | None
    ) -> Verdict:
        """Tell the model what is wrong with its answer; what it then says is reviewed alike."""
        request = repair_request(question, answer, verdict, self.prompts)
        region = question.region
        reader = AnswerReader(region.lines, region.above, region.below, is_led=False)
        try:
            async for _ in _arriving(client, request, reader):
                pass
            second = review(before, region.index.text, edits_of(region, reader.close()))
        except AnswerError:
            return verdict
        return second if second.edits else verdict


async def _arriving(client: ChatClient, chat: ChatRequest, reader: AnswerReader) -> AsyncIterator[list[Hunk] | None]:
    """The hunks that are sure while an answer arrives, and `None` at its end."""
    reason = StopReason.DISCONNECTED
    async with aclosing(client.stream(chat)) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                if hunks := reader.feed(event.text):
                    yield hunks
            elif isinstance(event, Stop):
                reason = event.reason
    if not reason.is_complete:
        reader.cut_off()
    yield None


def edits_of(region: Region, hunks: list[Hunk]) -> tuple[PredictedEdit, ...]:
    """Hunks of a region's rows as edits of its text; each row ends as the one that stood there, or above it."""
    index = region.index
    moved = []
    for hunk in hunks:
        first = region.start + hunk.old_start
        rows = range(first, first + len(hunk.old_lines))
        old = tuple(index.line_range(row).of(index.text) for row in rows)
        ends = _ends_for(region, first, old)
        new = [f"{line.removesuffix(LF)}{ends[min(at, len(ends) - 1)]}" for at, line in enumerate(hunk.new_lines)]
        if old and new and not line_end(old[-1]):
            new[-1] = without_end(new[-1])  # the text's last line has no end
        elif not old and new and first >= index.line_count:
            new = [f"{line_end(line)}{without_end(line)}" for line in new]
        moved.append(Hunk(first, old, tuple(new)))
    return predicted_edits(index.text, index.line_starts, moved)


def _ends_for(region: Region, first: int, old: Sequence[str]) -> list[str]:
    """How new rows end, one by one, the last for all that follow: as those they replace, else as the row above."""
    index = region.index
    above = index.line_range(first - 1).of(index.text) if 0 < first <= index.line_count else ""
    usual = line_end(above) or region.end_of_line
    return [line_end(line) or usual for line in old] or [usual]


def _places(moment: Moment) -> Iterator[tuple[OpenText, int]]:
    """Where to ask: at the caret, then where names still stand that the latest edit replaced, the nearest first."""
    yield moment.file, moment.caret
    asked: set[tuple[int, int]] = {(moment.file.key, moment.file.text.count("\n", 0, moment.caret) // ROWS_COVERED)}
    for old, _ in replaced_names(moment.events[-1]) if moment.events else ():
        for file in (moment.file, *moment.others):
            is_here = file.key == moment.file.key
            places = places_of(old, file.text)
            for place in sorted(places, key=lambda at: abs(at - moment.caret)) if is_here else places:
                near = file.key, file.text.count("\n", 0, place) // ROWS_COVERED
                if near not in asked:
                    asked.add(near)
                    if len(asked) > MOST_PLACES + 1:
                        return
                    yield file, place
