"""Examples that failed, each with its error, in the folder of the run."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redraft.core.errors import FileError
from redraft.core.paths import private_folder
from redraft.core.review.example import Example

_UNSAFE: Final = re.compile(r"[^\w.+-]+")


@dataclass
class Failures:
    """Counts failures and writes them down.

    Attributes:
        runs: The folder of all runs.
        command: The command and its flags, to be run again.
        keeps_files: Whether anything is written.
    """

    runs: Path
    command: Sequence[str] = ()
    keeps_files: bool = True
    count: int = 0
    first: str = ""
    _folder: Path | None = field(default=None, init=False)

    @property
    def file(self) -> Path | None:
        """All failed examples as JSON Lines, once there is one."""
        return self._folder / "failed.jsonl" if self._folder else None

    def add(self, example: Example, error: Exception) -> str:
        """Note a failure; words for the user, who may run the example again."""
        self.count += 1
        self.first = self.first or str(error)
        words = f"{example.name}: {error}"
        if self.keeps_files:
            try:
                self._keep(example, error)
            except (OSError, FileError) as fault:
                # The work goes on: what failed is in the output, or in the input, too.
                self.keeps_files = False
                words += f"\nFailures are not written down any more: {fault}"
        return words

    def _keep(self, example: Example, error: Exception) -> None:
        folder = self._made()
        stem = _UNSAFE.sub("-", example.name)[:100] or "example"
        (folder / "failed" / f"{stem}.json").write_text(example.to_json() + "\n", encoding="utf-8")
        again = " ".join(("redraft ep", *self.command, str(folder / "failed" / f"{stem}.json")))
        (folder / "failed" / f"{stem}_err.txt").write_text(f"{error}\n\nRun it again: {again}\n", encoding="utf-8")
        with (folder / "failed.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(example.to_json() + "\n")

    def _made(self) -> Path:
        if self._folder is None:
            name = time.strftime("%Y-%m-%d-%H%M%S")
            number = 0
            while (folder := self.runs / (f"{name}-{number}" if number else name)).exists():
                number += 1
            self._folder = private_folder(folder)
            private_folder(folder / "failed")
            latest = self.runs / "latest_failed"
            with suppress(OSError):  # A convenience only.
                latest.unlink(missing_ok=True)
                latest.symlink_to(folder.name)
        return self._folder
