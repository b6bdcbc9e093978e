"""Datasets on disk: read example by example, so that a million of them fit in memory, and written line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from redraft.core.errors import UsageError
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.markdown import read_markdown

STDIN = Path("-")


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of one file, as they are asked for: `.json`, `.jsonl`, `.md`, or `-` for standard input.

    An example without a name is called after its file, in JSON Lines with its line from 0 behind.

    Raises:
        UsageError: The file is of another kind, missing, or broken; the message names path and line.
    """
    try:
        if path == STDIN:
            yield from _lines(sys.stdin, path)
        elif path.suffix == ".jsonl":
            with path.open(encoding="utf-8") as lines:
                yield from _lines(lines, path)
        elif path.suffix == ".json":
            yield _named(_checked(lambda: Example.model_validate_json(path.read_text("utf-8")), f"{path}"), path.stem)
        elif path.suffix == ".md":
            yield _named(_checked(lambda: read_markdown(path.read_text("utf-8")), f"{path}"), path.stem)
        else:
            raise UsageError(f"{path} is no dataset; examples are read from .jsonl, .json and .md files.")
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text (byte {error.start}).") from error


def _lines(lines: Iterable[str], path: Path) -> Iterator[Example]:
    for number, line in enumerate(lines):

        def parse(line: str = line) -> Example:
            return Example.model_validate_json(line)

        stem = "stdin" if path == STDIN else path.stem
        yield _named(_checked(parse, f"{path}, line {number + 1}"), f"{stem}-{number}")


def _checked(parse: Callable[[], Example], place: str) -> Example:
    try:
        return parse()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{place} is no example: {where + ': ' if where else ''}{first['msg']}.") from error
    except UsageError as error:
        raise UsageError(f"{place} is no example: {error}.") from error


def _named(example: Example, name: str) -> Example:
    return example if example.name else example.changed(name=name)
