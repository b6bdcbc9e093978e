"""Work in the background: streams and coroutines whose results come back where the plugin lives."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

E = TypeVar("E")
T = TypeVar("T")


class TaskHandle(Protocol):
    """Work in progress on the event loop thread."""

    def cancel(self) -> None:
        """Ask it to end; `on_done` still comes, with `None` for an error."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether it has ended."""
        ...


class Tasks(Protocol):
    """Runs coroutines on the one background event loop; callbacks arrive where the plugin lives (GUI thread)."""

    def start(
        self,
        events: AsyncIterator[E],
        *,
        on_events: Callable[[Sequence[E]], None],
        on_done: Callable[[Exception | None], None],
    ) -> TaskHandle:
        """Consume a stream; events come in batches, at most one every 16 ms, and all before `on_done`.

        Cancelled streams report `None`, like finished ones; no event is delivered after `cancel` returns.
        """
        ...

    def run(
        self,
        work: Coroutine[Any, Any, T],
        *,
        on_done: Callable[[T], None],
        on_error: Callable[[Exception], None],
    ) -> TaskHandle:
        """Run one coroutine; neither callback comes after `cancel`."""
        ...
