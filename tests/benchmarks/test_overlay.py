"""What it costs to draw a proposal while it is written: values in, rows and marks placed, one paint.

Processor time is taken, not the clock's, so that a busy machine tells the same.
"""

from __future__ import annotations

from statistics import median, quantiles
from time import process_time

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.api.inline_diff import DiffKeys
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff import show_inline_diff
from redraft.qt.garbage import GarbageCollector
from redraft.qt.theme import load_theme

FRAME = 16.0
"""Milliseconds between two frames of a screen."""

EVERY = 10
"""Lines that arrive between two updates."""


def lines_of(count: int) -> list[str]:
    return [f'    value_{number} = compute({number}, "name {number}")  # note\n' for number in range(count)]


def rewritten(old: list[str], every: int) -> list[str]:
    return [
        line if number % every else line.replace("compute", "evaluate_all").replace("value", "result")
        for number, line in enumerate(old)
    ]


def frame_times(qtbot: QtBot, count: int, *, every: int, around: int = 0, more: int = 0) -> list[float]:
    """Milliseconds of each update of a streamed edit of `count` lines and `more` new ones, below `around` others."""
    old = lines_of(count)
    above = "".join(f"# line {number}\n" for number in range(around))
    editor = CodeEditor(load_theme("dark"))
    qtbot.addWidget(editor)
    editor.resize(900, 700)
    editor.set_document(above + "".join(old), "python")
    with qtbot.waitExposed(editor):
        editor.show()
    region = TextRange(len(above), len(above) + sum(map(len, old)))
    view = show_inline_diff(editor, region, keys=DiffKeys(), on_event=lambda _: None)
    editor.setFirstVisibleLine(around)
    stream = StreamingDiff(old)
    # As in the window, where garbage is collected between frames.
    garbage = GarbageCollector(editor)
    times = []
    for number, line in enumerate([*rewritten(old, every), *lines_of(more)]):
        progress = stream.push(line)
        if number % EVERY == 0:
            start = process_time()
            view.update(progress)
            view._on_frame()
            QApplication.processEvents()
            times.append((process_time() - start) * 1000)
    garbage.stop()
    view.dispose()
    return times


@pytest.mark.parametrize(("every", "name"), [(10, "one line in ten"), (1, "every line")])
def test_an_update_of_5000_lines_and_its_paint_fit_a_frame(qtbot: QtBot, every: int, name: str) -> None:
    times = frame_times(qtbot, 5_000, every=every)
    worst = quantiles(times, n=20)[-1]
    print(f"5,000 lines, {name} changed: median {median(times):.1f} ms, 95 % below {worst:.1f} ms")
    assert worst < FRAME


def test_an_update_of_a_long_answer_to_few_lines_fits_a_frame(qtbot: QtBot) -> None:
    times = frame_times(qtbot, 7, every=1, more=20_000)
    worst = quantiles(times, n=20)[-1]
    print(f"20,000 lines for 7: median {median(times):.1f} ms, 95 % below {worst:.1f} ms")
    assert worst < FRAME


def test_the_cost_does_not_grow_with_the_document(qtbot: QtBot) -> None:
    small, large = (median(frame_times(qtbot, 500, every=10, around=around)) for around in (0, 100_000))
    print(f"500 lines in 500 and in 100,500: {small:.1f} ms and {large:.1f} ms, {large / small:.2f} times")
    assert large < 3 * small
