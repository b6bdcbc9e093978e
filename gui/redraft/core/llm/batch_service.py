"""What every provider's batches can do, and the values they speak in."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from redraft.core.errors import MalformedStream, ModelError, TimedOut
from redraft.core.llm.batch_queue import Claim
from redraft.core.llm.cache_format import CacheRow
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import Stop, StopReason, TextDelta, Usage
from redraft.core.llm.reader import StreamReader


class BatchState(StrEnum):
    """How a batch stands at the server."""

    RUNNING = "running"
    ENDED = "ended"
    REJECTED = "rejected"
    """It was not even begun; see `BatchStatus.faults`."""


@dataclass(frozen=True, slots=True)
class BatchStatus:
    """How a batch stands.

    Attributes:
        state: Whether there is something to collect.
        finished: Rows that are answered or failed.
        total: Rows in all.
        faults: For a rejected batch, what is wrong: a sentence by line number from 0, or by -1 for the whole.
    """

    state: BatchState
    finished: int = 0
    total: int = 0
    faults: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of one row: an answer, or an error."""

    key: str
    outcome: ChatAnswer | ModelError


class BatchExpired(TimedOut):
    """A row was not answered within the time the server gives a batch, or was cancelled with it."""

    def __init__(self, message: str) -> None:
        super().__init__(message, limit="batch")


class BatchService(Protocol):
    """One provider's batches. All methods raise `ModelError` when the server cannot be asked."""

    async def submit(self, rows: Sequence[CacheRow], claim: str) -> str:
        """Upload rows as one batch, marked with the claim where the server allows it; its id."""
        ...

    async def find(self, claim: Claim) -> str | None:
        """The batch that was made of a claim, if there is one: its uploader died before it could note the id."""
        ...

    async def look(self, batch: str) -> BatchStatus:
        """How a batch stands."""
        ...

    def results(self, batch: str) -> AsyncGenerator[BatchResult, None]:
        """What has become of the rows of an ended batch, in any order; rows may be missing."""
        ...


def read_answer(reader: StreamReader, body: Mapping[str, Any]) -> ChatAnswer | ModelError:
    """The answer in a whole response, read as the protocol's client reads it; or the error it tells of."""
    text, reason, usage = "", StopReason.DISCONNECTED, None
    try:
        for event in [*reader.feed_whole(json.dumps(body).encode()), *reader.close()]:
            if isinstance(event, TextDelta):
                text += event.text
            elif isinstance(event, Usage):
                usage = event
            elif isinstance(event, Stop):
                reason = event.reason
    except ModelError as error:
        return error
    return ChatAnswer(text, reason, usage)


def read_line(line: bytes) -> Mapping[str, Any] | None:
    """One line of a results file, or `None` if it is blank.

    Raises:
        MalformedStream: It is no JSON object.
    """
    if not line.strip():
        return None
    try:
        found = json.loads(line)
    except ValueError as error:
        raise MalformedStream("A line of the batch's results cannot be read; try again.") from error
    if not isinstance(found, dict):
        raise MalformedStream("A line of the batch's results is not a result; try again.")
    return found
