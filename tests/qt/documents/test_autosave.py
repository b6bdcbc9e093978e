from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from redraft.qt.documents.autosave import AutoSave
from redraft.qt.documents.document import Document
from redraft.qt.workbench import Workbench


@pytest.fixture
def autosave(bench: Workbench) -> AutoSave:
    return AutoSave(bench.documents, bench)


@pytest.fixture
def document(bench: Workbench, autosave: AutoSave, tmp_path: Path) -> Document:
    path = tmp_path / "a.txt"
    path.write_text("one \n", encoding="utf-8")
    document = bench.documents.open(path)
    assert document is not None
    return document


def edit(document: Document) -> None:
    document.editor.insertText(0, "x")
    document.editor.buffer.flush()


def on_disk(document: Document) -> str:
    assert document.path is not None
    return document.path.read_text(encoding="utf-8")


def test_after_a_pause_the_file_is_written(autosave: AutoSave, document: Document, qtbot: QtBot) -> None:
    autosave.set_mode("after_delay")
    edit(document)
    qtbot.waitUntil(lambda: on_disk(document) == "xone \n", timeout=10_000)
    assert not document.is_modified


def test_losing_the_keyboard_writes_only_where_that_is_wanted(autosave: AutoSave, document: Document) -> None:
    edit(document)
    autosave._on_state_changed(Qt.ApplicationState.ApplicationInactive)
    assert on_disk(document) == "one \n"
    autosave.set_mode("on_focus_change")
    autosave._on_state_changed(Qt.ApplicationState.ApplicationInactive)
    assert on_disk(document) == "xone \n"


def test_a_change_of_another_program_is_never_overwritten(
    bench: Workbench, autosave: AutoSave, document: Document
) -> None:
    edit(document)
    assert document.path is not None
    document.path.write_text("theirs\n", encoding="utf-8")
    autosave.save_now()
    assert on_disk(document) == "theirs\n"
    assert document.is_modified
    assert bench.window.toasts.shown == []
