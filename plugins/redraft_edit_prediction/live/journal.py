"""The last things that happened to predictions, in words without any code, and how long answers took."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from redraft.api.prompt_block import Tone

KEPT: Final = 50
TIMED: Final = 5
"""Answers whose time counts."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened, when (seconds since 1970), and how good that is."""

    words: str
    at: float
    tone: Tone = Tone.PLAIN

    @property
    def clock(self) -> str:
        """The time of day, as people here write it."""
        return time.strftime("%H:%M:%S", time.localtime(self.at))


class Journal:
    """Keeps the last entries, the latest last; `listen` hears each, for the log.

    Args:
        clock: Seconds since 1970.
        listen: Called with the words of each entry.
    """

    def __init__(self, clock: Callable[[], float], listen: Callable[[str], None]) -> None:
        self._clock = clock
        self._listen = listen
        self._entries: deque[Entry] = deque(maxlen=KEPT)
        self._times: deque[float] = deque(maxlen=TIMED)

    @property
    def entries(self) -> Sequence[Entry]:
        """The last entries, the latest first."""
        return tuple(reversed(self._entries))

    def add(self, words: str, tone: Tone = Tone.PLAIN) -> None:
        """Something happened."""
        self._entries.append(Entry(words, self._clock(), tone))
        self._listen(words)

    def took(self, seconds: float) -> None:
        """An answer took so long."""
        self._times.append(seconds)

    def forget_times(self) -> None:
        """Another model is asked from now on."""
        self._times.clear()

    @property
    def last_seconds(self) -> float | None:
        """How long the last answer took."""
        return self._times[-1] if self._times else None

    def is_slow(self, limit: float) -> bool:
        """Whether most of the last answers took longer than a limit; one or two say nothing: a model starts."""
        return len(self._times) >= TIMED - 2 and median(self._times) > limit


def in_words(seconds: float) -> str:
    """A time as `310 ms` or `4.2 s`."""
    return f"{round(seconds * 1000)} ms" if seconds < 1 else f"{seconds:.1f} s"
