"""Where examples go: standard output, a growing file, the input itself, or a folder of Markdown files."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import RawIOBase
from pathlib import Path
from typing import Final, Protocol

from redraft.core.errors import DiskFull, FileError, UsageError
from redraft.core.paths import private_folder
from redraft.core.review.example import Example
from redraft.core.whole_write import NO_SPACE, explain, write_whole
from redraft_edit_prediction.pipeline.dataset import lines_of
from redraft_edit_prediction.pipeline.markdown import markdown_file_name, write_markdown

TEMPORARY: Final = ".tmp"


class Output(Protocol):
    """Takes finished examples, and can go over them again."""

    def write(self, example: Example) -> None:
        """Add an example; it is on disk when this returns.

        Raises:
            FileError: It cannot be written, as on a full disk; what was written before is whole.
        """
        ...

    def again(self) -> Iterator[Example]:
        """What was written, for a second pass that replaces it; `write` takes the new examples."""
        ...

    def close(self) -> None:
        """All examples are here: put them in their place."""
        ...

    def discard(self) -> None:
        """Something went wrong with the output itself: what was to be replaced stays as it was."""
        ...


class LinesFile:
    """A JSON Lines file that grows line by line; with `replaces`, beside another file that gives way at the end."""

    def __init__(self, path: Path, *, replaces: bool = False) -> None:
        self._path = path
        self._file_path = path.with_name(f"{path.name}{TEMPORARY}") if replaces else path
        self._replaces = replaces
        try:
            # Without a buffer each line is with the system at once, and none is left over after an error.
            self._file: RawIOBase = self._file_path.open("wb" if replaces else "ab", buffering=0)
        except OSError as error:
            raise explain(error, self._file_path, "written") from error

    def write(self, example: Example) -> None:
        """Add a line; one that cannot be written whole is taken back."""
        line = memoryview(example.to_json().encode() + b"\n")
        done = 0
        try:
            while done < len(line):
                done += self._file.write(line[done:])
        except OSError as error:
            self._take_back(done)
            raise self._explained(error, self._file_path) from error

    def again(self) -> Iterator[Example]:
        """Go over the lines while a new file is written, which then takes the old one's place."""
        self._file.close()
        written = self._file_path
        fresh = written.with_name(f"{written.name}.again")
        try:
            self._file = fresh.open("wb", buffering=0)
            self._file_path = fresh
            yield from (example for _, example in lines_of(written) if example is not None)
            self._file.close()
            fresh.replace(written)
            self._file = written.open("ab", buffering=0)
            self._file_path = written
        except OSError as error:
            raise self._explained(error, fresh) from error

    def close(self) -> None:
        """Close; a file that replaces another one takes its place now."""
        try:
            if self._replaces:
                os.fsync(self._file.fileno())
            self._file.close()
            if self._replaces:
                self._file_path.replace(self._path)
        except OSError as error:
            raise self._explained(error, self._path) from error

    def discard(self) -> None:
        """Drop a file that was to replace another one; a growing file keeps its whole lines."""
        with suppress(OSError):
            self._file.close()
        if self._replaces:
            self._file_path.unlink(missing_ok=True)

    def _take_back(self, written: int) -> None:
        """Cut off the beginning of a line; a device cannot, and its line was never kept."""
        with suppress(OSError):
            self._file.truncate(self._file.seek(-written, os.SEEK_END))

    def _explained(self, error: OSError, path: Path) -> FileError:
        if error.errno in NO_SPACE and not self._replaces:
            return DiskFull(f"There is no space left for {path}. What is done is in it: free some space, run again.")
        return explain(error, path, "written")


class StandardOutput:
    """Lines on standard output, unless the command prints a report; kept back where a second pass may change them."""

    def __init__(self, *, keeps: bool = False, prints: bool = True) -> None:
        self._prints = prints
        self._kept: LinesFile | None = None
        if keeps:
            self._folder = tempfile.TemporaryDirectory(prefix="redraft-ep-")
            self._kept = LinesFile(Path(self._folder.name) / "output.jsonl")

    def write(self, example: Example) -> None:
        """Print a line."""
        if self._kept is not None:
            self._kept.write(example)
        elif self._prints:
            sys.stdout.write(example.to_json() + "\n")
            sys.stdout.flush()

    def again(self) -> Iterator[Example]:
        """What was kept back."""
        if self._kept is not None:
            yield from self._kept.again()

    def close(self) -> None:
        """Print what was kept back."""
        if self._kept is None:
            return
        self._kept.close()
        if self._prints:
            for line, _ in lines_of(Path(self._folder.name) / "output.jsonl"):
                sys.stdout.write(line.decode())
            sys.stdout.flush()
        self._folder.cleanup()

    def discard(self) -> None:
        """Nothing more can be said."""


class MarkdownFolder:
    """One Markdown file an example; for people, so it holds what people write and no results."""

    def __init__(self, folder: Path) -> None:
        if folder.exists() and not folder.is_dir():
            raise UsageError(f"{folder} is a file; with --markdown the output is a folder.")
        self._folder = private_folder(folder)

    def write(self, example: Example) -> None:
        """Write a file."""
        write_whole(self._folder / markdown_file_name(example.name), write_markdown(example).encode())

    def again(self) -> Iterator[Example]:
        """Nothing: results do not show here."""
        return iter(())

    def close(self) -> None:
        """Nothing."""

    def discard(self) -> None:
        """Nothing."""


def resume(
    path: Path, wanted: set[bytes], is_complete: Callable[[Example], bool], known: Callable[[Example], bytes]
) -> set[bytes]:
    """What an earlier run has already done: its lines are kept in the file, all others leave it.

    Args:
        path: The output file.
        wanted: The specs of the inputs.
        is_complete: Whether an example needs no more work.
        known: The spec of an example.

    Raises:
        FileError: The file cannot be rewritten; it is as it was.
    """
    if not path.is_file():
        return set()
    done: set[bytes] = set()
    fresh = path.with_name(f"{path.name}{TEMPORARY}")
    try:
        with fresh.open("wb") as kept:
            for line, example in lines_of(path):
                if example is None or not is_complete(example):
                    continue
                spec = known(example)
                if spec in wanted and spec not in done:
                    done.add(spec)
                    kept.write(line if line.endswith(b"\n") else line + b"\n")
        fresh.replace(path)
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise explain(error, path, "written") from error
    return done


def check_output(path: Path) -> None:
    """Refuse an output that cannot be a dataset, before any work is done.

    Raises:
        UsageError: It has another suffix, or is a folder.
        FileError: Its folder is not there.
    """
    if path.is_dir():
        raise UsageError(f"{path} is a folder; name a file, or add --markdown.")
    if path.suffix in {".md", ".json"}:
        raise UsageError(f"{path}: results are written as JSON Lines (.jsonl), or with --markdown into a folder.")
    if not path.parent.is_dir():
        raise FileError(f"The folder {path.parent} is not there; make it first.")
