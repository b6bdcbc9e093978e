"""Many requests at half the price: uploaded as batches, collected hours later, over restarts and lost connections."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from redraft.core.errors import BadRequest, ConnectionFailed, ModelError, ModelNotFound, ServerError, TimedOut
from redraft.core.llm.batch_queue import BatchQueue
from redraft.core.llm.batch_service import BatchExpired, BatchResult, BatchService, BatchState, BatchStatus
from redraft.core.llm.cache_format import CacheRow, RowState
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.retry import RetryPolicy, is_passing

POLL_SECONDS: Final = 30.0
"""Time between two looks at a batch."""

PAGE_ROWS: Final = 16_000
"""Most requests of one batch."""

PAGE_SIZE: Final = 100 * 1024 * 1024
ROW_ATTEMPTS: Final = 3
"""How often one request is sent before its error counts."""

CLAIM_SECONDS: Final = 600.0
"""After this long without an upload, a claim is taken for that of a process that died."""

_WRITE_ROWS: Final = 500
"""Answers that are kept in one transaction."""


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How many rows are in each state, and what goes on.

    Attributes:
        queued: Waiting to be uploaded.
        in_flight: At the server.
        done: Answered.
        failed: Given up.
        finished_at_server: Of those in flight, how many the server has finished.
        waiting: Seconds until the next look, or 0.
        trouble: Why it waits before it tries again, or empty.
    """

    queued: int
    in_flight: int
    done: int
    failed: int
    finished_at_server: int = 0
    waiting: float = 0.0
    trouble: str = ""


class BatchRunner:
    """Carries the rows of a queue through a provider's batches.

    It may be killed at any point and started again: what was uploaded is found, what was answered is kept, and nothing
    is uploaded twice.

    Args:
        queue: The rows.
        service: The provider.
        policy: How often and after how long to ask again when the server cannot be asked.
        sleep: Waits some seconds.
    """

    def __init__(
        self,
        queue: BatchQueue,
        service: BatchService,
        *,
        policy: RetryPolicy | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._queue = queue
        self._service = service
        self._policy = policy or RetryPolicy(attempts=10, longest_delay=300, longest_wait=3600, is_patient=True)
        self._sleep = sleep
        self._finished: dict[str, int] = {}
        self._own_claims: set[str] = set()

    async def run(self, poll: float = POLL_SECONDS) -> AsyncGenerator[BatchProgress, None]:
        """Upload and collect until no row is left, telling how it goes; closing the iterator loses nothing.

        Args:
            poll: Seconds between two looks.

        Raises:
            ModelError: The server cannot be asked, after several attempts.
        """
        failures = 0
        while True:
            try:
                await self.recover()
                await self.upload()
                await self.collect()
                failures, delay, trouble = 0, poll, ""
            except ModelError as error:
                failures += 1
                wait = self._policy.delay(error, failures, jitter=0)
                if wait is None:
                    raise
                delay, trouble = wait, str(error)
            progress = self.progress(waiting=delay, trouble=trouble)
            if not (progress.queued or progress.in_flight):
                yield self.progress()
                return
            yield progress
            if progress.in_flight or trouble:
                await self._sleep(delay)

    def progress(self, *, waiting: float = 0.0, trouble: str = "") -> BatchProgress:
        """How many rows are in each state."""
        counts = self._queue.counts()
        return BatchProgress(
            counts[RowState.QUEUED],
            counts[RowState.IN_FLIGHT] + counts[RowState.CLAIMED],
            counts[RowState.DONE],
            counts[RowState.FAILED],
            sum(self._finished.values()),
            waiting,
            trouble,
        )

    async def recover(self) -> None:
        """Find the batches of claims whose uploader died; without one, a claim is given up after `CLAIM_SECONDS`."""
        for claim in self._queue.claims():
            batch = await self._service.find(claim)
            if batch is not None:
                self._queue.settle(claim.id, batch)
            elif claim.id in self._own_claims or self._queue.cache.now() - claim.since > CLAIM_SECONDS:
                self._queue.release(claim.id)
            self._own_claims.discard(claim.id)

    async def upload(self) -> int:
        """Upload all queued rows, page by page; how many there were."""
        uploaded = 0
        while True:
            claim = f"redraft-{uuid.uuid4().hex}"
            rows = self._queue.claim(claim, rows=PAGE_ROWS, size=PAGE_SIZE)
            if not rows:
                return uploaded
            try:
                batch = await self._service.submit(rows, claim)
            except ModelError as error:
                if _may_have_arrived(error):
                    self._own_claims.add(claim)  # `recover` looks for the batch that may have been made.
                else:
                    self._queue.release(claim)
                raise
            self._queue.settle(claim, batch)
            uploaded += len(rows)

    async def collect(self) -> int:
        """Take the results of all batches that have ended; how many rows are answered or failed by that."""
        taken = 0
        for batch in self._queue.batches():
            try:
                status = await self._service.look(batch)
            except ModelNotFound:
                self._queue.release(batch)  # The server keeps batches for some weeks only.
                continue
            self._finished[batch] = status.finished
            if status.state is not BatchState.RUNNING:
                self._finished.pop(batch)
                taken += await self._take(batch, status)
        return taken

    async def adopt(self, batches: Sequence[str]) -> int:
        """Take answers of ended batches by their ids, even if nothing is known of them here; how many there were."""
        count = 0
        for batch in batches:
            async with aclosing(self._service.results(batch)) as results:
                found = {result.key: result.outcome async for result in results}
            answers = {key: outcome for key, outcome in found.items() if isinstance(outcome, ChatAnswer)}
            self._queue.adopt(answers)
            count += len(answers)
        return count

    async def _take(self, batch: str, status: BatchStatus) -> int:
        rows = {row.key: row for row in self._queue.unanswered(batch)}
        if status.state is BatchState.REJECTED:
            self._reject(batch, list(rows.values()), status)
            return len(rows)
        page: list[BatchResult] = []
        async with aclosing(self._service.results(batch)) as results:
            async for result in results:
                if result.key in rows:
                    page.append(result)
                if len(page) >= _WRITE_ROWS:
                    self._write(page, rows)
                    page = []
        self._write(page, rows)
        missing = BatchExpired("The batch ended without an answer to this request.")
        self._write([BatchResult(row.key, missing) for row in self._queue.unanswered(batch)], rows)
        return len(rows)

    def _write(self, page: Sequence[BatchResult], rows: dict[str, CacheRow]) -> None:
        outcomes = {result.key: result.outcome for result in page}
        again = [
            key
            for key, outcome in outcomes.items()
            if isinstance(outcome, ModelError) and _deserves_another(outcome, rows[key])
        ]
        self._queue.finish(outcomes, again=again)

    def _reject(self, batch: str, rows: Sequence[CacheRow], status: BatchStatus) -> None:
        """Fail the rows that are at fault, and queue the others again; without a culprit, all have had an attempt."""
        faults = dict(status.faults)
        culprits = {row.key: BadRequest(faults[line], status=400) for line, row in enumerate(rows) if line in faults}
        if culprits:
            self._queue.finish(culprits)
            self._queue.release(batch)
            return
        error = BadRequest(faults.get(-1, "The server refused the batch."), status=400)
        again = [row.key for row in rows if row.attempts + 1 < ROW_ATTEMPTS]
        self._queue.finish({row.key: error for row in rows}, again=again)


def _deserves_another(error: ModelError, row: CacheRow) -> bool:
    may_pass = is_passing(error) or isinstance(error, BatchExpired)
    return may_pass and row.attempts + 1 < ROW_ATTEMPTS


def _may_have_arrived(error: ModelError) -> bool:
    """Whether the server may have taken the rows though it did not say so."""
    if isinstance(error, TimedOut):
        return error.limit != "connect"
    return isinstance(error, ServerError) or (isinstance(error, ConnectionFailed) and error.kind == "closed")
