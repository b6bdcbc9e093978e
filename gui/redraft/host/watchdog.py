"""Stops a plugin's callback that never ends, so that the window comes back.

What counts is the time the callback computes, not the time that passes: a callback that leads to an open dialog may
take all day, one that loops may not. Python code can be stopped this way; a call that hangs inside a C library cannot.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

LIMIT_SECONDS: Final = 10.0
"""Longest time a callback may hold the window."""

LOOK_SECONDS: Final = 0.25
"""Time between two looks."""

LOOKS_UNTIL_REST: Final = 40
"""Looks without a callback after which the watch rests until the next one."""

LEAST_SHARE: Final = 0.05
"""A thread that computes less than this share of the time is waiting for the user now and then, not looping."""


class CallbackStopped(BaseException):
    """Raised inside a callback that computed for too long; no `except Exception` of the plugin's holds it up."""

    def __str__(self) -> str:
        return "it computed without an end and was stopped"


@dataclass(slots=True)
class _Call:
    thread: int
    cpu_clock: int
    cpu_began: float
    began: float
    is_stopped: bool = False

    def computed(self) -> float:
        return time.clock_gettime(self.cpu_clock) - self.cpu_began


class Watchdog:
    """Watches one callback at a time from a thread of its own, which rests while there are none."""

    def __init__(self, limit: float = LIMIT_SECONDS) -> None:
        self._limit = limit
        # Reentrant: an exception that arrives while the lock is taken must not lock its own thread out later.
        self._condition = threading.Condition(threading.RLock())
        self._call: _Call | None = None
        self._is_resting = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch what runs inside; a call inside a watched one is part of it."""
        call = self._begin()
        try:
            yield
        finally:
            if call is not None:
                self._end(call)

    def _begin(self) -> _Call | None:
        # A call that was stopped at its very last step may have been left here.
        is_inner = self._call is not None and not self._call.is_stopped
        if is_inner or not hasattr(time, "pthread_getcpuclockid"):
            return None
        thread = threading.get_ident()
        call = _Call(thread, time.pthread_getcpuclockid(thread), time.thread_time(), time.monotonic())
        with self._condition:
            self._call = call
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="redraft-watchdog", daemon=True)
                self._thread.start()
            elif self._is_resting:
                self._condition.notify()
        return call

    def _end(self, call: _Call) -> None:
        with self._condition:
            self._call = None
            if call.is_stopped:  # it may have ended by itself just before the exception arrived
                _raise_in(call.thread, None)

    def _watch(self) -> None:
        idle_looks = 0
        with self._condition:
            while True:
                idle_looks = idle_looks + 1 if self._call is None else 0
                self._is_resting = idle_looks > LOOKS_UNTIL_REST
                self._condition.wait(None if self._is_resting else LOOK_SECONDS)
                if self._call is not None:
                    self._judge(self._call)

    def _judge(self, call: _Call) -> None:
        computed, passed = call.computed(), time.monotonic() - call.began
        if computed > self._limit and computed > passed * LEAST_SHARE:
            call.is_stopped = True
            _raise_in(call.thread, CallbackStopped)


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Make a thread raise an error at its next step; `None` takes back one that has not come up yet."""
    raised = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
