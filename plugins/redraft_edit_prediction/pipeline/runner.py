"""Drives a stage over a dataset: several examples at once, each written as soon as it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby

from redraft.core.errors import RedraftError
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.dataset import Entry, spec_hash
from redraft_edit_prediction.pipeline.failures import Failures
from redraft_edit_prediction.pipeline.output import Output
from redraft_edit_prediction.pipeline.progress import RunProgress
from redraft_edit_prediction.pipeline.stage import AnswerPending, ExampleFailed, Stage


class FailedMode(StrEnum):
    """What becomes of examples that failed."""

    KEEP = "keep"
    """They stay in the output as they were."""
    SKIP = "skip"
    """They are left out, and written to the run's folder."""
    SKIP_NO_FILES = "skip-no-files"
    """They are left out and written nowhere."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run.

    Attributes:
        parallelism: Examples worked on at once.
        by_repository: One worker takes all examples of a repository, in order.
        fail_fast: End with the first failure.
        failed: What becomes of the failed ones.
    """

    parallelism: int = 10
    by_repository: bool = False
    fail_fast: bool = False
    failed: FailedMode = FailedMode.KEEP


@dataclass
class Run:
    """One pass of a stage over examples.

    Attributes:
        collect: Called with every example that did not fail, in the order in which they are done.
        unfinished: What was not done when the run was interrupted.
    """

    stage: Stage
    output: Output
    options: RunOptions
    failures: Failures
    progress: RunProgress
    collect: Callable[[Example], None] = lambda _: None
    unfinished: list[Entry] = field(default_factory=list)
    _waiting: set[bytes] = field(default_factory=set, init=False)

    async def over(self, entries: Sequence[Entry]) -> None:
        """Work on all entries.

        Raises:
            RedraftError: The first failure, if failures end the run; or an output that cannot be written.
        """
        units = _units(entries, by_repository=self.options.by_repository)

        async def work() -> None:
            for unit in units:
                left = list(unit)
                try:
                    while left:
                        await self._one(left[0].load())
                        left.pop(0)
                finally:
                    self.unfinished += left

        try:
            await _together(work, max(1, min(self.options.parallelism, len(entries))))
        finally:
            for unit in units:
                self.unfinished += unit

    async def over_output(self) -> int:
        """Go over what was written, now that batches have brought answers; how many examples had waited for them."""
        waited, self._waiting = self._waiting, set()
        for example in self.output.again():
            if spec_hash(example) in waited:
                await self._one(example)
            else:
                self.output.write(example)
        return len(waited)

    @property
    def pending(self) -> int:
        """How many examples wait for a batch."""
        return len(self._waiting)

    async def _one(self, example: Example) -> None:
        self.progress.begins(example.name)
        try:
            done = await self.stage.process(example)
        except AnswerPending as pending:
            self._waiting.add(spec_hash(pending.example))
            self.output.write(pending.example)
        except ExampleFailed as failed:
            self._fail(failed.example, failed.error)
        except RedraftError as error:
            self._fail(example, error)
        else:
            self.output.write(done)
            self.collect(done)
        self.progress.advance(failed=self.failures.count)

    def _fail(self, example: Example, error: RedraftError) -> None:
        self.progress.say(self.failures.add(example, error))
        if self.options.failed is FailedMode.KEEP:
            self.output.write(example)
        if self.options.fail_fast:
            raise error


def _units(entries: Sequence[Entry], *, by_repository: bool) -> Iterator[Sequence[Entry]]:
    """What one worker takes at once: an example, or all of a repository's."""
    if not by_repository:
        yield from ((entry,) for entry in entries)
        return
    for url, group in groupby(entries, key=lambda entry: entry.repository_url):
        if url:
            yield tuple(group)
        else:
            yield from ((entry,) for entry in group)


async def _together(work: Callable[[], Awaitable[None]], workers: int) -> None:
    """Run several workers; the first error ends all of them and is raised as it is."""
    tasks = [asyncio.ensure_future(work()) for _ in range(workers)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
