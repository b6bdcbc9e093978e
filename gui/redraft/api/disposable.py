"""What you register you can take back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Disposable(Protocol):
    """Something that can be taken back; doing so twice is harmless."""

    def dispose(self) -> None:
        """Take it back."""
        ...


class OnDispose:
    """A `Disposable` made of a function, called at most once."""

    def __init__(self, action: Callable[[], None]) -> None:
        self._action: Callable[[], None] | None = action

    def dispose(self) -> None:
        """Call the function, unless that happened already."""
        action, self._action = self._action, None
        if action is not None:
            action()


class DisposableStack:
    """Several disposables taken back together, the last one first."""

    def __init__(self) -> None:
        self._items: list[Disposable] = []

    def add(self, item: Disposable) -> None:
        """Keep one more."""
        self._items.append(item)

    def dispose(self) -> None:
        """Take all back; one that fails does not keep the others."""
        errors: list[Exception] = []
        while self._items:
            try:
                self._items.pop().dispose()
            except Exception as error:  # noqa: BLE001 - all must have their turn; raised below
                errors.append(error)
        if errors:
            raise ExceptionGroup("could not take everything back", errors)
