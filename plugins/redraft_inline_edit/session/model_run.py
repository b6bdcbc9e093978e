"""One question to a model from the window: runs in the background, and keeps what is known of it meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final

from redraft.api.context import PluginContext
from redraft.api.tasks import TaskHandle
from redraft.core.diff.hunks import DiffProgress
from redraft.core.errors import ModelError, RedraftError
from redraft.core.llm.client import ModelInfo
from redraft_inline_edit.edit import run_edit
from redraft_inline_edit.events import (
    Counted,
    EditEvent,
    EditOutcome,
    Finished,
    MergeStarted,
    Numbers,
    Prepared,
    Progressed,
    RepairStarted,
    RetryAhead,
    Said,
    Thought,
)
from redraft_inline_edit.options import EditOptions
from redraft_inline_edit.request import EditRequest

TICK: Final = 0.25
"""Seconds between two looks at the clock while a model is at work."""


class ModelRun:
    """One question, its answer so far, and its numbers.

    Args:
        context: The plugin's services.
        model: Whom to ask.
        request: What to ask.
        options: Limits and temperature.
        so_far: Code of an answer that was cut off; the model goes on behind it.
        clock: Seconds.
    """

    def __init__(
        self,
        context: PluginContext,
        model: ModelInfo,
        request: EditRequest,
        options: EditOptions,
        *,
        so_far: str = "",
        clock: Callable[[], float],
    ) -> None:
        self.request = request
        self.model = model
        self.progress: DiffProgress | None = None
        self.retry: RetryAhead | None = None
        self.merging: ModelInfo | None = None
        self.complaint = ""
        self.first_outcome: EditOutcome | None = None
        self.words = ""
        self.thoughts = ""
        self._context = context
        self._options = options
        self._so_far = so_far
        self._clock = clock
        self._started = clock()
        self._thinking_since: float | None = None
        self._retry_at = 0.0
        self._numbers = Numbers()
        self._before_merge = Numbers()
        self._task: TaskHandle | None = None
        self._ticks: TaskHandle | None = None
        self._on_changed: Callable[[], None] = _nothing
        self._on_finished: Callable[[EditOutcome], None] = _nothing
        self._on_failed: Callable[[RedraftError], None] = _nothing

    def start(
        self,
        *,
        on_changed: Callable[[], None],
        on_finished: Callable[[EditOutcome], None],
        on_failed: Callable[[RedraftError], None],
    ) -> None:
        """Ask; one of `on_finished` and `on_failed` comes last, unless it is stopped."""
        self._on_changed, self._on_finished, self._on_failed = on_changed, on_finished, on_failed
        self._task = self._context.tasks.start(self._events(), on_events=self._take, on_done=self._end)
        self._ticks = self._context.tasks.start(
            _ticks(), on_events=lambda _ticks: self._on_changed(), on_done=lambda _error: None
        )

    def stop(self) -> None:
        """End it; no callback comes after this, and the connection is closed."""
        self._on_changed, self._on_finished, self._on_failed = _nothing, _nothing, _nothing
        for task in (self._task, self._ticks):
            if task is not None:
                task.cancel()

    @property
    def numbers(self) -> Numbers:
        """Time and tokens up to now."""
        return replace(self._numbers, total=self._clock() - self._started)

    @property
    def thinking(self) -> float:
        """Seconds the model has been thinking without writing; 0 where it has not."""
        return 0.0 if self._thinking_since is None else self._clock() - self._thinking_since

    @property
    def retry_left(self) -> float:
        """Seconds until the next try."""
        return max(self._retry_at - self._clock(), 0.0)

    async def _events(self) -> AsyncGenerator[EditEvent, None]:
        client = await self._context.models.open(self.model)
        edit = run_edit(
            self.request, client, self._context.prompts, self._options, so_far=self._so_far, clock=self._clock
        )
        async with aclosing(edit) as events:
            async for event in events:
                yield event

    def _take(self, events: Sequence[EditEvent]) -> None:
        for event in events:
            self._note(event)
        finished = next((event for event in events if isinstance(event, Finished)), None)
        if finished is None:
            self._on_changed()
            return
        self._quiet()
        self._on_finished(finished.outcome)

    def _note(self, event: EditEvent) -> None:
        match event:
            case Prepared(tokens):
                self._numbers = replace(self._numbers, sent_tokens=tokens)
            case Progressed(progress, received):
                self._note_first()
                self._thinking_since = None
                self.progress = progress
                received += self._before_merge.received_tokens
                self._numbers = replace(self._numbers, received_tokens=received)
            case Thought(text):
                self._note_first()
                self.thoughts += text
                self._thinking_since = self._thinking_since or self._clock()
            case Said(text):
                self._note_first()
                self.words += text
            case RetryAhead():
                self.retry, self._retry_at = event, self._clock() + event.delay
            case Counted(usage):
                sent = self._before_merge.sent_tokens + usage.input_tokens
                cached = self._before_merge.cached_tokens + usage.cached_tokens
                self._numbers = replace(self._numbers, sent_tokens=sent, cached_tokens=cached)
            case MergeStarted(model, tokens):
                self._context.ui.announce(f"Merging with {model.name}.")
                self.merging, self._before_merge, self._thinking_since = model, self._numbers, None
                self._numbers = replace(self._numbers, sent_tokens=self._numbers.sent_tokens + tokens)
            case RepairStarted(complaint, first):
                self.complaint, self.first_outcome = complaint, first
            case Finished():
                pass

    def _note_first(self) -> None:
        self.retry = None
        if self._numbers.first_token is None:
            self._numbers = replace(self._numbers, first_token=self._clock() - self._started)

    def _end(self, error: Exception | None) -> None:
        self._quiet()
        if error is None:
            return
        if not isinstance(error, RedraftError):
            self._context.log.error("an edit failed: %r", error)
            error = ModelError(
                f"Something went wrong in the editor itself ({type(error).__name__}); the log says more."
            )
        self._on_failed(error)

    def _quiet(self) -> None:
        if self._ticks is not None:
            self._ticks.cancel()


async def _ticks() -> AsyncGenerator[None, None]:
    while True:
        await asyncio.sleep(TICK)
        yield None


def _nothing(*_arguments: object) -> None:
    """Nobody listens any more."""
