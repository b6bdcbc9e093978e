"""What a prediction costs while one types: a key pressed and painted, with a prediction that goes along and without.

Processor time is taken, not the clock's, so that a busy machine tells the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.api.prediction import PredictionKeys, PredictionModel
from redraft.core.diff.predicted import PredictedEdit
from redraft.core.text import TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.text_editor import EditorAdapter
from redraft.qt.theme import load_theme

FRAME = 16.0
"""Milliseconds between two frames of a screen."""

WORDS = "value_" * 10


@dataclass
class File:
    path: Path | None = None
    title: str = "big.py"


def key_times(editor: CodeEditor, text: str) -> float:
    """Median of milliseconds from a key to its paint."""
    times = []
    for char in text:
        start = process_time()
        QTest.keyClicks(editor, char)
        QApplication.processEvents()
        times.append(1000 * (process_time() - start))
    return median(times)


def test_typing_along_costs_little_more_than_typing(qtbot: QtBot) -> None:
    editor = CodeEditor(load_theme("dark"))
    qtbot.addWidget(editor)
    editor.resize(900, 700)
    text = "".join(f"value_{number} = compute(alpha, beta, {number})\n" for number in range(23_000))
    editor.set_document(text, "python")
    with qtbot.waitExposed(editor):
        editor.show()
    caret = text.index("\n", len(text) // 2)
    editor.select(TextRange(caret, caret))
    plain = key_times(editor, WORDS)
    editor.undo()
    editor.select(TextRange(caret, caret))
    model = PredictionModel((PredictedEdit(caret, "", f"{WORDS}!"),), PredictionKeys("Tab"))
    prediction = EditorAdapter(editor, File()).show_prediction(model, on_event=lambda _event: None)
    along = key_times(editor, WORDS)
    assert prediction.is_visible
    print(f"\na key in 0.9 MB: {plain:.1f} ms, along a prediction {along:.1f} ms, {along / plain:.1f} times")
    assert along < FRAME
