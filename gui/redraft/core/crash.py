"""What is kept of a crash: errors nobody caught, in the log and on the terminal, and the stacks of a process that dies.

Both without keys. Stacks of a dying process name files and functions only; the next start moves them into the log.
"""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import Final, TextIO

from redraft.core.log import redacted
from redraft.core.paths import private_folder, state_folder

LOG: Final = logging.getLogger(__name__)
FILE_NAME: Final = "crash.txt"
LONGEST: Final = 20_000
"""Characters of an old crash that are moved into the log."""


class CrashWatch:
    """Hears of what nobody caught, from `start` to `stop`.

    Args:
        folder: Where the stacks of a dying process go; the folder of the log by default.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (private_folder(folder) if folder is not None else state_folder("logs")) / FILE_NAME
        self._file: TextIO | None = None
        self._hooks = sys.excepthook, threading.excepthook
        self._was_enabled = faulthandler.is_enabled()

    def start(self) -> None:
        """Take up what the last crash left, and watch for the next; without a file, the log alone hears."""
        self._take_up()
        self._hooks = sys.excepthook, threading.excepthook
        sys.excepthook, threading.excepthook = report, _report_in_thread
        try:
            self.path.touch(mode=0o600)
            self._file = self.path.open("a", encoding="utf-8")
        except OSError as error:
            LOG.warning("crashes leave no trace: %s", error)
        else:
            faulthandler.enable(self._file)

    def stop(self) -> None:
        """Watch no more."""
        sys.excepthook, threading.excepthook = self._hooks
        if self._file is not None:
            faulthandler.disable()
            if self._was_enabled:
                faulthandler.enable()
            self._file.close()
            self._file = None

    def _take_up(self) -> None:
        try:
            left = self.path.read_text(encoding="utf-8", errors="replace")
            if left:  # not removed: another window may have it open
                self.path.write_bytes(b"")
        except OSError:
            return
        if left.strip():
            LOG.error("an earlier run ended in a crash:\n%s", left[:LONGEST])


def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write an error that nobody caught to the log and the terminal, without keys."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    LOG.critical("an error that nobody caught", exc_info=(kind, error, trace))
    if sys.stderr is not None:
        sys.stderr.write(redacted("".join(traceback.format_exception(kind, error, trace))))


def _report_in_thread(caught: threading.ExceptHookArgs) -> None:
    if caught.exc_value is not None and not issubclass(caught.exc_type, SystemExit):
        report(caught.exc_type, caught.exc_value, caught.exc_traceback)
