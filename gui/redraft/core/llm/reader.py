"""What every protocol's stream reader has in common: what was seen so far, and how a stream ends."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from httpx_sse import ServerSentEvent

from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.messages import ReasoningDelta, Stop, StopReason, StreamEvent, TextDelta, Usage


class StreamReader(ABC):
    """Turns one protocol's events into ours; feed it, then close it.

    Attributes:
        has_text: Whether any of the answer, or of the thinking before it, has come.
        reason: Why the answer ended, once the server has said so.
        is_finished: Whether nothing more will come, so that the connection need not be read to its end.
    """

    def __init__(self, faults: FaultMapper) -> None:
        self.has_text = False
        self.reason: StopReason | None = None
        self.is_finished = False
        self._faults = faults
        self._usage: Usage | None = None

    def feed(self, event: ServerSentEvent) -> Iterator[StreamEvent]:
        """What one event means.

        Raises:
            ModelError: It tells of a failure, or is not of this protocol.
        """
        try:
            payload = json.loads(event.data)
        except ValueError as error:
            raise self._faults.unreadable() from error
        if not isinstance(payload, dict):
            raise self._faults.unreadable()
        if payload.get("error") or event.event == "error":
            raise self._faults.from_payload(payload)
        yield from self._note(self._read(payload))

    def feed_whole(self, body: bytes) -> Iterator[StreamEvent]:
        """What an answer means that came in one piece, though a stream was asked for.

        Raises:
            ModelError: As in `feed`.
        """
        try:
            payload = json.loads(body)
        except ValueError as error:
            raise self._faults.web_page() from error
        if not isinstance(payload, dict):
            raise self._faults.web_page()
        if payload.get("error"):
            raise self._faults.from_payload(payload)
        yield from self._note(self._read_whole(payload))
        self.is_finished = True

    def close(self) -> Iterator[StreamEvent]:
        """The last events. Without the protocol's terminal signal the answer is incomplete."""
        if self._usage is not None:
            yield self._usage
        if self.reason is not None:
            yield Stop(self.reason)
        else:
            yield Stop(StopReason.UNSPECIFIED if self.is_finished else StopReason.DISCONNECTED)

    def _note(self, events: Iterator[StreamEvent]) -> Iterator[StreamEvent]:
        for event in events:
            if isinstance(event, (TextDelta, ReasoningDelta)):
                if not event.text:
                    continue
                self.has_text = True
            yield event

    @abstractmethod
    def _read(self, payload: Mapping[str, Any]) -> Iterator[StreamEvent]: ...

    @abstractmethod
    def _read_whole(self, payload: Mapping[str, Any]) -> Iterator[StreamEvent]: ...


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one: servers send `null` where they have nothing to say."""
    return value if isinstance(value, dict) else {}


def count(value: object) -> int:
    """The value if it is a count, else 0."""
    return value if isinstance(value, int) and value > 0 else 0
