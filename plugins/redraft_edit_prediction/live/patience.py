"""How long to leave a server alone after it failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from redraft.core.errors import RateLimited
from redraft_edit_prediction.live.journal import in_words

FIRST_WAIT: Final = 5.0
LONGEST_WAIT: Final = 300.0
"""Seconds without requests after the first failure, and at most; each further one doubles them."""


class Patience:
    """Counts failures in a row.

    Args:
        clock: Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._failures = 0
        self._until = 0.0

    @property
    def is_tried(self) -> bool:
        """Whether the last request failed."""
        return self._failures > 0

    @property
    def seconds_left(self) -> float:
        """How long to wait still."""
        return max(0.0, self._until - self._clock())

    def fail(self, error: Exception) -> str:
        """A request failed; what to say of it."""
        self._failures += 1
        wait = min(FIRST_WAIT * 2 ** (self._failures - 1), LONGEST_WAIT)
        if isinstance(error, RateLimited) and error.retry_after is not None:
            wait = max(wait, error.retry_after)
        self._until = self._clock() + wait
        return f"{str(error).rstrip('.')}. Next try in {in_words(wait)}."

    def forget(self) -> None:
        """All is well again, or the user wants it tried."""
        self._failures, self._until = 0, 0.0
