"""The main job in the real window: real keys, a real server on loopback, real files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from redraft.api.editor import TextEditor
from redraft.app import Application
from redraft.core.text import TextIndex
from redraft.host.launch import FileTarget, LaunchRequest
from servers import Gate, ScriptedServer, WaitFor, openai_end, openai_text

BEFORE = """import math


def total(items):
    result = 0
    for item in items:
        result += item
    return result
"""
TYPED = BEFORE.replace("def total(items):", "def total(items: list[int]) -> int:")
AFTER = TYPED.replace("return result", "return math.trunc(result)")
SELECTED = (3, 7)
PATIENCE = 20_000
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        monkeypatch.setenv("REDRAFT_BASE_URL", f"{server.url}/v1")
        yield server


@pytest.fixture
def application(
    qapp: QApplication, qtbot: QtBot, server: ScriptedServer, tmp_path: Path
) -> Iterator[tuple[Application, Path]]:
    path = tmp_path / "totals.py"
    path.write_text(BEFORE)
    application = Application(qapp, LaunchRequest((FileTarget.literal(str(path)),)))
    application.show()
    window = application.bench.window
    qtbot.waitUntil(lambda: application.editors.active is not None, timeout=PATIENCE)

    def has_keyboard() -> bool:
        window.activateWindow()
        return window.isActiveWindow()

    qtbot.waitUntil(has_keyboard, timeout=PATIENCE)
    yield application, path
    application.stop()
    window.finish()


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def shown(application: Application, name: str) -> bool:
    return bool(application.registries.context.get(name))


def open_prompt(application: Application, qtbot: QtBot) -> TextEditor:
    editor = application.editors.active
    assert editor is not None
    editor.select(TextIndex(BEFORE).lines_range(*SELECTED))
    editor.focus()
    qtbot.keyClick(focused(), Qt.Key.Key_K, CTRL)
    qtbot.waitUntil(lambda: shown(application, "prompt_focus"), timeout=PATIENCE)
    return editor


def answer(code: str) -> str:
    return f"<GENERATEDCODE>\n{code}</GENERATEDCODE>"


def test_a_hunk_is_accepted_another_rejected_and_the_file_holds_exactly_that(
    application: tuple[Application, Path], server: ScriptedServer, qtbot: QtBot
) -> None:
    window, path = application
    editor = open_prompt(window, qtbot)
    new = TextIndex(AFTER).lines_range(*SELECTED).of(AFTER)
    gate = Gate()
    half = len(new) // 2
    server.reply(
        *openai_text("<GENERATEDCODE>\n", new[:half]),
        WaitFor(gate),
        *openai_text(new[half:], "</GENERATEDCODE>"),
        *openai_end(),
    )
    qtbot.keyClicks(focused(), "add type hints")
    qtbot.keyClick(focused(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(window, "diff_visible"), timeout=PATIENCE)
    assert editor.text == BEFORE
    gate.open()
    qtbot.waitUntil(lambda: not shown(window, "inline_edit.running"), timeout=PATIENCE)
    assert editor.text == BEFORE

    qtbot.keyClick(focused(), Qt.Key.Key_Y, ALT)
    qtbot.waitUntil(lambda: editor.text == TYPED, timeout=PATIENCE)
    qtbot.keyClick(focused(), Qt.Key.Key_N, ALT)
    qtbot.waitUntil(lambda: not shown(window, "prompt_visible"), timeout=PATIENCE)
    assert editor.text == TYPED

    editor.focus()
    qtbot.keyClick(focused(), Qt.Key.Key_S, CTRL)
    qtbot.waitUntil(lambda: path.read_text() == TYPED, timeout=PATIENCE)


def test_saving_while_a_proposal_waits_writes_the_original(
    application: tuple[Application, Path], server: ScriptedServer, qtbot: QtBot
) -> None:
    window, path = application
    editor = open_prompt(window, qtbot)
    server.reply(*openai_text(answer(TextIndex(AFTER).lines_range(*SELECTED).of(AFTER))), *openai_end())
    qtbot.keyClicks(focused(), "add type hints")
    qtbot.keyClick(focused(), Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: shown(window, "diff_visible") and not shown(window, "inline_edit.running"), timeout=PATIENCE
    )
    window.registries.commands.execute("file.save")
    assert path.read_text() == BEFORE

    qtbot.keyClick(focused(), Qt.Key.Key_Return, CTRL)
    qtbot.waitUntil(lambda: editor.text == AFTER, timeout=PATIENCE)
    editor.focus()
    qtbot.keyClick(focused(), Qt.Key.Key_Z, CTRL)
    qtbot.waitUntil(lambda: editor.text == BEFORE, timeout=PATIENCE)
