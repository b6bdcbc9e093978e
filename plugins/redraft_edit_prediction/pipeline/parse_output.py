"""Reads what models said into patches, again or for the first time."""

from __future__ import annotations

from redraft.core.errors import AnswerError, RedraftError, UsageError
from redraft.core.review.example import Example, Prediction
from redraft.core.review.jumps import parse_jumps
from redraft.core.review.repair import parse_repair
from redraft.core.review.teacher import ParsedPrediction, parse_prediction
from redraft_edit_prediction.pipeline.format_prompt import jump_snippets
from redraft_edit_prediction.pipeline.providers import REPAIR, Provider


class ParseOutput:
    """Fills the patch and cursor of every prediction that has words."""

    label = "Parse"

    def is_complete(self, example: Example) -> bool:  # noqa: ARG002 - reading again is cheap, and the reader may be better
        """Never."""
        return False

    async def process(self, example: Example) -> Example:
        """Read all predictions; a second try that cannot be read is noted and stands in nobody's way.

        Raises:
            RedraftError: Another prediction cannot be read, or something it needs is missing.
        """
        if example.prompt_inputs is None:
            raise UsageError("prompt_inputs required (run context retrieval first)")
        predictions = [_reread(example, prediction) for prediction in example.predictions]
        return example.changed(predictions=predictions)


def parse_first(example: Example) -> Example:
    """Read only the first prediction, the one that is judged and repaired.

    Raises:
        RedraftError: It cannot be read.
    """
    if example.prompt_inputs is None:
        raise UsageError("prompt_inputs missing (run context retrieval first)")
    if not example.predictions:
        raise UsageError("no predictions available (run predict first)")
    return example.changed(predictions=[_reread(example, example.predictions[0]), *example.predictions[1:]])


def parse_answer(example: Example, provider: Provider, answer: str) -> ParsedPrediction:
    """Read an answer as its provider's prompt asked for it.

    Raises:
        AnswerError: It cannot be read.
        UsageError: The provider's format is not known here, or an earlier stage is missing.
    """
    if provider.kind == REPAIR:
        first = Provider.parse(example.predictions[0].provider) if example.predictions else None
        if first is not None and first.has_jumps and "KEEP_PREVIOUS" not in answer:
            return _parse_jumps(example, answer)
        return parse_repair(example, answer)
    if not provider.is_readable:
        raise UsageError(f"Answers of {provider} cannot be read here.")
    if provider.has_jumps:
        return _parse_jumps(example, answer)
    return parse_prediction(example, answer)


def answered(example: Example, provider: Provider, answer: str) -> Prediction:
    """A prediction made of an answer; one that cannot be read is kept with its words and the reason."""
    try:
        parsed = parse_answer(example, provider, answer)
    except AnswerError as error:
        return Prediction(provider=str(provider), actual_output=answer, error=str(error))
    return Prediction(
        provider=str(provider), actual_output=answer, actual_patch=parsed.patch, actual_cursor=parsed.cursor
    )


def _parse_jumps(example: Example, answer: str) -> ParsedPrediction:
    if example.prompt_inputs is None:
        raise UsageError("prompt_inputs required (run context retrieval first)")
    return parse_jumps(answer, jump_snippets(example.prompt_inputs))


def _reread(example: Example, prediction: Prediction) -> Prediction:
    if not prediction.actual_output:
        return prediction
    provider = Provider.parse(prediction.provider)
    try:
        parsed = parse_answer(example, provider, prediction.actual_output)
    except RedraftError as error:
        if provider.kind != REPAIR:
            raise
        return prediction.changed(
            actual_patch=None, actual_cursor=None, error=f"Failed to parse repair response: {error}"
        )
    return prediction.changed(actual_patch=parsed.patch, actual_cursor=parsed.cursor, error=None)
