from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from redraft.api.prompt_block import Tone
from redraft.core.text import Position
from redraft.qt.documents.document import Document
from redraft.qt.places import PlaceHistory
from redraft.qt.workbench import Workbench


@pytest.fixture
def files(tmp_path: Path, bench: Workbench) -> list[Path]:
    """Two long files."""
    paths = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for path in paths:
        path.write_text("line\n" * 200, encoding="utf-8")
    bench.window.show()
    return paths


def go(bench: Workbench, qtbot: QtBot, path: Path, line: int) -> Document:
    """Put the caret somewhere, and wait until that was noticed."""
    document = bench.documents.open(path, Position(line, 0))
    assert document is not None
    qtbot.waitUntil(lambda: document.editor.caret() == 5 * line)
    bench.refresh()
    [places] = bench.findChildren(PlaceHistory)
    qtbot.waitUntil(lambda: places.here is not None and (places.here.path, places.here.offset) == (path, 5 * line))
    return document


def where(bench: Workbench) -> tuple[str, int]:
    document = bench.documents.active
    assert document is not None
    return document.title, document.editor.lineFromPosition(document.editor.currentPos())


def test_back_and_forward_lead_through_all_files(bench: Workbench, qtbot: QtBot, files: list[Path]) -> None:
    assert not bench.registries.commands.is_enabled("go.back")
    for path, line in ((files[0], 5), (files[0], 100), (files[0], 103), (files[1], 50)):
        go(bench, qtbot, path, line)
    bench.run("go.back")
    assert where(bench) == ("a.txt", 103)
    bench.run("go.back")
    assert where(bench) == ("a.txt", 5)
    bench.run("go.forward")
    bench.run("go.forward")
    assert where(bench) == ("b.txt", 50)
    assert not bench.registries.commands.is_enabled("go.forward")


def test_a_place_moves_along_with_its_text_and_outlives_its_tab(
    bench: Workbench, qtbot: QtBot, files: list[Path]
) -> None:
    document = go(bench, qtbot, files[0], 100)
    go(bench, qtbot, files[1], 3)
    document.editor.insertText(0, "new\n" * 7)
    document.editor.buffer.flush()
    bench.documents.writer.save(document)
    bench.documents.close(document)
    bench.run("go.back")
    assert where(bench) == ("a.txt", 107)


def test_the_last_edit_is_found_again(bench: Workbench, qtbot: QtBot, files: list[Path]) -> None:
    document = go(bench, qtbot, files[0], 100)
    document.editor.insertText(document.editor.currentPos(), "x")
    document.editor.buffer.flush()
    go(bench, qtbot, files[1], 0)
    bench.run("go.last_edit")
    assert where(bench) == ("a.txt", 100)


def test_messages_can_be_read_again(bench: Workbench, qtbot: QtBot) -> None:
    bench.window.show()
    done: list[str] = []
    bench.say("All is well.")
    bench.say("The disk is full.", action="Try again", on_action=lambda: done.append("again"), tone=Tone.ERROR)
    item = bench.window.status.item("problems")
    assert item is not None
    assert item.model.text == "1"
    item.click()
    picker = bench.window.picker
    assert [row.item.label for row in picker.rows] == ["The disk is full.", "All is well."]
    assert bench.window.status.item("problems") is None
    for toast in list(bench.window.toasts.shown):
        toast.gone.emit()
    qtbot.keyClicks(picker.field, "disk")
    picker.accept()
    (toast,) = bench.window.toasts.shown
    toast.action_chosen.emit()
    assert done == ["again"]
