from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
from PySide6.QtCore import QEvent, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.core.llm.loop import EventLoopThread
from redraft.qt.tasks import EVENTS_PER_BATCH, MOST_WAITING, TaskRunner


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[TaskRunner]:
    loop = EventLoopThread()
    loop.start()
    runner = TaskRunner(loop)
    yield runner
    assert runner.stop(20)


class Listener:
    """Notes what a stream delivers, and where."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.ends: list[Exception | None] = []
        self.threads: set[QThread] = set()

    @property
    def events(self) -> list[int]:
        return [event for batch in self.batches for event in batch]

    def on_events(self, events: Sequence[int]) -> None:
        assert not self.ends
        self.threads.add(QThread.currentThread())
        self.batches.append(list(events))

    def on_done(self, error: Exception | None) -> None:
        self.threads.add(QThread.currentThread())
        self.ends.append(error)


async def count(to: int) -> AsyncIterator[int]:
    for number in range(to):
        yield number
        if number % 100 == 0:
            await asyncio.sleep(0)


async def endless(closed: threading.Event) -> AsyncIterator[int]:
    number = 0
    try:
        while True:
            yield number
            number += 1
            await asyncio.sleep(0.001)
    finally:
        closed.set()


def test_events_come_in_order_in_batches_on_the_gui_thread_and_before_the_end(qtbot: QtBot, runner: TaskRunner) -> None:
    heard = Listener()
    job = runner.start(count(5000), on_events=heard.on_events, on_done=heard.on_done)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=20_000)
    assert heard.events == list(range(5000))
    assert heard.ends == [None]
    assert heard.threads == {QThread.currentThread()}
    assert len(heard.batches) < 500
    assert max(map(len, heard.batches)) <= EVENTS_PER_BATCH
    assert job.is_done
    assert runner.active == 0


def test_no_event_comes_after_cancel_and_the_end_is_told_once(qtbot: QtBot, runner: TaskRunner) -> None:
    heard, closed = Listener(), threading.Event()
    job = runner.start(endless(closed), on_events=heard.on_events, on_done=heard.on_done)
    qtbot.waitUntil(lambda: len(heard.events) > 3, timeout=20_000)
    job.cancel()
    job.cancel()
    count_then = len(heard.events)
    assert not heard.ends
    qtbot.waitUntil(lambda: bool(heard.ends) and closed.is_set(), timeout=20_000)
    flushed = Listener()
    runner.start(count(1), on_events=flushed.on_events, on_done=flushed.on_done)
    qtbot.waitUntil(lambda: bool(flushed.ends), timeout=20_000)
    assert len(heard.events) == count_then
    assert heard.ends == [None]


def test_an_error_comes_after_the_events_before_it(qtbot: QtBot, runner: TaskRunner) -> None:
    async def failing() -> AsyncIterator[int]:
        yield 1
        raise OSError("line lost")

    heard = Listener()
    runner.start(failing(), on_events=heard.on_events, on_done=heard.on_done)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=20_000)
    assert heard.events == [1]
    assert str(heard.ends[0]) == "line lost"


def test_a_coroutine_gives_its_value_or_its_error(qtbot: QtBot, runner: TaskRunner) -> None:
    async def half(number: int) -> int:
        await asyncio.sleep(0)
        if number % 2:
            raise ValueError("odd")
        return number // 2

    values: list[int] = []
    errors: list[Exception] = []
    runner.run(half(4), on_done=values.append, on_error=errors.append)
    runner.run(half(5), on_done=values.append, on_error=errors.append)
    qtbot.waitUntil(lambda: bool(values and errors), timeout=20_000)
    assert values == [2]
    assert str(errors[0]) == "odd"


def test_a_cancelled_coroutine_says_nothing(qtbot: QtBot, runner: TaskRunner) -> None:
    said: list[object] = []

    async def work() -> int:
        await asyncio.sleep(0)
        return 1

    job = runner.run(work(), on_done=said.append, on_error=said.append)
    job.cancel()
    assert job.is_done
    done: list[int] = []
    runner.run(work(), on_done=done.append, on_error=said.append)
    qtbot.waitUntil(lambda: bool(done), timeout=20_000)
    assert said == []


def test_a_source_that_never_waits_can_be_cancelled_and_holds_up_no_other(qtbot: QtBot, runner: TaskRunner) -> None:
    is_closed = threading.Event()

    async def rushing() -> AsyncIterator[int]:
        try:
            while True:
                yield 1
        finally:
            is_closed.set()

    heard, other = Listener(), Listener()
    job = runner.start(rushing(), on_events=heard.on_events, on_done=heard.on_done)
    qtbot.waitUntil(lambda: bool(heard.events), timeout=20_000)
    runner.start(count(3), on_events=other.on_events, on_done=other.on_done)
    qtbot.waitUntil(lambda: bool(other.ends), timeout=20_000)
    job.cancel()
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=20_000)
    assert is_closed.wait(20)


def test_what_a_rushing_source_sends_does_not_fill_the_memory_while_the_window_is_busy(qtbot: QtBot) -> None:
    sent = 0

    async def rushing() -> AsyncIterator[int]:
        nonlocal sent
        while True:
            sent += 1
            yield sent

    with EventLoopThread() as loop:
        runner = TaskRunner(loop)
        heard = Listener()
        runner.start(rushing(), on_events=heard.on_events, on_done=heard.on_done)
        for _ in range(10):
            loop.submit(asyncio.sleep(0.05)).result(20)  # the window does nothing meanwhile
        assert MOST_WAITING < sent <= MOST_WAITING + 2 * EVENTS_PER_BATCH
        assert runner.stop(20)


def test_who_listened_is_let_go_at_once_though_the_loop_still_holds_the_work(qtbot: QtBot, runner: TaskRunner) -> None:
    is_begun, may_end = threading.Event(), threading.Event()

    async def held_up() -> None:
        is_begun.set()
        assert may_end.wait(20)

    heard = Listener()
    last_words = weakref.ref(heard)
    job = runner.run(held_up(), on_done=lambda _nothing: None, on_error=heard.on_done)
    assert is_begun.wait(20)
    job.cancel()
    del heard
    assert last_words() is None
    may_end.set()


def test_two_streams_do_not_mix(qtbot: QtBot, runner: TaskRunner) -> None:
    one, two = Listener(), Listener()
    runner.start(count(900), on_events=one.on_events, on_done=one.on_done)
    runner.start(count(700), on_events=two.on_events, on_done=two.on_done)
    qtbot.waitUntil(lambda: bool(one.ends and two.ends), timeout=20_000)
    assert one.events == list(range(900))
    assert two.events == list(range(700))


def test_a_callback_that_raises_is_reported_and_others_go_on(qtbot: QtBot, runner: TaskRunner) -> None:
    heard = Listener()

    def breaking(_events: Sequence[int]) -> None:
        raise RuntimeError("in a callback")

    with qtbot.captureExceptions() as caught:
        runner.start(count(3), on_events=breaking, on_done=lambda _error: None)
        runner.start(count(3), on_events=heard.on_events, on_done=heard.on_done)
        qtbot.waitUntil(lambda: bool(heard.ends), timeout=20_000)
    assert heard.events == [0, 1, 2]
    assert {str(error[1]) for error in caught} == {"in a callback"}


@pytest.mark.parametrize("wanted", [0, 0, 1, 2, 3, 5, 8] * 6)
def test_stopping_at_any_point_of_streams_is_quick_and_silent(qtbot: QtBot, wanted: int) -> None:
    async def value() -> int:
        await asyncio.sleep(0)
        return 1

    loop = EventLoopThread()
    loop.start()
    runner = TaskRunner(loop)
    heard = Listener()
    for _ in range(3):
        runner.start(endless(threading.Event()), on_events=heard.on_events, on_done=heard.on_done)
        runner.run(value(), on_done=lambda _value: None, on_error=heard.on_done)
    qtbot.waitUntil(lambda: len(heard.events) >= wanted, timeout=20_000)
    assert runner.stop(20)
    told = len(heard.events)
    assert runner.active == 0
    QApplication.processEvents()
    runner.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert len(heard.events) == told
    assert not heard.ends


def test_work_after_the_loop_stopped_is_refused(qtbot: QtBot) -> None:
    runner = TaskRunner(EventLoopThread())
    with pytest.raises(RuntimeError, match="not running"):
        runner.start(count(1), on_events=lambda _events: None, on_done=lambda _error: None)
    assert runner.active == 0
