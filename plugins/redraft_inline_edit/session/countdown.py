"""A moment to object before something happens by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from redraft.api.context import PluginContext
from redraft.api.tasks import TaskHandle


class Countdown:
    """Calls once after some seconds, unless it is stopped before."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._task: TaskHandle | None = None
        self.seconds = 0.0

    @property
    def is_running(self) -> bool:
        """Whether something is going to happen."""
        return self._task is not None

    def start(self, seconds: float, then: Callable[[], None]) -> None:
        """Call `then` after so many seconds, in place of what was to come before."""
        self.stop()
        self.seconds = seconds
        self._task = self._context.tasks.run(
            asyncio.sleep(seconds),
            on_done=lambda _nothing: self._fire(then),
            on_error=lambda error: self._context.log.error("the wait failed: %s", error),
        )

    def stop(self) -> bool:
        """Nothing happens by itself any more; whether it would have."""
        task, self._task = self._task, None
        if task is None:
            return False
        task.cancel()
        return True

    def _fire(self, then: Callable[[], None]) -> None:
        self._task = None
        then()
