"""Waiting for something in the middle of a key press, without the window standing still."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QElapsedTimer, QEventLoop, QTimer

LOOKS: Final = 5
"""Milliseconds between two looks at the condition."""
LIMIT: Final = 5000
"""Milliseconds."""


def wait_awake(condition: Callable[[], bool], *, limit: int = LIMIT) -> None:
    """Paint and let timers run until something holds, for `limit` milliseconds at most.

    Keys and clicks made meanwhile wait, and come in their order: what is typed after a command belongs to what that
    command opens.
    """
    loop, clock, looks = QEventLoop(), QElapsedTimer(), QTimer(interval=LOOKS)

    def look() -> None:
        if condition() or clock.hasExpired(limit):
            loop.quit()

    looks.timeout.connect(look)
    clock.start()
    looks.start()
    loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
