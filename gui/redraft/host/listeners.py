"""Callbacks for one event; one that raises does not keep the others."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Listeners(Generic[T]):
    """A list of callbacks that may change while it is being called."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[T], None]] = []

    def add(self, callback: Callable[[T], None]) -> Callable[[], None]:
        """Call `callback` from now on; the function returned takes that back."""
        # A box of its own, so that the same callback added twice is taken back one by one.
        entry = _Entry(callback)
        self._callbacks.append(entry)
        return lambda: self._callbacks.remove(entry)

    @property
    def is_empty(self) -> bool:
        """Whether nobody listens."""
        return not self._callbacks

    def notify(self, value: T) -> None:
        """Call everyone who is there when the call begins."""
        for callback in tuple(self._callbacks):
            try:
                callback(value)
            except Exception:  # noqa: BLE001 - the others must hear it too
                _log.exception("A listener failed")


class _Entry(Generic[T]):
    def __init__(self, callback: Callable[[T], None]) -> None:
        self._callback = callback

    def __call__(self, value: T) -> None:
        self._callback(value)
