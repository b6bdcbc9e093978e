"""Datasets on disk: read example by example, so that a million of them fit in memory."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from redraft.core.errors import UsageError
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.markdown import read_markdown

STDIN: Final = Path("-")


def example_of_file(path: Path) -> Example:
    """The one example of a `.json` or `.md` file, called after the file if it has no name.

    Raises:
        UsageError: The file is of another kind, missing, or broken; the message names it.
    """
    if path.suffix not in {".json", ".md"}:
        raise UsageError(f"{path} is no dataset; examples are read from .jsonl, .json and .md files.")
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text (byte {error.start}).") from error
    parse = read_markdown if path.suffix == ".md" else Example.model_validate_json
    return _named(_checked(lambda: parse(text), f"{path}"), path.stem)


def parse_example(line: bytes, path: Path, number: int) -> Example:
    """The example of one line of JSON Lines, called after its file and line if it has no name.

    Args:
        line: The line.
        path: The file it stands in.
        number: Its line, from 0.

    Raises:
        UsageError: It is no example; the message names path and line.
    """
    place = f"{path}, line {number + 1}"
    if not line.strip():
        raise UsageError(f"{place} is empty; every line holds one example.")
    line = line.removeprefix(codecs.BOM_UTF8) if number == 0 else line
    example = _checked(lambda: Example.model_validate_json(line.rstrip(b"\r\n")), place)
    return _named(example, f"{'stdin' if path == STDIN else path.stem}-{number}")


def _checked(parse: Callable[[], Example], place: str) -> Example:
    try:
        return parse()
    except ValidationError as error:
        raise UsageError(f"{place} is no example: {fault_of(error)}.") from error
    except UsageError as error:
        raise UsageError(f"{place} is no example: {error}.") from error


def fault_of(error: ValidationError) -> str:
    """The first thing that is wrong, in words."""
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        return f"it has no {where}"
    if first["type"] == "json_invalid":
        # In JSON Lines every example is line 1 of its own; the place has told the line of the file.
        reason = str(first["ctx"]["error"]).replace(" at line 1 column", ", at column")
        return f"its JSON is broken ({reason})"
    return f"{where}: {first['msg']}" if where else first["msg"]


def _named(example: Example, name: str) -> Example:
    return example if example.name else example.changed(name=name)
