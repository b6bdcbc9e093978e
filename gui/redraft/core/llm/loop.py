"""The one background thread whose asyncio loop does all talking to servers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Final, Self, TypeVar

T = TypeVar("T")

JOIN_SECONDS: Final = 5.0
"""Longest time `stop` waits for what still runs."""


class EventLoopThread:
    """An asyncio loop in its own daemon thread.

    Work comes in through `submit` from any thread; its future can be cancelled from any thread too. `stop` ends it in
    order: tasks are cancelled, asynchronous generators closed (so connections are), the thread joined.
    """

    def __init__(self, name: str = "redraft-loop") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_running(self) -> bool:
        """Whether work is accepted."""
        return self._loop is not None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop itself, for `call_soon_threadsafe`.

        Raises:
            RuntimeError: It is not running.
        """
        loop = self._loop
        if loop is None:
            raise RuntimeError("the event loop thread is not running")
        return loop

    def start(self) -> None:
        """Start the thread and wait until its loop runs; a second call does nothing."""
        with self._lock:
            if self._loop is not None:
                return
            started: Future[asyncio.AbstractEventLoop] = Future()
            self._thread = threading.Thread(target=_run, args=(started,), name=self._name, daemon=True)
            self._thread.start()
            self._loop = started.result()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the loop; cancelling the future cancels it.

        Raises:
            RuntimeError: The loop is not running; the coroutine is closed unrun.
        """
        # Under the lock, so that `stop` cannot close the loop between the look and the call.
        with self._lock:
            if self._loop is not None:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        raise RuntimeError("the event loop thread is not running")

    def stop(self, timeout: float = JOIN_SECONDS) -> bool:
        """End all work and the thread.

        Args:
            timeout: Longest wait, in seconds.

        Returns:
            Whether the thread ended in time; being a daemon, a late one does not keep the process alive.

        Raises:
            RuntimeError: Called on the loop's own thread, which cannot wait for itself.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError("the event loop thread cannot stop itself")
        with self._lock:
            loop, self._loop = self._loop, None
            thread, self._thread = self._thread, None
            if loop is None or thread is None:
                return True
            loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout)
        return not thread.is_alive()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _run(started: Future[asyncio.AbstractEventLoop]) -> None:
    # The runner's exit cancels what is left, closes asynchronous generators and joins the default executor.
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        asyncio.set_event_loop(loop)
        loop.call_soon(started.set_result, loop)
        loop.run_forever()
