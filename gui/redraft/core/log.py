"""Writes the log, and sees to it that no key ever reaches it.

Everything that is written passes `redacted`, tracebacks and other libraries' messages included: keys that were
registered with `redact`, and whatever stands where keys usually stand (headers, addresses, well-known prefixes).
"""

from __future__ import annotations

import json
import logging
import re
import threading
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final
from urllib.parse import quote, quote_plus

from redraft.core.paths import private_folder, state_folder

HIDDEN: Final = "[redacted]"
# Anything shorter protects nothing, and would blot out half of every line.
SHORTEST_SECRET: Final = 4
MAX_BYTES: Final = 1 << 20
KEPT_FILES: Final = 3
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"

HEADER: Final = r"(?:proxy-)?authorization|(?:[a-z]+[-_])*api[-_]?key|(?:[a-z]+-)*auth-token|(?:set-)?cookie"
PARAMETER: Final = r"(?:[a-z]+[_-])*(?:key|token|secret|password)"
VALUE: Final = r"[^\s\"'\\,;&)}\]]+"
PATTERNS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # A header as `name: value`, as a pair in a dictionary, or as a tuple of bytes.
        rf"(?P<kept>\b(?:{HEADER})\b[\"']?\s*[:=,]\s*(?:b?[\"'])?(?:(?:bearer|basic|token)\s+)?){VALUE}",
        rf"(?P<kept>\b(?:bearer|basic)\s+)(?=\S*[\d_.=-]){VALUE}",
        rf"(?P<kept>[?&]{PARAMETER}=)[^\s&\"'#]+",
        r"(?P<kept>\b[a-z][a-z0-9+.-]*://)[^\s/@\"']+(?=@)",
        r"(?P<kept>)\bsk-[a-z0-9_-]{8,}",
    )
)


class _Secrets:
    """The registered keys, in every spelling in which they may turn up."""

    def __init__(self) -> None:
        self._spellings: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self._lock = threading.Lock()

    def add(self, secret: str) -> None:
        if len(secret) < SHORTEST_SECRET:
            return
        with self._lock:
            self._spellings |= {secret, quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1]}
            # The longest first, so that a key that begins with another one is not half shown.
            ordered = sorted(self._spellings, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, ordered)))

    def hide(self, text: str) -> str:
        return self._pattern.sub(HIDDEN, text) if self._pattern else text


_SECRETS: Final = _Secrets()


def redact(secret: str) -> None:
    """Never let this key be written, from now on."""
    _SECRETS.add(secret.strip())


def redacted(text: str) -> str:
    """A text without keys, for logs, crash reports and exports."""
    text = _SECRETS.hide(text)
    for pattern in PATTERNS:
        text = pattern.sub(lambda match: match["kept"] + HIDDEN, text)
    return text


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, without keys."""

    def format(self, record: logging.LogRecord) -> str:  # noqa: D102 - as in logging
        return redacted(super().format(record))


class _PrivateFileHandler(RotatingFileHandler):
    """A rotating file that only the user can read."""

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).touch(mode=0o600)
        return super()._open()


def start_log(folder: Path | None = None, *, level: int = logging.INFO) -> Path:
    """Write the log of this process to a rotating file, in the state folder by default; return the file's path.

    Calling it again moves the log. Other libraries are heard from warnings up.

    Raises:
        FileError: The folder cannot be made.
    """
    path = (private_folder(folder) if folder is not None else state_folder("logs")) / "redraft.log"
    root = logging.getLogger()
    stop_log()
    handler = _PrivateFileHandler(path, maxBytes=MAX_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=True)
    handler.setFormatter(RedactingFormatter(FORMAT))
    root.addHandler(handler)
    logging.getLogger("redraft").setLevel(level)
    return path


def stop_log() -> None:
    """Close the log file, if there is one."""
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, _PrivateFileHandler)]:
        root.removeHandler(handler)
        handler.close()
