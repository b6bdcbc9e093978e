"""What a stage is: a function from example to example, and the knowledge whether it has been done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from redraft.core.errors import RedraftError
from redraft.core.review.example import Example


class AnswerPending(Exception):
    """A model's answer will come with a batch; `example` holds what is known so far."""

    def __init__(self, example: Example) -> None:
        super().__init__("the answer comes with a batch")
        self.example = example


class ExampleFailed(RedraftError):
    """An example failed after some of its stages; `example` holds what they found, `error` says what went wrong."""

    def __init__(self, example: Example, error: RedraftError) -> None:
        super().__init__(str(error))
        self.example = example
        self.error = error


class Stage(Protocol):
    """One step of the pipeline; may run for many examples at once."""

    @property
    def label(self) -> str:
        """What it does, as one word for the progress line."""
        ...

    async def process(self, example: Example) -> Example:
        """Do the step; an example for which it is done comes back as it is.

        Raises:
            RedraftError: The example failed; the message says what to do.
            AnswerPending: A batch must be waited for.
        """
        ...

    def is_complete(self, example: Example) -> bool:
        """Whether there is nothing left to do, as when a run is resumed."""
        ...


class Chain:
    """Several stages, one after the other for each example; a failure ends the chain of its example only."""

    def __init__(self, stages: Sequence[Stage]) -> None:
        self._stages = stages

    @property
    def label(self) -> str:
        """All its stages."""
        return " → ".join(stage.label for stage in self._stages)

    async def process(self, example: Example) -> Example:
        """Run all stages."""
        for stage in self._stages:
            try:
                example = await stage.process(example)
            except RedraftError as error:
                raise ExampleFailed(example, error) from error
        return example

    def is_complete(self, example: Example) -> bool:
        """Whether all of them are."""
        return all(stage.is_complete(example) for stage in self._stages)


class Read:
    """Passes examples through: for filters, sorting, and other formats."""

    label = "Read"

    async def process(self, example: Example) -> Example:
        """Nothing."""
        return example

    def is_complete(self, example: Example) -> bool:  # noqa: ARG002 - every example is
        """Always."""
        return True
