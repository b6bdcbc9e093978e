"""Finds out with how many threads a model runs fastest here: a few seconds of work, once per machine and model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import psutil

from redraft.core.llm.client import complete
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role
from redraft_local_model.catalog import LocalModel
from redraft_local_model.running import running
from redraft_local_model.server import ServerOptions
from redraft_local_model.tuning import Tuning

WORTH_IT: Final = 1.05
"""More threads than cores take power and make the rest of the machine slow; they must pay."""
_QUESTION: Final = (
    "Explain what the following words have in common.\n"
    + "tide gauge reading station level metre hour moon sun harbour chart datum range mean spring neap " * 8
)


@dataclass(frozen=True, slots=True)
class Speed:
    """How quickly a model reads and writes, in tokens a second."""

    reads: float
    writes: float


Measure = Callable[[LocalModel, ServerOptions], Awaitable[Speed]]


def thread_counts(physical: int, logical: int) -> Sequence[int]:
    """The counts worth trying, the usual one first.

    Half the cores win where some of them are slow ones or the memory is what limits; all hardware threads now and
    then win at reading.
    """
    counts = [physical]
    if physical >= 4:
        counts.append(physical // 2)
    if logical > physical:
        counts.append(logical)
    return counts


def counts_here() -> Sequence[int]:
    """The counts worth trying on this machine."""
    physical = psutil.cpu_count(logical=False) or 1
    return thread_counts(physical, psutil.cpu_count() or physical)


async def measure_speed(model: LocalModel, options: ServerOptions) -> Speed:
    """Start a model and let it read some hundred tokens and write a few.

    Raises:
        ModelError: It does not start, or does not answer.
    """
    question = ChatRequest((ChatMessage(Role.USER, _QUESTION),), max_tokens=24, temperature=0.0)
    async with running(model, options) as started:
        usage = (await complete(started.client, question)).usage
    if usage is None or not usage.prompt_ms or not usage.generation_ms:
        return Speed(0.0, 0.0)
    new = usage.input_tokens - usage.cached_tokens
    return Speed(1000 * new / usage.prompt_ms, 1000 * usage.output_tokens / usage.generation_ms)


async def calibrate(
    model: LocalModel, options: ServerOptions, counts: Sequence[int], *, measure: Measure = measure_speed
) -> Tuning:
    """Try some thread counts in turn, and choose one for writing and one for reading.

    Raises:
        ModelError: The model does not start, or does not answer.
    """
    if len(counts) == 1:
        return Tuning(counts[0], counts[0], speculation=options.speculation)
    speeds = {
        count: await measure(model, replace(options, threads=count, batch_threads=count, speculation=False))
        for count in counts
    }
    return Tuning(
        threads=_best({count: speed.writes for count, speed in speeds.items()}),
        batch_threads=_best({count: speed.reads for count, speed in speeds.items()}),
        speculation=options.speculation,
    )


def _best(speeds: dict[int, float]) -> int:
    """The fastest count; one that is hardly slower and smaller is better for the rest of the machine."""
    fastest = max(speeds.values())
    return min(count for count, speed in speeds.items() if speed * WORTH_IT >= fastest)
