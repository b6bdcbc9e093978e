"""Measures a model on this machine: how soon it answers, how quickly it writes, and whether guessing ahead pays.

Other programs are at work meanwhile, so nothing is compared across time: every round asks both sides of a comparison
in turn, the order changes from round to round, and what counts is the median of the rounds' ratios. On a machine that
is very busy the processor time of one thread says more than the clock.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Final

import psutil

from redraft.core.llm.client import ChatClient, complete
from redraft.core.llm.messages import ChatRequest, TextDelta
from redraft_local_model import bench_texts as texts
from redraft_local_model.catalog import LocalModel
from redraft_local_model.running import RunningModel, running
from redraft_local_model.server import ServerOptions

HURTS: Final = 0.95
"""Guessing must not make any kind of answer slower than this part of the plain speed."""
PAYS: Final = 1.05
"""What it must bring where answers repeat the text, to be worth anything."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same thing measured in two ways, round by round.

    Attributes:
        name: What was measured.
        unit: `"s"` or `"tokens/s"`.
        before: The one way.
        after: The other way.
    """

    name: str
    unit: str
    before: tuple[float, ...] = ()
    after: tuple[float, ...] = ()

    @property
    def ratio(self) -> float:
        """The median over the rounds of the other way to the one way."""
        return median(b / a for a, b in zip(self.before, self.after, strict=True))

    def plus(self, before: float, after: float) -> Comparison:
        """With one more round."""
        return replace(self, before=(*self.before, before), after=(*self.after, after))


@dataclass(frozen=True, slots=True)
class BenchReport:
    """What a bench has found so far.

    Attributes:
        waits: Time to the first token, cold against warm.
        speeds: Tokens a second, plain against guessing ahead.
    """

    waits: tuple[Comparison, ...]
    speeds: tuple[Comparison, ...]

    @property
    def speculation_pays(self) -> bool:
        """Whether guessing ahead makes edits faster here and nothing slower."""
        keep, *others = self.speeds
        return keep.ratio >= PAYS and all(other.ratio >= HURTS for other in others)


@dataclass(slots=True)
class Bench:
    """One run.

    Args:
        model: What is measured.
        options: How it runs; guessing ahead is switched on and off by the bench itself.
        rounds: How often each comparison is made.
        tokens: How long the answers may be that are measured for speed.
        by_processor: Whether processor time counts, with one thread, and not the clock.
    """

    model: LocalModel
    options: ServerOptions
    rounds: int = 3
    tokens: int = texts.ANSWER_TOKENS
    by_processor: bool = False
    _salt: str = field(default_factory=lambda: f"{time.time_ns():x}")

    async def run(self) -> AsyncGenerator[BenchReport]:
        """Measure, and report after every round.

        Raises:
            ModelError: The model does not start, or does not answer.
        """
        waits = tuple(Comparison(name, "s") for name in ("second edit in a file", "first edit, prompt opened before"))
        speeds = tuple(Comparison(name, "tokens/s") for name, _ in self._answers())
        options = replace(self.options, threads=1, batch_threads=1) if self.by_processor else self.options
        plain, guessing = (replace(options, speculation=wanted) for wanted in (False, True))
        async with running(self.model, plain) as one, running(self.model, guessing) as other:
            for number in range(self.rounds):
                waits = await self._wait(self._stopwatch(one), waits, number)
                sides = self._stopwatch(one), self._stopwatch(other)
                speeds = await self._write(sides, speeds, is_turned=number % 2 == 1)
                yield BenchReport(waits, speeds)

    def _answers(self) -> list[tuple[str, ChatRequest]]:
        return [
            ("edit that keeps most lines", texts.edit(self._salt, texts.KEEP, max_tokens=self.tokens)),
            ("edit that changes all lines", texts.edit(self._salt, texts.CHANGE, max_tokens=self.tokens)),
            ("free text", texts.question(max_tokens=self.tokens)),
        ]

    def _stopwatch(self, started: RunningModel) -> Stopwatch:
        process_id = started.server.process_id
        if not self.by_processor or process_id is None:
            return Stopwatch(started.client, time.monotonic)
        process = psutil.Process(process_id)
        return Stopwatch(started.client, lambda: sum(process.cpu_times()[:2]))

    async def _wait(self, watch: Stopwatch, waits: tuple[Comparison, ...], number: int) -> tuple[Comparison, ...]:
        salt = f"{self._salt}-{number}"
        cold = await watch.first_token(texts.edit(salt, texts.KEEP, max_tokens=1))
        second = await watch.first_token(texts.edit(salt, texts.SECOND, max_tokens=1))
        await watch.first_token(replace(texts.edit_start(f"{salt}-opened"), max_tokens=1, temperature=0.0))
        opened = await watch.first_token(texts.edit(f"{salt}-opened", texts.KEEP, max_tokens=1))
        return waits[0].plus(cold, second), waits[1].plus(cold, opened)

    async def _write(
        self, sides: tuple[Stopwatch, Stopwatch], speeds: tuple[Comparison, ...], *, is_turned: bool
    ) -> tuple[Comparison, ...]:
        found = []
        for comparison, (_, request) in zip(speeds, self._answers(), strict=True):
            first, second = [await side.tokens_per_second(request) for side in (sides[::-1] if is_turned else sides)]
            found.append(comparison.plus(second, first) if is_turned else comparison.plus(first, second))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Times what a client does.

    Attributes:
        client: The client.
        clock: Seconds.
    """

    client: ChatClient
    clock: Callable[[], float]

    async def first_token(self, request: ChatRequest) -> float:
        """Seconds until the first text of an answer."""
        started = self.clock()
        async with aclosing(self.client.stream(request)) as events:
            async for event in events:
                if isinstance(event, TextDelta) and event.text:
                    break
            return self.clock() - started

    async def tokens_per_second(self, request: ChatRequest) -> float:
        """How quickly an answer is written once its prompt has been read."""
        await complete(self.client, replace(request, max_tokens=1))
        started = self.clock()
        usage = (await complete(self.client, request)).usage
        seconds = self.clock() - started
        return usage.output_tokens / seconds if usage is not None and seconds else 0.0
