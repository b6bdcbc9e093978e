"""What a scripted reply is made of: heads, chunks, pauses, lost connections."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Final

PATIENCE: Final = 30.0
"""Seconds after which a test that waits in vain fails."""


EVENT_STREAM: Final = {"content-type": "text/event-stream"}


class Gate:
    """Holds a reply back until the test opens it."""

    def __init__(self) -> None:
        self._opened: Future[None] = Future()

    def open(self) -> None:
        """Let the reply go on; from any thread."""
        if not self._opened.done():
            self._opened.set_result(None)

    async def passed(self) -> None:
        await asyncio.shield(asyncio.wrap_future(self._opened))


@dataclass(frozen=True, slots=True)
class Head:
    """Status and headers; without one a reply is a chunked event stream with status 200.

    `chunked=False` sends the body bare and ends it by closing, so that a lost connection looks like an end.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: EVENT_STREAM)
    chunked: bool = True


@dataclass(frozen=True, slots=True)
class Send:
    """One chunk of the body."""

    chunk: bytes | str


@dataclass(frozen=True, slots=True)
class WaitFor:
    """A pause until a gate opens."""

    gate: Gate


@dataclass(frozen=True, slots=True)
class Hang:
    """Silence until the client goes away."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection is cut, without the end of the body."""


Step = Head | Send | WaitFor | Hang | Drop


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived; header names are lower-case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    def json(self) -> Any:
        return json.loads(self.body)


class Live:
    """A reply written by the test as it goes: `send`, then `end` or `drop`."""

    def __init__(self, *first: Step) -> None:
        self._steps: SimpleQueue[tuple[Step | None, Gate]] = SimpleQueue()
        self._first = self._next = Gate()
        self._lock = threading.Lock()
        for step in first:
            self.put(step)

    def put(self, step: Step | None) -> None:
        """Add a step; `None` ends the reply."""
        with self._lock:
            gate, self._next = self._next, Gate()
            self._steps.put((step, self._next))
            gate.open()

    def send(self, chunk: bytes | str) -> None:
        self.put(Send(chunk))

    def end(self) -> None:
        self.put(None)

    def drop(self) -> None:
        self.put(Drop())

    async def steps(self) -> AsyncIterator[Step]:
        gate = self._first
        while True:
            await gate.passed()
            step, gate = self._steps.get_nowait()
            if step is None:
                return
            yield step
