"""Texts of a size that other editors stand still at."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from driver import Driver
from servers import ScriptedServer, openai_answer

STANDSTILL = 1.0
"""Seconds of processor time one turn of the window may take here, a fraction of what a fault costs."""

ONE_LINE = '{"a": [' + ", ".join(f'{{"id": {number}, "name": "n{number}"}}' for number in range(30_000)) + "]}\n"
MANY_LINES = "".join(f"value_{number} = compute({number})\n" for number in range(20_000))
LONG_LINE = f"{'x' * 100_000} middle {'y' * 100_000}\n"


@contextmanager
def turns() -> Iterator[list[float]]:
    """The processor time of each turn of the window, in seconds."""
    seen: list[float] = []
    last = time.thread_time()

    def beat() -> None:
        nonlocal last
        now = time.thread_time()
        seen.append(now - last)
        last = now

    beats = QTimer()
    beats.timeout.connect(beat)
    beats.start(0)
    yield seen
    beats.stop()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("one.json", ONE_LINE, ONE_LINE.replace('"n15000"', '"changed"')),
        ("many.txt", MANY_LINES, MANY_LINES.replace("compute(15000)", "evaluate(15000)")),
        ("long.txt", LONG_LINE, LONG_LINE.replace("middle", "centre")),
    ],
    ids=["a line of a million characters", "twenty thousand lines", "a long line changed in its middle"],
)
def test_b78_the_window_never_stands_still(
    driver: Driver, server: ScriptedServer, tmp_path: Path, name: str, old: str, new: str
) -> None:
    file = tmp_path / name
    file.write_text(old)
    with turns() as spent:
        driver.application.bench.documents.open(file)
        driver.wait(lambda: driver.text == old, "the file")
        driver.document.editor.selectAll()
        driver.document.editor.focus_text()
        driver.press("Ctrl+K")
        driver.wait(lambda: driver.block, "the prompt block")
        driver.type("change it")
        server.reply(*openai_answer(f"<GENERATEDCODE>\n{new}</GENERATEDCODE>"))
        driver.press("Return")
        driver.wait(lambda: driver.document.undecided == 1 and not driver.document.is_running, "the hunk", 90)
        driver.press("Ctrl+Return")
        driver.wait(lambda: not driver.document.undecided, "the decision")
    assert driver.text == new
    assert max(spent) < STANDSTILL
