"""A tab or the application is closed at any moment of an answer: nothing breaks and nothing is written.

`REDRAFT_CLOSINGS=200` makes them more, `REDRAFT_CLOSINGS_FROM` begins at a seed.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from random import Random

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from driver import Driver
from redraft.app import Application
from redraft.host.launch import FileTarget, LaunchRequest
from servers import Live, ScriptedServer, openai_end, openai_text

CODE = "".join(f"line_{place} = {place}\n" for place in range(40))
ANSWER = "<GENERATEDCODE>\n" + "".join(f"line_{place} = {place * 3 % 7}\n" for place in range(40)) + "</GENERATEDCODE>"
CLOSINGS = int(os.environ.get("REDRAFT_CLOSINGS", "12"))
FIRST = int(os.environ.get("REDRAFT_CLOSINGS_FROM", "0"))


def ask_and_stream(driver: Driver, server: ScriptedServer, random: Random) -> Live:
    """Ask for the whole file, and let a random part of the answer come."""
    count = len(server.requests)
    driver.select_lines(1, 40)
    driver.press("Ctrl+K")
    driver.wait(lambda: driver.block, "the prompt")
    driver.type("other numbers")
    live = server.live()
    driver.press("Return")
    driver.wait(lambda: len(server.requests) > count, "the request")
    size = random.randint(5, 60)
    steps = [*openai_text(*(ANSWER[at : at + size] for at in range(0, len(ANSWER), size))), *openai_end()]
    for step in steps[: random.randint(0, len(steps))]:
        live.put(step)
        if random.random() < 0.2:
            driver.pause(random.randint(0, 20))
    return live


@pytest.mark.timeout(60 + 2 * CLOSINGS)
def test_b67_closing_the_tab_at_any_moment_is_safe(
    driver: Driver, server: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for seed in range(FIRST, FIRST + CLOSINGS):
        path = tmp_path / f"numbers{seed}.txt"
        path.write_text(CODE, encoding="utf-8")
        documents = driver.application.bench.documents
        documents.open(path)
        live = ask_and_stream(driver, server, Random(seed))  # noqa: S311 - to choose moments
        documents.close(driver.document, ask=False)
        driver.pause(0)
        live.end()
        assert path.read_text(encoding="utf-8") == CODE
    driver.pause(50)
    assert driver.application.tasks.active == 0
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.timeout(60 + 4 * CLOSINGS)
def test_b67_stopping_the_application_at_any_moment_is_safe(
    qtbot: QtBot, qapp: QApplication, server: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "numbers.txt"
    for seed in range(FIRST, FIRST + CLOSINGS):
        path.write_text(CODE, encoding="utf-8")
        application = Application(qapp, LaunchRequest((FileTarget(path),)))
        application.show()
        driver = Driver(application)
        driver.wait(driver.has_plugins, "the plugins")
        driver.window.activateWindow()
        driver.document.editor.focus_text()
        driver.wait(driver.document.editor.hasFocus, "the keyboard in the text")
        random = Random(seed)  # noqa: S311 - to choose moments
        live = ask_and_stream(driver, server, random)
        if random.random() < 0.5:
            application.bench.window.finish()
            driver.pause(random.randint(0, 20))
        application.stop()
        assert not application.loop.is_running
        application.bench.window.finish()
        # A process has one window; here each goes with all it holds, or every style would be set on all of them.
        shiboken6.delete(application.bench)
        shiboken6.delete(application.bench.window)
        live.end()
        assert path.read_text(encoding="utf-8") == CODE
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    qapp.setStyleSheet("")
