"""The test of a connection: asks a server step by step, and says at which step and why it does not answer."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from redraft.core.errors import (
    AuthenticationError,
    ConnectionFailed,
    MalformedStream,
    ModelError,
    ModelNotFound,
    QuotaExceeded,
    RateLimited,
    StatusError,
    TimedOut,
)
from redraft.core.llm.api import ApiClient, fetch_models
from redraft.core.llm.client import ChatClient
from redraft.core.llm.messages import ChatMessage, ChatRequest, ReasoningDelta, Role, Stop, StopReason, TextDelta, Usage
from redraft.core.llm.registry import make_client
from redraft.core.llm.retry import RetryPolicy
from redraft.core.llm.server import ServerConfig, ServerKind
from redraft.core.llm.tabby import TabbyState, check_health
from redraft.core.llm.tokens import estimate_tokens

_QUESTION: Final = ChatRequest(
    (ChatMessage(Role.USER, "Count from 1 to 12, separated by spaces. Write nothing else."),), max_tokens=48
)


class Step(StrEnum):
    """What is tested, in this order; the value is the step's name for people."""

    ADDRESS = "Address"
    PROXY = "Proxy"
    NAME = "Name"
    CONNECTION = "Connection"
    TLS = "TLS"
    HEALTH = "Health"
    KEY = "Key"
    QUOTA = "Quota"
    MODEL = "Model"
    ANSWER = "First token"


@dataclass(frozen=True, slots=True)
class ProbeStep:
    """One step's outcome.

    Attributes:
        step: Which one.
        ok: Whether it went well.
        words: What to show: `"TLS"`, `"Key accepted"`; where it failed, the sentence that says what to do.
        detail: What to show beside it, dimmed: a time, a count.
    """

    step: Step
    ok: bool
    words: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What is known so far.

    Attributes:
        steps: The steps that are over.
        is_over: Whether the test is.
        summary: One line, once it is over: `"24 tokens at 52 tok/s"`, or the sentence of the failed step.
        models: The ids of the server's models, where it lists them.
        error: Why it does not work.
    """

    steps: tuple[ProbeStep, ...] = ()
    is_over: bool = False
    summary: str = ""
    models: tuple[str, ...] = ()
    error: ModelError | None = None

    @property
    def works(self) -> bool:
        """Whether the model answered."""
        return self.is_over and self.error is None


@dataclass(slots=True)
class _Timings:
    """Milliseconds of a request's steps, taken from its trace."""

    clock: Callable[[], float]
    began: dict[str, float] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)

    async def hear(self, event: str, _info: dict[str, Any]) -> None:
        """One event such as `connection.start_tls.complete`."""
        _, step, state = event.rsplit(".", 2)
        if state == "started":
            self.began.setdefault(step, self.clock())
        elif state == "complete" and step not in self.took:
            self.took[step] = (self.clock() - self.began[step]) * 1000


class _Probe:
    """One run of the test."""

    def __init__(self, config: ServerConfig, clock: Callable[[], float]) -> None:
        self._config = config
        self._clock = clock
        self._steps: list[ProbeStep] = []
        self._models: tuple[str, ...] = ()
        self._has_list = False
        self._tokens = 0
        self._rate = 0.0

    async def run(self) -> AsyncGenerator[ProbeReport, None]:
        """Each step's outcome as soon as it is known."""
        try:
            await self._reach()
            yield self._report()
            if self._config.kind is ServerKind.TABBY:
                await self._look_at_health()
                yield self._report()
            await self._answer()
        except ModelError as error:
            self._fail(error)
            yield self._report(error)
        else:
            yield self._report(is_over=True)

    def _report(self, error: ModelError | None = None, *, is_over: bool = False) -> ProbeReport:
        summary = f"{self._tokens} tokens at {self._rate:.0f} tok/s" if is_over else ""
        return ProbeReport(
            tuple(self._steps), is_over or error is not None, str(error) if error else summary, self._models, error
        )

    async def _reach(self) -> None:
        """Connect and ask for the models; a server that lists none may answer all the same."""
        timings = _Timings(self._clock)
        try:
            async with ApiClient(self._config, trace=timings.hear) as api:
                self._models = tuple(await fetch_models(api))
                self._has_list = True
        except (StatusError, MalformedStream) as error:
            self._note_connection(timings)
            if isinstance(error, AuthenticationError):
                raise
        except ModelError:
            self._note_connection(timings)
            raise
        else:
            self._note_connection(timings)

    def _note_connection(self, timings: _Timings) -> None:
        for step, name in ((Step.CONNECTION, "connect_tcp"), (Step.TLS, "start_tls")):
            if name in timings.took:
                words = "Connected" if step is Step.CONNECTION else "TLS"
                self._steps.append(ProbeStep(step, ok=True, words=words, detail=f"{timings.took[name]:.0f} ms"))

    async def _look_at_health(self) -> None:
        """Tabby tells how it stands; one that does not may answer all the same."""
        health = await check_health(self._config)
        if health.state is TabbyState.READY:
            self._steps.append(ProbeStep(Step.HEALTH, ok=True, words="Tabby is ready", detail=health.version))
        elif health.error is not None and health.state is TabbyState.UNAUTHORIZED:
            raise health.error

    async def _answer(self) -> None:
        client = make_client(self._config, RetryPolicy(attempts=1))
        try:
            await self._listen(client)
        finally:
            await client.aclose()

    async def _listen(self, client: ChatClient) -> None:
        asked, first, text, usage = self._clock(), 0.0, "", None
        is_complete = False
        async with aclosing(client.stream(_QUESTION)) as events:
            async for event in events:
                if isinstance(event, (TextDelta, ReasoningDelta)):
                    first = first or self._clock()
                    text += event.text
                elif isinstance(event, Usage):
                    usage = event
                elif isinstance(event, Stop):
                    is_complete = event.reason is not StopReason.DISCONNECTED
        if not is_complete:
            raise ConnectionFailed(
                f"{self._config.name} closed the connection in the middle of its answer; try again.", kind="closed"
            )
        ended = self._clock()
        self._tokens = (usage.output_tokens if usage else 0) or estimate_tokens(text)
        seconds = usage.generation_ms / 1000 if usage and usage.generation_ms else ended - (first or asked)
        self._rate = self._tokens / max(seconds, 0.001)
        self._note_answer((first or ended) - asked)

    def _note_answer(self, seconds: float) -> None:
        if self._config.key is not None:
            self._steps.append(ProbeStep(Step.KEY, ok=True, words="Key accepted"))
        if self._has_list:
            self._steps.append(self._model_step())
        detail = f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.0f} s"
        self._steps.append(ProbeStep(Step.ANSWER, ok=True, words="First token", detail=detail))

    def _model_step(self) -> ProbeStep:
        count = len(self._models)
        if not self._config.model or self._config.model in self._models:
            words = "Model found" if self._config.model else "Model chosen by the server"
            return ProbeStep(Step.MODEL, ok=True, words=words, detail=f"1 of {count}" if count else "")
        # An alias, or a server that takes any name: it has answered.
        return ProbeStep(Step.MODEL, ok=True, words="Model answers", detail="not in the server's list")

    def _fail(self, error: ModelError) -> None:
        step = _step_of(error)
        if isinstance(error, ModelNotFound) and not self._has_list:
            step = Step.ADDRESS  # Neither the list nor the chat is there.
        if step in {Step.MODEL, Step.QUOTA} and self._config.key is not None:
            self._steps.append(ProbeStep(Step.KEY, ok=True, words="Key accepted"))
        self._steps.append(ProbeStep(step, ok=False, words=str(error)))


def _step_of(error: ModelError) -> Step:
    """The step at which an error happens."""
    if isinstance(error, ConnectionFailed):
        kinds = {"dns": Step.NAME, "tls": Step.TLS, "proxy": Step.PROXY}
        return kinds.get(error.kind, Step.CONNECTION)
    if isinstance(error, TimedOut):
        return Step.CONNECTION if error.limit == "connect" else Step.ANSWER
    kinds_of_status = (
        (AuthenticationError, Step.KEY),
        (QuotaExceeded, Step.QUOTA),
        (RateLimited, Step.QUOTA),
        (ModelNotFound, Step.MODEL),
        (StatusError, Step.ANSWER),
        (MalformedStream, Step.ANSWER),
    )
    return next((step for kind, step in kinds_of_status if isinstance(error, kind)), Step.ADDRESS)


def probe(config: ServerConfig, clock: Callable[[], float] = time.monotonic) -> AsyncGenerator[ProbeReport, None]:
    """Test a server; every report holds all that is known so far, and the last one is over.

    Closing the iterator ends the test. It asks for some 30 tokens of answer.
    """
    return _Probe(config, clock).run()
