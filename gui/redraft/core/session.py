"""What is open, kept from one start to the next: files, carets, recent files, the window's shape."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from redraft.core.paths import state_folder
from redraft.core.records import read_record, write_record

FILE_NAME: Final = "session.json"
RECENT_LIMIT: Final = 30
LOG: Final = logging.getLogger(__name__)


class OpenFile(BaseModel):
    """One open file.

    Attributes:
        path: Where it is.
        caret: Offset of the caret.
        anchor: Where the selection began; the caret's offset where there is none.
        first_line: The first line on screen, from 0.
    """

    model_config = ConfigDict(frozen=True)

    path: Path
    caret: int = Field(default=0, ge=0)
    anchor: int = Field(default=0, ge=0)
    first_line: int = Field(default=0, ge=0)


class Session(BaseModel):
    """What is open.

    Attributes:
        files: Open files in the order of their tabs.
        active: The one in front.
        folder: The open folder.
        recent_files: Files opened of late, the latest first.
        recent_folders: Folders opened of late, the latest first.
        window: The window's shape, in its own words.
    """

    model_config = ConfigDict(frozen=True)

    files: tuple[OpenFile, ...] = ()
    active: Path | None = None
    folder: Path | None = None
    recent_files: tuple[Path, ...] = ()
    recent_folders: tuple[Path, ...] = ()
    window: str = ""

    @field_validator("*", mode="wrap")
    @classmethod
    def _tolerant(cls, value: Any, check: Any, info: Any) -> Any:
        """A part that makes no sense is left out; the others count."""
        try:
            return check(value)
        except ValidationError:
            if not isinstance(value, list):
                return cls.model_fields[info.field_name].default
        return tuple(entry for part in value for entry in _checked(check, part))

    def with_recent_file(self, path: Path) -> Session:
        """The same session with a file as the latest."""
        return self.model_copy(update={"recent_files": _latest_first(path, self.recent_files)})

    def with_recent_folder(self, path: Path) -> Session:
        """The same session with a folder as the latest."""
        return self.model_copy(update={"recent_folders": _latest_first(path, self.recent_folders)})


def load_session(file: Path | None = None) -> Session:
    """The session of last time; an empty one where there is none, or none that makes sense."""
    file = file or state_folder() / FILE_NAME
    try:
        return read_record(file, Session)
    except FileNotFoundError:
        return Session()
    except (OSError, ValueError) as error:
        LOG.warning("%s cannot be read (%s), so nothing is opened again", file, type(error).__name__)
        return Session()


def save_session(session: Session, file: Path | None = None) -> None:
    """Keep a session for the next start.

    Raises:
        FileError: It cannot be written; the one before is whole.
    """
    write_record(file or state_folder() / FILE_NAME, session)


def _checked(check: Any, part: Any) -> tuple[Any, ...]:
    try:
        return tuple(check([part]))
    except ValidationError:
        return ()


def _latest_first(path: Path, others: tuple[Path, ...]) -> tuple[Path, ...]:
    return (path, *(other for other in others if other != path))[:RECENT_LIMIT]
