"""Anthropic's Message Batches: https://docs.anthropic.com/en/api/creating-message-batches."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any, Final

from redraft.core.errors import ModelError
from redraft.core.llm.anthropic import AnthropicReader, anthropic_body
from redraft.core.llm.api import ApiClient
from redraft.core.llm.batch_queue import Claim
from redraft.core.llm.batch_service import (
    BatchExpired,
    BatchResult,
    BatchState,
    BatchStatus,
    read_answer,
    read_line,
)
from redraft.core.llm.cache_format import CacheRow
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.reader import count, mapping
from redraft.core.llm.server import ServerConfig

_CLOCK_SKEW: Final = 120.0
"""Seconds by which the clocks of both sides may differ."""


class AnthropicBatches:
    """The batches of one account. A row's key is its custom id, so results find their rows without our help."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self._faults = FaultMapper(config)

    async def submit(self, rows: Sequence[CacheRow], claim: str) -> str:  # noqa: ARG002 - there is no place to mark it
        """Upload rows as one batch; its id."""
        requests = [{"custom_id": row.key, "params": anthropic_body(self._config, row.request)} for row in rows]
        async with ApiClient(self._config) as api:
            made = mapping(await api.post_json(self._config.endpoint("messages/batches"), {"requests": requests}))
        return self._faults.id_of(made)

    async def find(self, claim: Claim) -> str | None:
        """The batch made of a claim: batches carry no mark, so it is known by its time, its size and its first row."""
        async with ApiClient(self._config) as api:
            url = self._config.endpoint("messages/batches")
            listed = mapping(await api.get_json(url.copy_merge_params({"limit": "100"})))
        for batch in map(mapping, listed.get("data") or ()):
            is_later = _seconds(batch.get("created_at")) > claim.since - _CLOCK_SKEW
            if not is_later or _status(batch).total != len(claim.keys):
                continue
            if _status(batch).state is BatchState.RUNNING or await self._holds(self._faults.id_of(batch), claim):
                return self._faults.id_of(batch)
        return None

    async def look(self, batch: str) -> BatchStatus:
        """How a batch stands."""
        async with ApiClient(self._config) as api:
            return _status(mapping(await api.get_json(self._config.endpoint(f"messages/batches/{batch}"))))

    async def results(self, batch: str) -> AsyncGenerator[BatchResult, None]:
        """What has become of the rows, line by line. The address is ours: the one in the reply could be anyone's."""
        url = self._config.endpoint(f"messages/batches/{batch}/results")
        async with ApiClient(self._config) as api, aclosing(api.lines(url)) as lines:
            async for line in lines:
                if (found := read_line(line)) is not None:
                    yield BatchResult(str(found.get("custom_id")), self._outcome(mapping(found.get("result"))))

    async def _holds(self, batch: str, claim: Claim) -> bool:
        async with aclosing(self.results(batch)) as results:
            async for result in results:
                return result.key in claim.keys
        return False

    def _outcome(self, result: Mapping[str, Any]) -> ChatAnswer | ModelError:
        match result.get("type"):
            case "succeeded":
                return read_answer(AnthropicReader(self._faults), mapping(result.get("message")))
            case "errored":
                error = mapping(result.get("error"))
                return self._faults.from_payload(error if "error" in error else {"error": error})
            case _:
                return BatchExpired("The batch was over before this request was answered.")


def _status(batch: Mapping[str, Any]) -> BatchStatus:
    counts = mapping(batch.get("request_counts"))
    finished = sum(count(counts.get(name)) for name in ("succeeded", "errored", "canceled", "expired"))
    state = BatchState.ENDED if batch.get("processing_status") == "ended" else BatchState.RUNNING
    return BatchStatus(state, finished, finished + count(counts.get("processing")))


def _seconds(moment: object) -> float:
    try:
        return datetime.fromisoformat(str(moment)).timestamp()
    except ValueError:
        return 0.0
