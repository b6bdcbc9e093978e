"""The crash recovery journal: unsaved text and undecided proposals, on disk before a crash, offered after it.

Each process has a folder of its own and holds a lock on it while it lives, whatever ends it. One buffer is one file,
written whole. A folder whose lock is free belongs to a process that is gone: what is in it is offered.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field

from redraft.core.paths import private_folder, state_folder
from redraft.core.records import read_record, write_record
from redraft.core.whole_write import explain

PREFIX: Final = "process-"
LOCK: Final = "lock"
ATTEMPTS: Final = 10
SUFFIX: Final = ".json"
LOG: Final = logging.getLogger(__name__)


class UnsavedText(BaseModel):
    """What a buffer holds that no file does.

    Attributes:
        buffer_id: Which buffer; any text that stays the same while it is open.
        title: What its tab is called.
        path: Its file, or `None` for a new one.
        text: The accepted text; `None` where the file on disk has it and only proposals are undecided.
        disk_digest: `FileStamp.digest` of the file the text was based on, to notice that it has changed since.
        encoding: As in `TextFile`.
        has_bom: As in `TextFile`.
        language_id: The language.
        caret: Offset of the caret.
        proposals: Undecided proposals, as plain JSON values of whoever made them.
        saved_at: When this was written, in seconds since 1970; filled in by the journal.
    """

    model_config = ConfigDict(frozen=True)

    buffer_id: str
    title: str = ""
    path: Path | None = None
    text: str | None = None
    disk_digest: str | None = None
    encoding: str = "utf-8"
    has_bom: bool = False
    language_id: str = "plaintext"
    caret: int = Field(default=0, ge=0)
    proposals: tuple[dict[str, Any], ...] = ()
    saved_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a process that is gone left behind, and the file it stands in."""

    unsaved: UnsavedText
    file: Path


class RecoveryJournal:
    """The journal of this process, and the way to those of processes that are gone."""

    def __init__(self, folder: Path | None = None) -> None:
        """Begin a journal, in the state folder by default.

        Raises:
            FileError: It cannot be written.
        """
        self._root = private_folder(folder) if folder is not None else state_folder("recovery")
        try:
            self._own, self._lock = _begin(self._root)
        except OSError as error:
            raise explain(error, self._root, "written") from error

    def write(self, unsaved: UnsavedText) -> None:
        """Keep what a buffer holds, in place of what was kept for it before; it is on disk when this returns.

        Raises:
            FileError: It cannot be written; what was kept before is whole.
        """
        write_record(self._file(unsaved.buffer_id), unsaved.model_copy(update={"saved_at": time.time()}))

    def forget(self, buffer_id: str) -> None:
        """A buffer was saved or closed: nothing of it needs keeping."""
        self._file(buffer_id).unlink(missing_ok=True)

    def close(self) -> None:
        """The end of the process, as it should be; nothing is left to offer."""
        lock, self._lock = self._lock, None
        if lock is not None:
            shutil.rmtree(self._own, ignore_errors=True)
            os.close(lock)

    def recoverable(self) -> tuple[Recovered, ...]:
        """What processes that are gone left behind, the oldest first; what cannot be read is left where it is."""
        found = [
            recovered
            for folder in self._abandoned()
            for file in folder.glob("*" + SUFFIX)
            if (recovered := _read(file)) is not None
        ]
        return tuple(sorted(found, key=lambda recovered: recovered.unsaved.saved_at))

    def discard(self, recovered: Recovered) -> None:
        """The user has decided: this was taken up, and is in this journal if need be, or is not wanted."""
        recovered.file.unlink(missing_ok=True)
        folder = recovered.file.parent
        if folder != self._own and not any(folder.glob("*" + SUFFIX)):
            shutil.rmtree(folder, ignore_errors=True)

    def _file(self, buffer_id: str) -> Path:
        return self._own / (quote(buffer_id, safe="")[:200] + SUFFIX)

    def _abandoned(self) -> Iterator[Path]:
        for folder in self._root.glob(PREFIX + "*"):
            if folder == self._own:
                continue
            try:
                lock = _locked(folder)
            except OSError:
                continue
            if any(folder.glob("*" + SUFFIX)):
                os.close(lock)
                yield folder
            else:
                shutil.rmtree(folder, ignore_errors=True)
                os.close(lock)


def _begin(root: Path) -> tuple[Path, int | None]:
    """A new folder and its lock; one that another process takes for abandoned before it is locked is given up."""
    for _ in range(ATTEMPTS):
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=root))
        with suppress(FileNotFoundError, BlockingIOError):
            return folder, _locked(folder)
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def _locked(folder: Path) -> int:
    """Take the lock of a journal's folder; the system lets it go when the process ends, however that happens.

    Raises:
        OSError: A living process holds it, or the folder is gone.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_nlink == 0:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _read(file: Path) -> Recovered | None:
    try:
        return Recovered(read_record(file, UnsavedText), file)
    except (ValueError, OSError) as error:
        # The message could hold the text; its kind is enough.
        LOG.warning("%s cannot be read (%s) and is left as it is", file, type(error).__name__)
        return None
