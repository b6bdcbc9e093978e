"""The whole window with its plugins, a real file and a real loopback server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.app import Application
from redraft.core.paths import config_folder
from redraft.core.text import TextRange
from redraft.host.launch import FileTarget, LaunchRequest
from redraft.qt.activity import FollowedEditor
from redraft.qt.editor.code_editor import CodeEditor
from servers import Gate, ScriptedServer, WaitFor, openai_end, openai_text

BEFORE = 'def level(reading):\n    """The level."""\n    return reading["value"]\n\n\nprint(level({"value": 1}))\n'
AFTER = '    """The level in metres."""\n    return float(reading["value"])\n'
ANSWER = f"<GENERATEDCODE>\n{AFTER}</GENERATEDCODE>"
CONTROL = Qt.KeyboardModifier.ControlModifier
PATIENCE = 30_000


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tide.py"
    path.write_text(BEFORE, encoding="utf-8")
    return path


@pytest.fixture
def application(server: ScriptedServer, file: Path, qtbot: QtBot) -> Iterator[Application]:
    settings = config_folder() / "settings.toml"
    settings.write_text(
        f'[[models]]\nname = "scripted"\nbase_url = "{server.url}/v1"\nmodel = "scripted-1"\n', encoding="utf-8"
    )
    qt = QApplication.instance()
    assert isinstance(qt, QApplication)
    application = Application(qt, LaunchRequest((FileTarget.literal(str(file)),)))
    # Whatever a test leaves undecided, nobody is there to be asked about it.
    qtbot.addWidget(application.bench.window, before_close_func=lambda _window: application.bench.window.finish())
    application.show()
    qtbot.waitUntil(lambda: _is_active(application), timeout=PATIENCE)
    yield application
    application.stop()
    shiboken6.delete(application.bench)
    qt.setStyleSheet("")


def _is_active(application: Application) -> bool:
    return any(status.state == "active" for status in application.host.manager.statuses())


def editor_of(application: Application) -> CodeEditor:
    document = application.bench.documents.active
    assert document is not None
    return document.editor


def ask(application: Application, qtbot: QtBot, words: str) -> None:
    """Select the body of the function and ask for a change, with keys alone."""
    editor = editor_of(application)
    index = editor.text_index()
    editor.select(TextRange(index.line_range(1).start, index.line_range(2).end))
    application.bench.window.activateWindow()
    editor.focus_text()
    qtbot.waitUntil(editor.hasFocus, timeout=PATIENCE)
    qtbot.keyClick(editor, Qt.Key.Key_K, CONTROL)
    qtbot.waitUntil(lambda: QApplication.focusWidget() not in {None, editor}, timeout=PATIENCE)
    field = QApplication.focusWidget()
    assert field is not None
    qtbot.keyClicks(field, words)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def undecided(application: Application) -> int:
    document = application.bench.documents.active
    return document.undecided if document and not document.is_running else 0


def test_nothing_enters_buffer_or_file_until_it_is_accepted(
    application: Application, server: ScriptedServer, file: Path, qtbot: QtBot
) -> None:
    gate = Gate()
    server.reply(*openai_text(ANSWER[:60]), WaitFor(gate), *openai_text(ANSWER[60:]), *openai_end())
    ask(application, qtbot, "say the unit")
    document = application.bench.documents.active
    assert document is not None
    qtbot.waitUntil(lambda: document.is_running, timeout=PATIENCE)
    assert document.editor.plain_text() == BEFORE
    gate.open()
    qtbot.waitUntil(lambda: undecided(application) > 0, timeout=PATIENCE)
    application.bench.refresh()
    assert document.editor.plain_text() == BEFORE
    assert application.registries.context["diff_visible"] is True
    assert application.bench.window.tabs.buttons[0].model.undecided > 0

    application.bench.run("file.save")
    assert file.read_text(encoding="utf-8") == BEFORE

    application.bench.run("inline_edit.accept_all")
    expected = BEFORE.splitlines(keepends=True)
    changed = "".join((expected[0], AFTER, *expected[3:]))
    assert document.editor.plain_text() == changed
    assert undecided(application) == 0
    application.bench.refresh()
    application.bench.run("file.save")
    assert file.read_text(encoding="utf-8") == changed
    document.editor.undo()
    assert document.editor.plain_text() == BEFORE


def test_every_key_on_a_button_does_what_it_says(
    application: Application, server: ScriptedServer, qtbot: QtBot
) -> None:
    server.reply(*openai_text(ANSWER), *openai_end())
    ask(application, qtbot, "say the unit")
    qtbot.waitUntil(lambda: undecided(application) > 0, timeout=PATIENCE)
    application.bench.refresh()
    focus = QApplication.focusWidget()
    assert focus is not None
    qtbot.keyClick(focus, Qt.Key.Key_Return, CONTROL)
    assert 'float(reading["value"])' in editor_of(application).plain_text()


def test_quitting_in_the_middle_of_an_answer_ends_at_once(
    application: Application, server: ScriptedServer, qtbot: QtBot
) -> None:
    gate = Gate()
    server.reply(*openai_text(ANSWER[:60]), WaitFor(gate))
    ask(application, qtbot, "say the unit")
    document = application.bench.documents.active
    assert document is not None
    qtbot.waitUntil(lambda: document.is_running, timeout=PATIENCE)
    application.stop()
    assert not application.loop.is_running
    assert document.editor.plain_text() == BEFORE
    gate.open()


def test_a_model_that_is_set_up_needs_no_first_run_card(application: Application) -> None:
    assert application.first_run.card is None
    assert application.services.models.default("inline_edit") is not None


def test_every_command_of_a_menu_has_a_handler_or_is_left_out(application: Application) -> None:
    commands = application.registries.commands
    menu = application.bench.menus.main_menu(application.themes.theme, application.bench.window)
    titles = [action.text() for action in menu.actions()]
    assert titles[:2] == ["File", "Edit"]
    assert "AI" in titles
    assert commands.has_handler("inline_edit.open")


def test_undecided_proposals_come_back_after_a_crash(application: Application, file: Path) -> None:
    document = application.bench.documents.active
    assert document is not None
    editor = application.editors.of(document)
    assert isinstance(editor, FollowedEditor)
    start = BEFORE.index('    """The level')
    original = "".join(BEFORE.splitlines(keepends=True)[1:3])
    found = editor.find_kept({"start": start, "original": original, "proposed": AFTER, "label": "in metres"})
    assert found is not None
    assert application.editors.recover(document, found)
    assert undecided(application) == 1
    (kept,) = editor.kept()
    assert kept == {"start": start, "original": original, "proposed": AFTER, "label": "in metres"}
    assert editor.find_kept({"start": start, "original": "not there\n", "proposed": AFTER}) is None
    assert file.read_text(encoding="utf-8") == BEFORE
    assert document.editor.plain_text() == BEFORE


def test_the_settings_open_at_a_page(application: Application, qtbot: QtBot) -> None:
    application.bench.run("file.settings")
    window = application.settings.window
    assert window is not None
    qtbot.waitUntil(window.isVisible, timeout=PATIENCE)
    window.close()


def test_a_busy_worker_never_ends_what_belongs_to_the_window(application: Application, qtbot: QtBot) -> None:
    died_on: list[str] = []

    def leave_behind() -> None:
        thing = QObject()
        thing.itself = thing  # type: ignore[attr-defined]  # only the collector can end it
        thing.destroyed.connect(
            lambda: died_on.append(threading.current_thread().name), Qt.ConnectionType.DirectConnection
        )

    def work() -> None:
        for _ in range(100):
            assert len([[] for _ in range(1000)]) == 1000

    leave_behind()
    worker = threading.Thread(target=work, name="worker")
    worker.start()
    worker.join()
    assert died_on == []
    held: list[list[int]] = [[] for _ in range(2000)]  # enough for a collection to be due
    qtbot.waitUntil(lambda: bool(died_on), timeout=PATIENCE)
    assert died_on == [threading.main_thread().name]
    del held
