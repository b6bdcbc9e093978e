"""How far a run is: counts, rate and failures, as one live line on a terminal and as plain lines elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

notes: Final = Console(stderr=True, highlight=False, soft_wrap=True)


class RunProgress:
    """The progress of one run, on standard error."""

    def __init__(self, label: str, total: int, *, console: Console = notes) -> None:
        self._console = console
        self.label = label
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[failed]}", style="red"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[now]}", style="dim"),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task: TaskID = self._progress.add_task(label, total=total, rate="", failed="", now="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begins(self, name: str) -> None:
        """An example is worked on."""
        self._progress.update(self._task, now=escape(name))

    def advance(self, *, failed: int) -> None:
        """An example is done; `failed` counts the failures so far."""
        task = self._progress.tasks[0]
        speed = task.finished_speed or task.speed
        self._progress.update(
            self._task,
            advance=1,
            rate=f"{speed:.1f}/s" if speed else "",
            failed=f"{failed} failed" if failed else "",
        )

    def say(self, words: str) -> None:
        """A plain line above the live one."""
        self._console.print(words, markup=False)

    @property
    def done(self) -> int:
        """Examples done."""
        return int(self._progress.tasks[0].completed)

    @property
    def rate(self) -> str:
        """How quickly it went, as words; empty where it was too quick to tell."""
        seconds = self._progress.tasks[0].elapsed or 0.0
        if seconds < 0.5 or not self.done:
            return ""
        rate = self.done / seconds
        return f", {rate:.1f} a second" if rate >= 1 else f", {60 * rate:.1f} a minute"
