from __future__ import annotations

import contextlib
import threading
import time

import pytest

from redraft.host.watchdog import CallbackStopped, Watchdog


def compute(seconds: float) -> None:
    """Keep this thread's processor busy for so long."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_a_loop_without_end_is_stopped() -> None:
    watchdog = Watchdog(limit=0.1)
    with pytest.raises(CallbackStopped, match="without an end"), watchdog.watching():
        compute(600)


def test_a_loop_that_holds_on_to_exceptions_is_stopped_too() -> None:
    def stubborn() -> None:
        while True:
            with contextlib.suppress(Exception):
                compute(0.01)

    with pytest.raises(CallbackStopped), Watchdog(limit=0.1).watching():
        stubborn()


def test_one_that_ends_in_time_is_left_alone_and_the_next_is_watched_anew() -> None:
    watchdog = Watchdog(limit=0.4)
    for _ in range(4):
        with watchdog.watching():
            compute(0.15)


def test_waiting_is_no_computing() -> None:
    done = threading.Event()
    timer = threading.Timer(0.6, done.set)
    timer.start()
    with Watchdog(limit=0.1).watching():
        assert done.wait(60)
    timer.join()


def test_an_inner_call_is_part_of_the_outer_one() -> None:
    watchdog = Watchdog(limit=0.1)

    def outer() -> None:
        with watchdog.watching():
            compute(0.01)
        compute(600)

    with pytest.raises(CallbackStopped), watchdog.watching():
        outer()


def test_nothing_is_raised_after_the_end() -> None:
    watchdog = Watchdog(limit=0.05)
    for _ in range(5):
        try:
            with watchdog.watching():
                compute(0.3)
        except CallbackStopped:
            pass
    compute(0.3)
