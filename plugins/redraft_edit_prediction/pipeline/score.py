"""Scores predictions automatically."""

from __future__ import annotations

from collections.abc import Collection

from redraft.core.review.example import Example, PromptInputs
from redraft.core.review.scoring import score_example
from redraft_edit_prediction.pipeline.load_project import LoadProject
from redraft_edit_prediction.pipeline.predict import Predict


class ScorePredictions:
    """Fills `score`, one for each prediction; scores are always counted anew.

    Args:
        predict: Makes predictions that are missing.
        load: Loads projects for examples that are scored without predictions.
        may_miss: Whether nobody is asked: what is missing gets the score of an absent patch.
        sources: Only related excerpts found in these ways count; all by default.
        context_bytes: How much related code counts as shown; no limit by default.
    """

    label = "Score"

    def __init__(
        self,
        predict: Predict,
        load: LoadProject | None = None,
        *,
        may_miss: bool = False,
        sources: Collection[str] | None = None,
        context_bytes: int | None = None,
    ) -> None:
        self._predict = predict
        self._load = load
        self._may_miss = may_miss
        self._sources = sources
        self._context_bytes = context_bytes

    def is_complete(self, example: Example) -> bool:
        """Whether every prediction has a score."""
        return bool(example.score) and len(example.score) == max(1, len(example.predictions))

    async def process(self, example: Example) -> Example:
        """Score, after predicting if need be.

        Raises:
            RedraftError: There is nothing to score, or an expected patch does not fit.
        """
        if self._may_miss and self._load is not None:
            example = await self._load.process(example)
        else:
            example = await self._predict.process(example)
        counted = example
        if self._sources is not None and example.prompt_inputs is not None:
            counted = example.changed(prompt_inputs=only_sources(example.prompt_inputs, self._sources))
        return example.changed(score=score_example(counted, context_bytes=self._context_bytes))


def only_sources(inputs: PromptInputs, sources: Collection[str]) -> PromptInputs:
    """The inputs with related excerpts of some sources only."""
    files = [
        file.changed(excerpts=[excerpt for excerpt in file.excerpts if excerpt.context_source in sources])
        for file in inputs.related_files or ()
    ]
    return inputs.changed(related_files=[file for file in files if file.excerpts])
