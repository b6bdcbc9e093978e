"""Asks a model for predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from redraft.core.errors import UsageError
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import ChatMessage, Role, StopReason
from redraft.core.review.example import Example, Prediction
from redraft.core.review.teacher import REGION_END
from redraft_edit_prediction.pipeline.answers import Answers, Question
from redraft_edit_prediction.pipeline.format_prompt import FormatPrompt
from redraft_edit_prediction.pipeline.parse_output import answered
from redraft_edit_prediction.pipeline.providers import Provider
from redraft_edit_prediction.pipeline.stage import AnswerPending

MAX_TOKENS: Final = 16_384
CLOSING: Final = f"\n{REGION_END}"
CUT_OFF: Final = "The answer was cut off at the output limit"


@dataclass(frozen=True, slots=True)
class PredictOptions:
    """How to ask.

    Attributes:
        repetitions: Answers wanted for each example.
        cache_only: Take what is in the cache and ask nobody.
    """

    repetitions: int = 1
    cache_only: bool = False


class Predict:
    """Fills `predictions`; those of the same provider stay, those of another one give way."""

    label = "Predict"

    def __init__(
        self,
        format_prompt: FormatPrompt | None,
        answers: Answers,
        provider: Provider | None,
        options: PredictOptions | None = None,
    ) -> None:
        self._format = format_prompt
        self._answers = answers
        self._provider = provider
        self._options = options or PredictOptions()

    def is_complete(self, example: Example) -> bool:
        """Whether the first prediction says something, and is this provider's."""
        first = example.predictions[0] if example.predictions else None
        if first is None or (first.actual_patch is None and not first.actual_output):
            return False
        return self._provider is None or first.provider == str(self._provider)

    async def process(self, example: Example) -> Example:
        """Ask for all predictions, after writing the prompt.

        Raises:
            UsageError: No provider was given.
            AnswerPending: The answers come with a batch.
            ModelError: There is no answer.
        """
        if self.is_complete(example):
            return example
        if self._provider is None or self._format is None:
            raise UsageError("There are no predictions yet; say who should make them, with --provider.")
        example = await self._format.process(example.changed(predictions=[], score=[], qa=[]))
        predictions: list[Prediction] = []
        is_pending = False
        for repetition in range(self._options.repetitions):
            answer = await self._answers.ask(self._question(example, self._provider, repetition))
            if answer is None:
                is_pending = True
            else:
                predictions.append(_prediction(example, self._provider, answer))
        if is_pending and not self._options.cache_only:
            raise AnswerPending(example)
        return example.changed(predictions=predictions)

    def _question(self, example: Example, provider: Provider, repetition: int) -> Question:
        if example.prompt is None:
            raise UsageError("prompt missing (run format_prompt first)")
        return Question(
            provider.backend,
            (ChatMessage(Role.USER, example.prompt.input),),
            MAX_TOKENS,
            seed=repetition if self._options.repetitions > 1 else None,
            opening=example.prompt.prefill or "",
            closing=CLOSING,
            in_batch=provider.is_batched,
            cache_only=self._options.cache_only,
        )


def _prediction(example: Example, provider: Provider, answer: ChatAnswer) -> Prediction:
    if answer.reason is StopReason.LENGTH:
        return Prediction(provider=str(provider), actual_output=answer.text, error=f"{CUT_OFF}.")
    return answered(example, provider, answer.text)
