"""Draws at most so many times a second, however often something changes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal


class FramePace(QObject):
    """`due` asks for a frame: at once after a pause, else when the last one is old enough."""

    due = Signal()

    def __init__(self, per_second: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._per_second = per_second
        self._clock = QElapsedTimer()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.due)

    def ask(self) -> None:
        """Something changed."""
        if self._timer.isActive():
            return
        least = 1000 // self._per_second()
        waited = self._clock.elapsed() if self._clock.isValid() else least
        self._timer.start(max(least - waited, 0))

    def begin(self) -> None:
        """A frame is drawn now: whatever was asked for is in it."""
        self._timer.stop()
        self._clock.start()

    def stop(self) -> None:
        """Ask for nothing more."""
        self._timer.stop()
