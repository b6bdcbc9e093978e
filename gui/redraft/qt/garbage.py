"""Collects garbage on the GUI thread alone: an object of Qt's that another thread destroys leaves freed memory in Qt.

Python's collector runs on whichever thread makes the next object. PySide deletes what it finds right there, and Qt
cannot take that: a file watcher's socket stays in the window's event loop, which then warns of it for ever and fills
the memory, or crashes. So the automatic collector is off while a window lives, and a timer does its work.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 500
"""Milliseconds between two looks at how much has piled up; a look costs nothing."""


class GarbageCollector:
    """Stands in for Python's automatic collector from now until `stop`; made on the GUI thread."""

    def __init__(self, parent: QObject, *, interval: int = INTERVAL) -> None:
        self._was_enabled = gc.isenabled()
        self._is_stopped = False
        gc.disable()
        # Modules and classes are here to stay: looking through them each time would hold the window up.
        gc.freeze()
        self._timer = QTimer(parent, interval=interval)
        self._timer.timeout.connect(_collect_what_is_due)
        self._timer.start()

    def stop(self) -> None:
        """Give the work back to Python."""
        if self._is_stopped:
            return
        self._is_stopped = True
        self._timer.stop()
        self._timer.deleteLater()
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()


def _collect_what_is_due() -> None:
    """Collect the oldest generation that is due; it takes the younger ones along."""
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, limit) in enumerate(counts) if limit and count > limit]
    if due:
        gc.collect(due[-1])
