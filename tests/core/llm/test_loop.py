from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError

import pytest

from redraft.core.llm.loop import EventLoopThread

WAIT = 20


@pytest.fixture
def thread() -> Iterator[EventLoopThread]:
    with EventLoopThread() as running:
        yield running


async def thread_name() -> str:
    return threading.current_thread().name


def test_work_runs_on_the_threads_loop(thread: EventLoopThread) -> None:
    assert thread.submit(thread_name()).result(WAIT) == "redraft-loop"


def test_start_twice_keeps_the_loop(thread: EventLoopThread) -> None:
    loop = thread.loop
    thread.start()
    assert thread.loop is loop


def test_an_error_arrives_in_the_future(thread: EventLoopThread) -> None:
    async def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        thread.submit(fail()).result(WAIT)


def test_cancelling_the_future_cancels_the_work(thread: EventLoopThread) -> None:
    started, cancelled = threading.Event(), threading.Event()

    async def wait() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    future = thread.submit(wait())
    assert started.wait(WAIT)
    assert future.cancel()
    assert cancelled.wait(WAIT)


def test_stop_cancels_work_and_closes_generators() -> None:
    thread = EventLoopThread()
    thread.start()
    started, closed = threading.Event(), threading.Event()

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            closed.set()

    kept = numbers()

    async def begin() -> None:
        await anext(kept)
        started.set()
        await asyncio.Event().wait()

    future = thread.submit(begin())
    assert started.wait(WAIT)
    assert thread.stop(WAIT)
    assert closed.is_set()
    with pytest.raises(CancelledError):
        future.result(0)


def test_stop_is_bounded_when_work_will_not_end() -> None:
    thread = EventLoopThread()
    thread.start()
    started, release = threading.Event(), threading.Event()

    async def hold() -> None:
        started.set()
        release.wait(WAIT)

    thread.submit(hold())
    assert started.wait(WAIT)
    assert not thread.stop(0.01)
    release.set()


def test_work_after_stop_is_refused_and_closed() -> None:
    thread = EventLoopThread()
    thread.start()
    assert thread.stop(WAIT)
    assert thread.stop()
    assert not thread.is_running
    work = thread_name()
    with pytest.raises(RuntimeError, match="not running"):
        thread.submit(work)
    with pytest.raises(RuntimeError, match="not running"):
        _ = thread.loop
    with pytest.raises(RuntimeError, match="cannot reuse"):
        work.send(None)


def test_it_starts_again_after_stop() -> None:
    thread = EventLoopThread("again")
    for _ in range(2):
        with thread:
            assert thread.submit(thread_name()).result(WAIT) == "again"


def test_stop_from_its_own_thread_is_an_error(thread: EventLoopThread) -> None:
    async def stop() -> None:
        thread.stop()

    with pytest.raises(RuntimeError, match="cannot stop itself"):
        thread.submit(stop()).result(WAIT)
