"""What was asked and answered, in one SQLite file: an answer is paid for once, however many processes ask."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from redraft.core.errors import FileError
from redraft.core.llm.cache_format import CacheRow, encode_answer, encode_request, request_key, row_of
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import ChatRequest

BUSY_SECONDS: Final = 30.0
"""Longest wait for another process that writes to the cache."""

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,
    scope TEXT NOT NULL,
    request TEXT NOT NULL,
    state TEXT NOT NULL,
    batch TEXT NOT NULL DEFAULT '',
    answer TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    changed REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS answers_by_state ON answers (scope, state, key);
CREATE INDEX IF NOT EXISTS answers_by_batch ON answers (batch);
"""


class LlmCache:
    """The cache in one file. One object serves one process, from any of its threads.

    Args:
        path: The file; it and its folder are made.
        clock: Seconds since 1970.

    Raises:
        FileError: It cannot be opened.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # It holds people's code.
            self._database = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise _unusable(path, error) from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise _unusable(path, error) from error

    def _prepare(self) -> None:
        self._database.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")
        if self._database.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            _patiently(lambda: self._database.execute("PRAGMA journal_mode = WAL"))
        self._database.execute("PRAGMA synchronous = NORMAL")
        _patiently(lambda: self._database.executescript(_SCHEMA))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, scope: str, request: ChatRequest) -> CacheRow | None:
        """What is known of a request, or `None`."""
        return self.row(request_key(scope, request))

    def row(self, key: str) -> CacheRow | None:
        """The row with a key, or `None`."""
        return next(iter(self.rows("key = ?", (key,))), None)

    def put(self, scope: str, request: ChatRequest, answer: ChatAnswer) -> None:
        """Keep an answer."""
        with self.writing() as write:
            write(
                "INSERT INTO answers (key, scope, request, state, answer, changed) VALUES (?, ?, ?, 'done', ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET state = 'done', answer = excluded.answer, error = '', "
                "changed = excluded.changed",
                (request_key(scope, request), scope, encode_request(request), encode_answer(answer), self._clock()),
            )

    def rows(self, where: str, values: Sequence[object] = ()) -> list[CacheRow]:
        """The rows that meet an SQL condition (which is code, never data), by key."""
        columns = "key, request, state, answer, error, attempts"
        found = self.select(f"SELECT {columns} FROM answers WHERE {where} ORDER BY key", values)  # noqa: S608 - see above
        return [row_of(row) for row in found]

    def select(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """The outcome of an SQL query."""
        with self._lock:
            return self._database.execute(query, values).fetchall()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._clock()

    @contextmanager
    def writing(self) -> Iterator[Callable[[str, tuple[object, ...]], sqlite3.Cursor]]:
        """One transaction. IMMEDIATE, so that a reader never has to be promoted to a writer, which fails when busy."""
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database.execute
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")


def _patiently(act: Callable[[], object]) -> None:
    """Act until the file is free: the first switch to WAL answers "busy" at once, whatever the timeout."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            act()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _unusable(path: Path, error: Exception) -> FileError:
    return FileError(f"The answer cache {path} cannot be used ({error}); move it away to begin a new one.")
