"""Whether the window stands still while an answer arrives in a thousand pieces a second.

Processor time of the window's own thread is taken, not the clock's, so that a busy machine tells the same.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from statistics import median, quantiles

import pytest
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from driver import Driver
from redraft.app import Application
from redraft.host.launch import FileTarget, LaunchRequest
from servers import ScriptedServer, openai_end, openai_text

LINES = 800
RATE = 1000
STALL = 50.0
"""Milliseconds a window may stand still before anybody sees it."""


def old_lines() -> list[str]:
    return [f'value_{number} = compute({number}, "name {number}")  # note\n' for number in range(LINES)]


@pytest.fixture
def driver(qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Driver:
    """The whole window with a file of many lines."""
    file = tmp_path / "long.py"
    file.write_text("".join(old_lines()))
    application = Application(qapp, LaunchRequest((FileTarget(file),)))
    qtbot.addWidget(application.bench.window, before_close_func=lambda _window: application.bench.window.finish())
    application.show()
    driver = Driver(application)
    driver.wait(driver.has_plugins, "the plugins")
    application.bench.window.activateWindow()
    driver.document.editor.focus_text()
    return driver


def test_the_window_never_stands_still_while_a_thousand_pieces_a_second_arrive(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    with ScriptedServer() as server:
        monkeypatch.setenv("REDRAFT_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("REDRAFT_MODEL", "scripted")
        monkeypatch.setenv("REDRAFT_API_KEY", "x")
        driver: Driver = request.getfixturevalue("driver")
        live = server.live()
        driver.select_lines(1, LINES)
        driver.press("Ctrl+K")
        driver.wait(lambda: driver.block, "the prompt")
        driver.type("rename it")
        driver.press("Return")
        driver.wait(lambda: server.requests or (driver.shown.strip and driver.shown.strip.actions), "the request")
        assert server.requests, driver.shown.strip
        pieces = [piece for line in old_lines() for piece in (line[:12].replace("value", "result"), line[12:])]

        def send() -> None:
            for step in openai_text("<GENERATEDCODE>\n"):
                live.put(step)
            start = time.monotonic()
            for number, piece in enumerate(pieces):
                for step in openai_text(piece):
                    live.put(step)
                time.sleep(max(0.0, start + number / RATE - time.monotonic()))
            for step in (*openai_text("</GENERATEDCODE>"), *openai_end()):
                live.put(step)

        turns: list[float] = []
        last = time.thread_time()

        def beat() -> None:
            nonlocal last
            now = time.thread_time()
            turns.append((now - last) * 1000)
            last = now

        beats = QTimer()
        beats.timeout.connect(beat)
        beats.start(0)
        sender = threading.Thread(target=send)
        sender.start()
        driver.wait(lambda: not sender.is_alive() and driver.bars and not driver.document.is_running, "all", 120)
        beats.stop()
        worst, often = max(turns), quantiles(turns, n=100)[-1]
        print(
            f"{len(pieces)} pieces at {RATE} a second: one turn of the window takes {median(turns):.2f} ms, "
            f"99 % below {often:.1f} ms, the longest {worst:.1f} ms"
        )
        driver.application.stop()
        shiboken6.delete(driver.application.bench)
        qapp.setStyleSheet("")
        assert worst < STALL
