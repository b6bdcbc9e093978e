"""What the command line asks the window to do, as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_LOCATION: Final = re.compile(r"(?P<path>.+?):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?:?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file or folder to open.

    Attributes:
        path: Where it is, absolute; a file that is not there yet becomes a new one.
        line: The line to go to, from 1; 0 where none was named.
        column: The column in that line, from 1; 0 where none was named.
    """

    path: Path
    line: int = 0
    column: int = 0

    @classmethod
    def literal(cls, name: str) -> FileTarget:
        """A file by its name alone, whatever it looks like."""
        return cls(Path(name).expanduser().absolute())

    @classmethod
    def parse(cls, text: str) -> FileTarget:
        """A file written as `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`; a file of the whole name wins."""
        whole = cls.literal(text)
        found = _LOCATION.fullmatch(text)
        if found is None or whole.path.exists():
            return whole
        return cls(cls.literal(found["path"]).path, int(found["line"]), int(found["column"] or 0))


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """How to start the window."""

    targets: tuple[FileTarget, ...] = ()
    safe_mode: bool = False
