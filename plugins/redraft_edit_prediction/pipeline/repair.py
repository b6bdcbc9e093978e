"""Asks for a second try where the first prediction is poor, as a third turn of the same conversation."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from redraft.api.services import Prompts
from redraft.core.errors import RedraftError, UsageError
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import ChatMessage, Role, StopReason
from redraft.core.review.example import Example, Prediction
from redraft.core.review.judge import CONFIDENCE_THRESHOLD, needs_repair
from redraft.core.review.repair import build_repair_message
from redraft.core.review.teacher import KEEP_PREVIOUS, REGION_START
from redraft_edit_prediction.pipeline.answers import Answers, Question
from redraft_edit_prediction.pipeline.parse_output import parse_answer, parse_first
from redraft_edit_prediction.pipeline.predict import CLOSING, CUT_OFF, MAX_TOKENS
from redraft_edit_prediction.pipeline.progress import notes
from redraft_edit_prediction.pipeline.providers import REPAIR, Backend, Provider, Vendor
from redraft_edit_prediction.pipeline.stage import AnswerPending

REPAIRERS: Final = MappingProxyType({Vendor.ANTHROPIC: "claude-sonnet-4-6", Vendor.OPENAI: "gpt-5.2"})


class Repair:
    """Appends a prediction of provider `repair`; earlier ones are never changed."""

    label = "Repair"

    def __init__(
        self,
        answers: Answers,
        prompts: Prompts,
        backend: Backend,
        *,
        in_batch: bool = True,
        threshold: int = CONFIDENCE_THRESHOLD,
        attempt: int = 1,
    ) -> None:
        self._answers = answers
        self._prompts = prompts
        self._backend = backend
        self._in_batch = in_batch
        self._threshold = threshold
        # The cache knows the answer to the first attempt; another seed makes another question of it.
        self._seed = attempt if attempt > 1 else None

    def is_complete(self, example: Example) -> bool:
        """Whether there is a good second try, or none is needed."""
        return has_repair(example) or not needs_repair(example, self._threshold)

    async def process(self, example: Example) -> Example:
        """Ask for a second try, if the first prediction needs one.

        Raises:
            UsageError: An earlier stage is missing; the message names it.
            AnswerPending: The answer comes with a batch.
            ModelError: There is no answer.
        """
        if self.is_complete(example):
            return example
        # A failed second try is dropped: asking again must not depend on it.
        example = example.changed(predictions=[one for one in example.predictions if one.provider != REPAIR])
        example = parse_first(example)
        answer = await self._answers.ask(
            Question(
                self._backend,
                self._conversation(example),
                MAX_TOKENS,
                self._seed,
                example.prompt.prefill or "" if example.prompt else "",
                CLOSING,
                in_batch=self._in_batch,
            )
        )
        if answer is None:
            raise AnswerPending(example)
        score = example.score[: len(example.predictions)]
        return example.changed(predictions=[*example.predictions, _second_try(example, answer)], score=score)

    def _conversation(self, example: Example) -> tuple[ChatMessage, ...]:
        first = example.predictions[0]
        if example.prompt is None:
            raise UsageError("prompt missing (run format_prompt first)")
        if not first.actual_output:
            raise UsageError("teacher response is empty (run predict first)")
        return (
            ChatMessage(Role.USER, example.prompt.input),
            ChatMessage(Role.ASSISTANT, first.actual_output),
            ChatMessage(Role.USER, build_repair_message(example, self._prompts.render)),
        )


def has_repair(example: Example) -> bool:
    """Whether there is a second try that could be read."""
    return any(one.provider == REPAIR and one.actual_patch is not None for one in example.predictions)


@dataclass
class RepairSummary:
    """Counts what became of the examples of a run."""

    threshold: int
    total: int = 0
    fine: int = 0
    unknown: int = 0
    """Of those that are fine: nobody has judged or scored them."""
    repaired: int = 0
    failed: int = 0

    def add(self, example: Example) -> None:
        """Count an example."""
        self.total += 1
        if has_repair(example):
            self.repaired += 1
        elif needs_repair(example, self.threshold):
            self.failed += 1
        else:
            self.fine += 1
            self.unknown += example.judgement is None and not example.score

    def tell(self) -> None:
        """Print the counts."""
        notes.print(str(self), markup=False)

    def __str__(self) -> str:
        needed = self.repaired + self.failed
        lines = [
            f"Repair summary ({self.total} examples):",
            f"  {self.fine}/{self.total} didn't need repair (confidence > {self.threshold})",
        ]
        if self.unknown:
            lines.append(f"  {self.unknown} of these have neither a judgement nor scores (run qa or score first)")
        if needed:
            lines.append(f"  {needed}/{self.total} needed repair:")
            lines += [f"    {self.repaired} repaired successfully"] if self.repaired else []
            lines += [f"    {self.failed} failed to repair"] if self.failed else []
        return "\n".join(lines)


def _second_try(example: Example, answer: ChatAnswer) -> Prediction:
    text = answer.text
    if KEEP_PREVIOUS in text and REGION_START in text:
        notes.print(f"{example.name}: the answer keeps the previous prediction and gives a region too; it is kept.")
    try:
        if answer.reason is StopReason.LENGTH:
            raise UsageError(CUT_OFF)
        parsed = parse_answer(example, Provider(REPAIR), text)
    except RedraftError as error:
        return Prediction(provider=REPAIR, actual_output=text, error=f"Failed to parse repair response: {error}")
    return Prediction(provider=REPAIR, actual_output=text, actual_patch=parsed.patch, actual_cursor=parsed.cursor)
