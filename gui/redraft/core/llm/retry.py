"""Asks again when a server is busy: as long as it says to wait, and never once an answer has begun."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass

from redraft.core.errors import ConnectionFailed, ModelError, RateLimited, ServerError, TimedOut
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, ReasoningDelta, RetryScheduled, StreamEvent, TextDelta


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after how long to ask again.

    Attributes:
        attempts: How often to ask at most, the first time included.
        first_delay: Seconds before the second attempt, where the server names none; doubled for each further one.
        longest_delay: Where the doubling ends.
        longest_wait: If the server asks for more than this, the error is shown instead: nobody waits that long.
        is_patient: Whether to wait for a lost network and an overdue answer too; for work that nobody watches.
    """

    attempts: int = 4
    first_delay: float = 1.0
    longest_delay: float = 30.0
    longest_wait: float = 120.0
    is_patient: bool = False

    def delay(self, error: ModelError, attempt: int, jitter: float) -> float | None:
        """Seconds until the next attempt, or `None` if there is to be none.

        Args:
            error: What went wrong.
            attempt: The number of the attempt that failed, from 1.
            jitter: Up to a quarter is added for 1, so that many clients do not come back at once.
        """
        may_pass = is_passing(error) or (self.is_patient and isinstance(error, (ConnectionFailed, TimedOut)))
        if attempt >= self.attempts or not may_pass:
            return None
        if isinstance(error, RateLimited) and error.retry_after is not None:
            return error.retry_after if error.retry_after <= self.longest_wait else None
        return min(self.first_delay * 2.0 ** (attempt - 1), self.longest_delay) * (1 + jitter / 4)


class RetryingClient:
    """A `ChatClient` that asks another one again; closing the iterator ends the waiting too.

    Written here and not with `stamina`, which waits by itself: the wait must be told before it begins.
    """

    def __init__(
        self,
        client: ChatClient,
        policy: RetryPolicy = RetryPolicy(),
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._client = client
        self._policy = policy
        self._sleep = sleep

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        return self._client.info

    @property
    def capabilities(self) -> Capabilities:
        """What the server can do."""
        return self._client.capabilities

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """Ask, and yield what comes back; a `RetryScheduled` comes before every wait."""
        attempt = 1
        while True:
            has_begun = False
            try:
                async with aclosing(self._client.stream(request)) as events:
                    async for event in events:
                        has_begun = has_begun or isinstance(event, (TextDelta, ReasoningDelta))
                        yield event
            except ModelError as error:
                spread = random.random()  # noqa: S311 - not a cryptographic use; it only spreads the load
                delay = None if has_begun else self._policy.delay(error, attempt, spread)
                if delay is None:
                    raise
                reason = str(error)
            else:
                return
            attempt += 1
            yield RetryScheduled(attempt, self._policy.attempts, delay, reason)
            await self._sleep(delay)

    async def aclose(self) -> None:
        """Close the other client."""
        await self._client.aclose()


def is_passing(error: ModelError) -> bool:
    """Whether the same request may well succeed a little later."""
    if isinstance(error, ConnectionFailed):
        return error.kind == "closed"
    return isinstance(error, (RateLimited, ServerError))
