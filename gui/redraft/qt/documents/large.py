"""Reads and writes large files away from the GUI thread, and fills their editors a piece at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from redraft.core import textfile
from redraft.core.errors import FileError
from redraft.core.textfile import TextFile
from redraft.qt.editor.limits import Limits, limits_of

LARGE: Final = 8_000_000
"""Bytes from which on a file is read and written in the background."""

BUDGET_SECONDS: Final = 0.008
"""Longest time the filling of an editor goes on before the window has its turn."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read, and what was found out about its text on the way."""

    file: TextFile
    limits: Limits


class _Job:
    """One piece of work: its result is told once, either when it comes by itself or when somebody waits for it.

    The worker knows it too. So it lets go of who is told, or the worker might be the last to hold a document.
    """

    def __init__(self, future: Future[object], on_done: Callable[[object], None]) -> None:
        self._future = future
        self._on_done: Callable[[object], None] | None = on_done

    def finish(self) -> None:
        """Wait for the work, and tell its result if that has not been done."""
        if self._on_done is None or self._future.cancelled():
            return
        result = self._future.result()
        on_done, self._on_done = self._on_done, None
        on_done(result)


class LargeFiles(QObject):
    """One worker thread for all large files; results arrive in the GUI thread."""

    _finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.threshold = LARGE
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="large-files")
        self._filling: list[Iterator[None]] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_turn)
        self._finished.connect(self._on_finished, Qt.ConnectionType.QueuedConnection)

    def takes(self, path: Path) -> bool:
        """Whether reading a file at once would hold the window up."""
        try:
            return path.stat().st_size >= self.threshold
        except OSError:
            return False

    def read(self, path: Path, max_bytes: int, on_done: Callable[[ReadFile | FileError], None]) -> None:
        """Read a file; what went wrong comes as its error."""

        def work() -> ReadFile | FileError:
            try:
                file = textfile.load(path, max_bytes=max_bytes)
            except FileError as error:
                return error
            return ReadFile(file, limits_of(file.text))

        self._start(work, on_done)

    def write(
        self, file: TextFile, on_done: Callable[[TextFile | FileError], None], *, overwrite: bool = False
    ) -> Callable[[], None]:
        """Write a file; returns a call that waits until it is written and its result told."""

        def work() -> TextFile | FileError:
            try:
                return textfile.save(file, overwrite=overwrite)
            except FileError as error:
                return error

        return self._start(work, on_done).finish

    def fill(self, steps: Iterator[None]) -> None:
        """Take steps whenever the window has time, until there are no more."""
        self._filling.append(steps)
        self._timer.start()

    def stop(self) -> None:
        """Finish what is being written, and nothing else."""
        self._timer.stop()
        self._filling.clear()
        self._pool.shutdown(wait=True, cancel_futures=False)

    def _start(self, work: Callable[[], object], on_done: Callable[..., None]) -> _Job:
        future = self._pool.submit(work)
        job = _Job(future, on_done)
        future.add_done_callback(lambda _future: self._finished.emit(job))
        return job

    def _on_finished(self, job: _Job) -> None:
        job.finish()

    def _on_turn(self) -> None:
        ends = time.monotonic() + BUDGET_SECONDS
        while self._filling and time.monotonic() < ends:
            steps = self._filling[0]
            try:
                next(steps)
            except StopIteration:
                self._filling.pop(0)
        if not self._filling:
            self._timer.stop()
