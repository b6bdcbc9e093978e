"""Runs coroutines on the background event loop and brings what they say to the GUI thread in batches.

The background thread only appends to a list; one queued signal wakes the GUI when that list was empty, and a timer
empties it at most every 16 ms. So a stream of ten thousand events costs the window a few dozen calls, not ten thousand.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from redraft.core.llm.loop import EventLoopThread

E = TypeVar("E")
T = TypeVar("T")
_Source = AsyncIterator[Any] | Coroutine[Any, Any, Any]

FRAME_MS: Final = 16
"""Least time between two batches."""

EVENTS_PER_BATCH: Final = 256
"""Most events that are handed over at once."""

MOST_WAITING: Final = 4096
"""Events that may wait for the window before their sources are held up."""

BUDGET_SECONDS: Final = 0.008
"""Longest time one flush goes on handing out batches; the rest waits for the next frame."""


@dataclass(frozen=True, slots=True)
class _Ended:
    """The last word of a job: what it gave, or why it failed."""

    value: Any = None
    error: Exception | None = None


class Job:
    """One piece of work in progress (an `api.TaskHandle`).

    The loop's thread may be the last to hold it. So it lets go of who listens as soon as nothing more is told: what
    belongs to the window must not end on another thread.
    """

    def __init__(
        self,
        runner: TaskRunner,
        on_events: Callable[[Sequence[Any]], None] | None,
        on_ended: Callable[[_Ended], None],
        *,
        tells_cancel: bool,
    ) -> None:
        self._runner = runner
        self._on_events = on_events
        self._on_ended: Callable[[_Ended], None] | None = on_ended
        self._tells_cancel = tells_cancel
        self._task: asyncio.Task[None] | None = None
        self._is_cancelled = False
        self._is_done = False

    @property
    def is_done(self) -> bool:
        """Whether it has ended."""
        return self._is_done

    def enter(self) -> bool:
        """Called by the work itself when it begins, on the loop; false if it need not begin any more."""
        self._task = asyncio.current_task()
        return not self._is_cancelled

    def interrupt(self) -> None:
        """Cancel the work, on the loop; work that has not begun sees that for itself."""
        if self._task:
            self._task.cancel()

    def cancel(self) -> None:
        """Ask it to end; nothing of what it still says is delivered."""
        if self._is_cancelled or self._is_done:
            return
        self._is_cancelled = True
        self._runner.interrupt(self)
        if self._tells_cancel:
            self._runner.post(self, _Ended())
        else:
            self._finish()

    def abandon(self) -> None:
        """End it without a word to anybody."""
        self._is_cancelled = True
        self._runner.interrupt(self)
        self._let_go()

    def deliver(self, items: list[Any]) -> None:
        """Hand a batch, or the last word, to who asked for the work."""
        if self._is_done:
            return
        if isinstance(items[0], _Ended):
            on_ended = self._on_ended
            self._finish()
            if on_ended:
                on_ended(_Ended() if self._is_cancelled else items[0])
        elif self._on_events and not self._is_cancelled:
            self._on_events(items)

    def _finish(self) -> None:
        self._let_go()
        self._runner.forget(self)

    def _let_go(self) -> None:
        self._is_done = True
        self._on_events = self._on_ended = None


class TaskRunner(QObject):
    """Implements `api.Tasks`; lives in the GUI thread and is called from there."""

    _woken = Signal()

    def __init__(self, loop: EventLoopThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._loop = loop
        self._lock = threading.Lock()
        self._inbox: deque[tuple[Job, Any]] = deque()
        self._jobs: dict[Job, _Source] = {}
        self._is_closed = False
        self._last_flush = 0.0
        self._timer = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_flush)
        self._woken.connect(self._on_woken, Qt.ConnectionType.QueuedConnection)

    @property
    def active(self) -> int:
        """How many jobs have not ended."""
        return len(self._jobs)

    def start(
        self,
        events: AsyncIterator[E],
        *,
        on_events: Callable[[Sequence[E]], None],
        on_done: Callable[[Exception | None], None],
    ) -> Job:
        """Consume a stream; events come in batches, and all of them before `on_done`."""
        job = Job(self, on_events, lambda end: on_done(end.error), tells_cancel=True)
        return self._begin(job, self._consume(job, events), events)

    def run(
        self,
        work: Coroutine[Any, Any, T],
        *,
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> Job:
        """Run one coroutine; neither callback comes after `cancel`."""
        job = Job(self, None, lambda end: on_error(end.error) if end.error else on_done(end.value), tells_cancel=False)
        return self._begin(job, self._finish(job, work), work)

    def cancel_all(self) -> None:
        """End all work; no callback comes after this."""
        with self._lock:
            self._is_closed = True
            self._inbox.clear()
        self._timer.stop()
        for job in list(self._jobs):
            job.abandon()

    def stop(self, timeout: float = 2.0) -> bool:
        """End all work and the loop's thread.

        Args:
            timeout: Longest wait, in seconds.

        Returns:
            Whether the thread ended in time.
        """
        self.cancel_all()
        is_joined = self._loop.stop(timeout)
        for work in self._jobs.values():
            # What the loop never came to begin would complain about that when it is collected.
            if is_joined and isinstance(work, Coroutine):
                work.close()
        self._jobs.clear()
        return is_joined

    def post(self, job: Job, item: object) -> None:
        """Put something into the inbox, from any thread."""
        with self._lock:
            if self._is_closed:
                return
            was_empty = not self._inbox
            self._inbox.append((job, item))
            if was_empty:
                self._woken.emit()

    def forget(self, job: Job) -> None:
        """A job has ended."""
        self._jobs.pop(job, None)

    def interrupt(self, job: Job) -> None:
        """Have the loop cancel a job's work."""
        if self._loop.is_running:
            self._loop.loop.call_soon_threadsafe(job.interrupt)

    def _begin(self, job: Job, work: Coroutine[Any, Any, None], source: _Source) -> Job:
        try:
            self._loop.submit(work)
        except RuntimeError:
            if isinstance(source, Coroutine):
                source.close()
            raise
        self._jobs[job] = source
        return job

    async def _consume(self, job: Job, events: AsyncIterator[Any]) -> None:
        error: Exception | None = None
        try:
            if job.enter():
                await self._pass_on(job, events)
        except asyncio.CancelledError:
            self.post(job, _Ended())
            raise
        except Exception as caught:  # noqa: BLE001 - it is handed to who asked for the work
            error = caught
        finally:
            close = getattr(events, "aclose", None)
            if close:
                await close()
        self.post(job, _Ended(error=error))

    async def _pass_on(self, job: Job, events: AsyncIterator[Any]) -> None:
        """Post all events; a source that never waits must neither keep the loop for itself nor fill the memory."""
        passed = 0
        async for event in events:
            self.post(job, event)
            passed += 1
            if passed % EVENTS_PER_BATCH == 0:
                await asyncio.sleep(0)
                while len(self._inbox) > MOST_WAITING:  # noqa: ASYNC110 - the window empties it, from its own thread
                    await asyncio.sleep(FRAME_MS / 1000)

    async def _finish(self, job: Job, work: Coroutine[Any, Any, Any]) -> None:
        try:
            if job.enter():
                self.post(job, _Ended(value=await work))
            else:
                work.close()
        except Exception as caught:  # noqa: BLE001 - it is handed to who asked for the work
            self.post(job, _Ended(error=caught))

    def _on_woken(self) -> None:
        if not self._timer.isActive():
            since = (time.monotonic() - self._last_flush) * 1000
            self._timer.start(max(0, round(FRAME_MS - since)))

    def _on_flush(self) -> None:
        self._last_flush = began = time.monotonic()
        # One batch at a time, so that a callback which runs a dialog of its own does not hold up the others.
        while batch := self._next_batch():
            job, items = batch
            try:
                job.deliver(items)
            except Exception:  # noqa: BLE001 - one job's callback must not take the others down
                sys.excepthook(*sys.exc_info())
            if time.monotonic() - began > BUDGET_SECONDS:
                break
        with self._lock:
            if self._inbox and not self._is_closed:
                self._timer.start(FRAME_MS)

    def _next_batch(self) -> tuple[Job, list[Any]] | None:
        """The oldest event with those of its job that stand directly behind it; a last word comes alone."""
        with self._lock:
            if not self._inbox:
                return None
            job, item = self._inbox.popleft()
            items = [item]
            if isinstance(item, _Ended):
                return job, items
            while self._inbox and len(items) < EVENTS_PER_BATCH:
                other, following = self._inbox[0]
                if other is not job or isinstance(following, _Ended):
                    break
                items.append(following)
                self._inbox.popleft()
            return job, items
