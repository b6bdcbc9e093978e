"""What every protocol's stream reader has in common: what was seen so far, and how a stream ends."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, Final

from httpx_sse import ServerSentEvent

from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.messages import ReasoningDelta, Stop, StopReason, StreamEvent, TextDelta, Usage

_HALF: Final = re.compile("[\ud800-\udfff]")
_LONE: Final = "\ufffd"
"""What stands for half a character whose other half never came."""


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
        self._halves: dict[type[TextDelta | ReasoningDelta], str] = {}

    def feed(self, event: ServerSentEvent) -> Iterator[StreamEvent]:
        """What one event means.

        Raises:
            ModelError: It tells of a failure, or is not of this protocol.
        """
        try:
            payload = json.loads(event.data)
        except (ValueError, RecursionError) as error:
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
        except (ValueError, RecursionError) as error:
            raise self._faults.web_page() from error
        if not isinstance(payload, dict):
            raise self._faults.web_page()
        if payload.get("error"):
            raise self._faults.from_payload(payload)
        yield from self._note(self._read_whole(payload))
        self.is_finished = True

    def close(self) -> Iterator[StreamEvent]:
        """The last events. Without the protocol's terminal signal the answer is incomplete."""
        for kind, half in self._halves.items():
            if half:
                yield kind(_LONE)
        if self._usage is not None:
            yield self._usage
        if self.reason is not None:
            yield Stop(self.reason)
        else:
            yield Stop(StopReason.UNSPECIFIED if self.is_finished else StopReason.DISCONNECTED)

    def _note(self, events: Iterator[StreamEvent]) -> Iterator[StreamEvent]:
        for event in events:
            if not isinstance(event, (TextDelta, ReasoningDelta)):
                yield event
                continue
            if event.text:
                self.has_text = True
            if text := self._whole_characters(event):
                yield event if text == event.text else type(event)(text)

    def _whole_characters(self, event: TextDelta | ReasoningDelta) -> str:
        """The text with the two halves of a character put together; JSON can escape them in two events."""
        kind = type(event)
        text = self._halves.pop(kind, "") + event.text
        if text[-1:] and "\ud800" <= text[-1] <= "\udbff":
            self._halves[kind], text = text[-1], text[:-1]
        if _HALF.search(text):
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text

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
