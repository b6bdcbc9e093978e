"""Tasks whose coroutines run when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class FakeTask:
    """Work of `FakeTasks`."""

    def __init__(self, task: asyncio.Task[None]) -> None:
        self.task = task
        self.is_cancelled = False

    @property
    def is_done(self) -> bool:
        return self.task.done()

    def cancel(self) -> None:
        self.is_cancelled = True
        self.task.cancel()


class FakeTasks:
    """Runs coroutines while the test waits for something; callbacks come on the test's thread, as in the window."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._jobs: list[FakeTask] = []

    @property
    def is_quiet(self) -> bool:
        return all(job.is_done for job in self._jobs)

    def start(
        self,
        events: AsyncIterator[Any],
        *,
        on_events: Callable[[Sequence[Any]], None],
        on_done: Callable[[Exception | None], None],
    ) -> FakeTask:
        async def consume() -> None:
            error: Exception | None = None
            try:
                async for event in events:
                    if not handle.is_cancelled:
                        on_events([event])
            except asyncio.CancelledError:
                pass
            except Exception as raised:  # noqa: BLE001 - handed on, as the window does
                error = raised
            on_done(error)

        handle = FakeTask(self.loop.create_task(consume()))
        self._jobs.append(handle)
        return handle

    def run(
        self, work: Coroutine[Any, Any, T], *, on_done: Callable[[T], None], on_error: Callable[[Exception], None]
    ) -> FakeTask:
        async def finish() -> None:
            try:
                result = await work
            except Exception as raised:  # noqa: BLE001 - handed on, as the window does
                on_error(raised)
            else:
                on_done(result)

        task = self.loop.create_task(finish())
        # Work that was cancelled before its first step would complain that nobody awaited it.
        task.add_done_callback(lambda _task: work.close())
        self._jobs.append(FakeTask(task))
        return self._jobs[-1]

    def settle(self, until: Callable[[], bool], *, seconds: float = 20.0) -> None:
        """Let work go on until something holds."""

        async def wait() -> None:
            while not until():  # noqa: ASYNC110 - what is waited for may be anything
                await asyncio.sleep(0.001)

        self.loop.run_until_complete(asyncio.wait_for(wait(), seconds))

    def close(self) -> None:
        """End all work."""
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0.01))
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()
