"""Work in the background in the hands of one plugin."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from redraft.api.disposable import DisposableStack, OnDispose
from redraft.api.tasks import TaskHandle, Tasks
from redraft.host.guard import Guard

E = TypeVar("E")
T = TypeVar("T")


class GuardedTasks:
    """`api.Tasks` for one plugin; what still runs when it goes is cancelled."""

    def __init__(self, shared: Tasks, guard: Guard, kept: DisposableStack) -> None:
        self._shared = shared
        self._guard = guard
        self._running: set[TaskHandle] = set()
        kept.add(OnDispose(self._cancel))

    def start(
        self,
        events: AsyncIterator[E],
        *,
        on_events: Callable[[Sequence[E]], None],
        on_done: Callable[[Exception | None], None],
    ) -> TaskHandle:
        """Consume a stream; events come in batches, and all before `on_done`."""
        handle = self._shared.start(
            events,
            on_events=self._guard.wrap("taking in an answer", on_events),
            on_done=self._guard.wrap("ending a task", on_done),
        )
        return self._keep(handle)

    def run(
        self,
        work: Coroutine[Any, Any, T],
        *,
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> TaskHandle:
        """Run one coroutine; neither callback comes after `cancel`."""
        handle = self._shared.run(
            work,
            on_done=self._guard.wrap("ending a task", on_done),
            on_error=self._guard.wrap("hearing of an error", on_error),
        )
        return self._keep(handle)

    def _keep(self, handle: TaskHandle) -> TaskHandle:
        self._running.difference_update({task for task in self._running if task.is_done})
        self._running.add(handle)
        return handle

    def _cancel(self) -> None:
        for task in list(self._running):
            task.cancel()
        self._running.clear()
