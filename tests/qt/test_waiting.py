"""Waiting in the middle of a key press."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from redraft.qt.waiting import wait_awake


def test_timers_run_while_something_is_waited_for(qtbot: QtBot) -> None:
    seen: list[int] = []
    timer = QTimer(interval=1)
    timer.timeout.connect(lambda: seen.append(1))
    timer.start()
    wait_awake(lambda: len(seen) >= 3)
    timer.stop()
    assert len(seen) >= 3


def test_what_never_comes_is_waited_for_up_to_a_limit(qtbot: QtBot) -> None:
    wait_awake(lambda: False, limit=20)
