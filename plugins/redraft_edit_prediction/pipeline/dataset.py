"""Which examples to work on: inputs indexed, filtered and sorted, without holding any of them in memory.

Every line is read and checked once before the work begins, so that a fault on the last line costs nothing. What is
kept of an example is where it stands and what it is sorted by, so a million of them need some hundred megabytes.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Self

from pydantic import ValidationError

from redraft.core.errors import UsageError
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.files import STDIN, example_of_file, parse_example

SPEC_FIELDS: Final = frozenset(
    {
        "name",
        "repository_url",
        "revision",
        "tags",
        "reasoning",
        "uncommitted_diff",
        "recently_opened_files",
        "recently_viewed_files",
        "uncommitted_diff_contains_edit_history",
        "cursor_path",
        "cursor_position",
        "edit_history",
        "expected_patches",
        "rejected_patch",
        "telemetry",
        "human_feedback",
        "rating",
    }
)
"""What people write of an example; the rest is found by the pipeline."""


SHARED: Final = 10_000
"""So many addresses and revisions are kept once, however often they occur."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an example stands, and what it is sorted and known by."""

    source: Source
    offset: int
    number: int
    repository_url: str
    revision: str
    spec: bytes

    def load(self) -> Example:
        """Read the example again."""
        return self.source.load(self.offset, self.number)


class Source:
    """One input file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_lines = path == STDIN or path.suffix == ".jsonl"
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            if self.path == STDIN:
                # Standard input can be read only once, and examples are read twice.
                self._file = tempfile.TemporaryFile(prefix="redraft-ep-")
                shutil.copyfileobj(sys.stdin.buffer, self._file)
                self._file.seek(0)
            elif self.is_lines:
                self._file = self.path.open("rb")
        except OSError as error:
            raise UsageError(f"{self.path} cannot be read ({error.strerror}).") from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def examples(self) -> Iterator[tuple[int, int, Example]]:
        """Every example with its place: byte offset and line from 0.

        Raises:
            UsageError: One is broken; the message names path and line.
        """
        if self._file is None:
            yield 0, 0, example_of_file(self.path)
            return
        offset = 0
        for number, line in enumerate(self._file):
            yield offset, number, parse_example(line, self.path, number)
            offset += len(line)

    def load(self, offset: int, number: int) -> Example:
        """The example at a place."""
        if self._file is None:
            return example_of_file(self.path)
        self._file.seek(offset)
        return parse_example(self._file.readline(), self.path, number)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which examples of the inputs are wanted."""

    offset: int = 0
    limit: int | None = None
    name: str = ""
    repository: str = ""

    def has(self, example: Example) -> bool:
        """Whether the filters let an example through."""
        return self.name in example.name and self.repository in example.repository_url


@dataclass
class Dataset:
    """The examples to work on, in order, and those that the flags leave out."""

    entries: list[Entry] = field(default_factory=list)
    left_out: list[Entry] = field(default_factory=list)

    @classmethod
    def read(
        cls, sources: Sequence[Source], selection: Selection, *, visit: Callable[[Example], None] | None = None
    ) -> Dataset:
        """Index the inputs: drop the first ones, filter, and sort by repository, then by revision, newest name first.

        Args:
            sources: The inputs, entered.
            selection: The filters; its limit is applied later, by `limit`.
            visit: Called with every example kept, before they are sorted.

        Raises:
            UsageError: An input cannot be read.
        """
        known: dict[str, str] = {}
        dataset = cls()
        left = selection.offset
        for source in sources:
            for offset, number, example in source.examples():
                url, revision = (_shared(known, text) for text in (example.repository_url, example.revision))
                entry = Entry(source, offset, number, url, revision, spec_hash(example))
                left -= 1
                if left >= 0 or not selection.has(example):
                    dataset.left_out.append(entry)
                    continue
                if visit is not None:
                    visit(example)
                dataset.entries.append(entry)
        return dataset

    def sort(self) -> list[int]:
        """Bring examples of a repository together; stable. Tells in which order they were taken."""
        order = sorted(range(len(self.entries)), key=lambda number: self.entries[number].revision, reverse=True)
        order.sort(key=lambda number: self.entries[number].repository_url)
        self.entries = [self.entries[number] for number in order]
        return order

    def drop(self, done: Iterable[bytes]) -> None:
        """Leave out examples that are done, by their spec."""
        specs = set(done)
        self.entries = [entry for entry in self.entries if entry.spec not in specs]

    def keep(self, chosen: Iterable[int]) -> None:
        """Keep the entries at some places only."""
        places = set(chosen)
        self.left_out += (entry for place, entry in enumerate(self.entries) if place not in places)
        self.entries = [entry for place, entry in enumerate(self.entries) if place in places]

    def limit(self, most: int) -> None:
        """Keep the first entries only."""
        self.left_out += self.entries[most:]
        del self.entries[most:]


def _shared(known: dict[str, str], text: str) -> str:
    """One object for all equal texts, as long as there are not too many of them to be worth it."""
    return known.setdefault(text, text) if len(known) < SHARED else known.get(text, text)


def spec_hash(example: Example) -> bytes:
    """What an example is known by: a hash of what people wrote, whatever the pipeline has added."""
    spec = example.model_dump(mode="json", include=set(SPEC_FIELDS))
    return hashlib.blake2b(json.dumps(spec, sort_keys=True).encode(), digest_size=16).digest()


def lines_of(path: Path) -> Iterator[tuple[bytes, Example | None]]:
    """The lines of an output of an earlier run, each with its example; `None` for one that was cut off."""
    try:
        file: IO[bytes] = path.open("rb")
    except FileNotFoundError:
        file = io.BytesIO()
    with file:
        for line in file:
            try:
                example = Example.model_validate_json(line)
            except ValidationError:
                example = None
            yield line, example
