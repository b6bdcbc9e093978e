"""OpenAI's Batch API: https://platform.openai.com/docs/guides/batch."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Final

from redraft.core.errors import ModelError
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
from redraft.core.llm.chat import encode_json
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.openai import OpenAIReader, openai_body
from redraft.core.llm.reader import count, mapping
from redraft.core.llm.refusals import Refusal
from redraft.core.llm.server import ServerConfig

_ENDPOINT: Final = "/v1/chat/completions"
_STATES: Final = {
    "completed": BatchState.ENDED,
    "expired": BatchState.ENDED,
    "cancelled": BatchState.ENDED,
    "failed": BatchState.REJECTED,
}
_OVER: Final = {"batch_expired", "batch_cancelled"}


class OpenAIBatches:
    """The batches of one account: a file goes up, two files (answers and errors) come back."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self._faults = FaultMapper(config)

    async def submit(self, rows: Sequence[CacheRow], claim: str) -> str:
        """Upload rows as one batch, marked with the claim; its id."""
        content = b"\n".join(self._line(row) for row in rows)
        async with ApiClient(self._config) as api:
            file = mapping(
                await api.post_file(self._config.endpoint("files"), f"{claim}.jsonl", content, {"purpose": "batch"})
            )
            order = {
                "input_file_id": self._faults.id_of(file),
                "endpoint": _ENDPOINT,
                "completion_window": "24h",
                "metadata": {"claim": claim},
            }
            return self._faults.id_of(mapping(await api.post_json(self._config.endpoint("batches"), order)))

    async def find(self, claim: Claim) -> str | None:
        """The batch that carries a claim's mark, among the latest hundred."""
        url = self._config.endpoint("batches").copy_merge_params({"limit": "100"})
        async with ApiClient(self._config) as api:
            listed = mapping(await api.get_json(url))
        for batch in map(mapping, listed.get("data") or ()):
            if mapping(batch.get("metadata")).get("claim") == claim.id:
                return self._faults.id_of(batch)
        return None

    async def look(self, batch: str) -> BatchStatus:
        """How a batch stands."""
        async with ApiClient(self._config) as api:
            return _status(await self._fetch(api, batch))

    async def results(self, batch: str) -> AsyncGenerator[BatchResult, None]:
        """What has become of the rows: answers first, then errors."""
        async with ApiClient(self._config) as api:
            found = await self._fetch(api, batch)
            for name in ("output_file_id", "error_file_id"):
                if not (file := found.get(name)):
                    continue
                async with aclosing(api.lines(self._config.endpoint(f"files/{file}/content"))) as lines:
                    async for line in lines:
                        if (row := read_line(line)) is not None:
                            yield BatchResult(str(row.get("custom_id")), self._outcome(row))

    async def _fetch(self, api: ApiClient, batch: str) -> Mapping[str, Any]:
        return mapping(await api.get_json(self._config.endpoint(f"batches/{batch}")))

    def _line(self, row: CacheRow) -> bytes:
        body = openai_body(self._config, row.request)
        return encode_json({"custom_id": row.key, "method": "POST", "url": _ENDPOINT, "body": body})

    def _outcome(self, row: Mapping[str, Any]) -> ChatAnswer | ModelError:
        error, response = mapping(row.get("error")), mapping(row.get("response"))
        if error.get("code") in _OVER:
            return BatchExpired("The batch was over before this request was answered.")
        if error or not response:
            return self._faults.from_payload({"error": error})
        status, body = count(response.get("status_code")), mapping(response.get("body"))
        if status != 200:
            return self._faults.from_refusal(Refusal.of_response(status or 500, {}, encode_json(body)))
        return read_answer(OpenAIReader(self._faults), body)


def _status(batch: Mapping[str, Any]) -> BatchStatus:
    counts = mapping(batch.get("request_counts"))
    finished = count(counts.get("completed")) + count(counts.get("failed"))
    faults = [mapping(fault) for fault in mapping(batch.get("errors")).get("data") or ()]
    return BatchStatus(
        _STATES.get(str(batch.get("status")), BatchState.RUNNING),
        finished,
        count(counts.get("total")),
        # Lines of the file count from 1; 0 or nothing means the whole file.
        tuple((count(fault.get("line")) - 1, str(fault.get("message") or "refused")) for fault in faults),
    )
