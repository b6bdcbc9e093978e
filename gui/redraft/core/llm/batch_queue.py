"""The requests of the cache that wait for a batch, or are in one.

    queued → claimed → in flight → done
       ↑________|__________|______→ failed

A row is claimed by the process that uploads it, so that no other uploads it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from redraft.core.llm.cache import LlmCache
from redraft.core.llm.cache_format import CacheRow, RowState, encode_answer, encode_request, request_key
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import ChatRequest


@dataclass(frozen=True, slots=True)
class Claim:
    """Rows that one process is uploading.

    Attributes:
        id: Its own name, unlike any other.
        keys: The rows, in order.
        since: When it was made, in seconds since 1970.
    """

    id: str
    keys: tuple[str, ...]
    since: float


class BatchQueue:
    """The rows of one scope (one model's server) in the cache."""

    def __init__(self, cache: LlmCache, scope: str) -> None:
        self.cache = cache
        self.scope = scope

    def enqueue(self, requests: Iterable[ChatRequest]) -> int:
        """Queue requests; those already known stay as they are. Returns how many are new."""
        rows = [
            (request_key(self.scope, request), self.scope, encode_request(request), self.cache.now())
            for request in requests
        ]
        query = "INSERT OR IGNORE INTO answers (key, scope, request, state, changed) VALUES (?, ?, ?, 'queued', ?)"
        with self.cache.writing() as write:
            return sum(write(query, row).rowcount for row in rows)

    def claim(self, claim: str, *, rows: int, size: int) -> list[CacheRow]:
        """Take queued rows for uploading; at most `rows`, and at most about `size` characters of requests."""
        query = "UPDATE answers SET state = 'claimed', batch = ?, changed = ? WHERE key = ?"
        taken: list[CacheRow] = []
        with self.cache.writing() as write:
            keys = self.cache.select(
                "SELECT key, length(request) FROM answers WHERE scope = ? AND state = 'queued' ORDER BY key LIMIT ?",
                (self.scope, rows),
            )
            for key, length in keys:
                size -= length
                if size < 0 and taken:
                    break
                write(query, (claim, self.cache.now(), key))
                taken += self.cache.rows("key = ?", (key,))
        return taken

    def claims(self) -> list[Claim]:
        """Claims that stand: of other processes, or of one that died."""
        found: dict[str, Claim] = {}
        rows = self.cache.select(
            "SELECT batch, key, changed FROM answers WHERE scope = ? AND state = 'claimed' ORDER BY key", (self.scope,)
        )
        for batch, key, changed in rows:
            known = found.get(batch, Claim(batch, (), changed))
            found[batch] = Claim(batch, (*known.keys, key), min(known.since, changed))
        return list(found.values())

    def settle(self, claim: str, batch: str) -> None:
        """Note that the rows of a claim are in flight in a batch."""
        with self.cache.writing() as write:
            write(
                "UPDATE answers SET state = 'in_flight', batch = ?, changed = ? WHERE batch = ? AND state = 'claimed'",
                (batch, self.cache.now(), claim),
            )

    def release(self, batch: str) -> None:
        """Queue the unanswered rows of a claim or batch again."""
        with self.cache.writing() as write:
            write(
                "UPDATE answers SET state = 'queued', batch = '', changed = ? "
                "WHERE batch = ? AND state IN ('claimed', 'in_flight')",
                (self.cache.now(), batch),
            )

    def unanswered(self, batch: str) -> list[CacheRow]:
        """The unanswered rows of a batch, in the order in which they were uploaded."""
        return self.cache.rows("batch = ? AND state = 'in_flight'", (batch,))

    def batches(self) -> list[str]:
        """Batches with unanswered rows."""
        found = self.cache.select(
            "SELECT DISTINCT batch FROM answers WHERE scope = ? AND state = 'in_flight' ORDER BY batch", (self.scope,)
        )
        return [batch for (batch,) in found]

    def finish(self, outcomes: Mapping[str, ChatAnswer | Exception], *, again: Iterable[str] = ()) -> None:
        """Note answers and errors, all or none; the rows in `again` are queued once more and keep their error."""
        queued = set(again)
        query = (
            "UPDATE answers SET state = ?, answer = ?, error = ?, attempts = attempts + 1, batch = '', changed = ? "
            "WHERE key = ? AND state != 'done'"
        )
        with self.cache.writing() as write:
            for key, outcome in outcomes.items():
                if isinstance(outcome, ChatAnswer):
                    state, answer, error = RowState.DONE, encode_answer(outcome), ""
                else:
                    state = RowState.QUEUED if key in queued else RowState.FAILED
                    answer, error = "", str(outcome)
                write(query, (state.value, answer, error, self.cache.now(), key))

    def adopt(self, answers: Mapping[str, ChatAnswer]) -> None:
        """Keep answers whose requests may be unknown here, as after the file was lost."""
        query = (
            "INSERT INTO answers (key, scope, request, state, answer, changed) VALUES (?, ?, '{}', 'done', ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET state = 'done', answer = excluded.answer, error = '', batch = ''"
        )
        with self.cache.writing() as write:
            for key, answer in answers.items():
                write(query, (key, self.scope, encode_answer(answer), self.cache.now()))

    def retry_failed(self) -> int:
        """Queue all failed rows again, with a clean slate. Returns how many."""
        query = "UPDATE answers SET state = 'queued', error = '', attempts = 0 WHERE scope = ? AND state = 'failed'"
        with self.cache.writing() as write:
            return write(query, (self.scope,)).rowcount

    def counts(self) -> dict[RowState, int]:
        """How many rows are in each state."""
        found = dict(
            self.cache.select("SELECT state, COUNT(*) FROM answers WHERE scope = ? GROUP BY state", (self.scope,))
        )
        return {state: found.get(state.value, 0) for state in RowState}

    def failures(self) -> list[CacheRow]:
        """Rows that failed for good, with their errors."""
        return self.cache.rows("scope = ? AND state = 'failed'", (self.scope,))
