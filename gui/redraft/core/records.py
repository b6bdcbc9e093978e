"""Private JSON files of one record each, written whole and read with patience."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from redraft.core.whole_write import write_whole

R = TypeVar("R", bound=BaseModel)


def write_record(file: Path, record: BaseModel) -> None:
    """Write a record for the user alone; it is on disk when this returns.

    Raises:
        FileError: It cannot be written; what was there before is whole.
    """
    # Half of a surrogate pair, in a text or a file's name, survives as an escape; as UTF-8 it would not.
    write_whole(file, json.dumps(record.model_dump(), default=str).encode("ascii"), mode=0o600)


def read_record(file: Path, kind: type[R]) -> R:
    """Read a record.

    Raises:
        FileNotFoundError: There is none.
        OSError: It cannot be read.
        ValueError: It makes no sense.
    """
    try:
        return kind.model_validate(json.loads(file.read_bytes()))
    except RecursionError as error:
        raise ValueError("nested too deep") from error
