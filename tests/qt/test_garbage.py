from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.qt.garbage import GarbageCollector


@pytest.fixture
def automatic(qtbot: QtBot) -> Iterator[None]:
    """Python collects by itself, as when the application starts."""
    was_enabled = gc.isenabled()
    gc.enable()
    yield
    if not was_enabled:
        gc.disable()


@pytest.fixture
def collector(automatic: None, qapp: QApplication) -> Iterator[GarbageCollector]:
    collector = GarbageCollector(qapp, interval=5)
    yield collector
    collector.stop()


def leave_behind(died_on: list[str]) -> None:
    """An object of Qt's that only itself holds."""
    thing = QObject()
    thing.itself = thing  # type: ignore[attr-defined]  # a cycle
    thing.destroyed.connect(lambda: died_on.append(threading.current_thread().name), Qt.ConnectionType.DirectConnection)


def work() -> None:
    """Make objects enough for many collections, in a thread of its own."""

    def make() -> None:
        for _ in range(20):
            assert len([[] for _ in range(1000)]) == 1000

    worker = threading.Thread(target=make, name="worker")
    worker.start()
    worker.join()


def test_what_nobody_holds_ends_on_the_gui_thread_however_much_a_worker_makes(
    qtbot: QtBot, collector: GarbageCollector
) -> None:
    died_on: list[str] = []
    for _ in range(20):
        leave_behind(died_on)
        work()
    assert died_on == []
    held: list[list[int]] = [[] for _ in range(2000)]  # enough for a collection to be due
    qtbot.waitUntil(lambda: len(died_on) == 20, timeout=20_000)
    assert set(died_on) == {threading.main_thread().name}
    del held


def test_python_collects_by_itself_again_when_the_window_is_gone(automatic: None, qapp: QApplication) -> None:
    collector = GarbageCollector(qapp)
    assert not gc.isenabled()
    collector.stop()
    collector.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
