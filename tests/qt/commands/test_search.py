from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from redraft.qt.workbench import Workbench

CODE = "class Tide:\n    def level(self):\n        return 1\n\n\ndef mean():\n    return 2\n"


@pytest.fixture
def folder(tmp_path: Path, bench: Workbench) -> Path:
    """A folder of three files, open."""
    (tmp_path / "a.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "b.md").write_text("The Tide comes.\n", encoding="utf-8")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "c.txt").write_text("tide\n", encoding="utf-8")
    bench.folder_model.set_excluded(["build/"])
    bench.open_folder(tmp_path)
    bench.window.show()
    return tmp_path


def test_symbols_are_listed_with_the_one_around_the_caret(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    document = bench.documents.open(folder / "a.py")
    assert document is not None
    picker = bench.window.picker
    bench.run("go.symbol")
    qtbot.waitUntil(picker.isVisible)
    assert [int(shown) for shown in picker.shown_ids] == [0, CODE.index("def level"), CODE.index("def mean")]
    qtbot.keyClicks(picker.field, "mean")
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert document.editor.caret() == CODE.index("def mean")


def test_words_are_found_in_all_files_but_excluded_ones(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    picker = bench.window.picker
    bench.run("edit.find_in_files")
    qtbot.keyClicks(picker.field, "tide")
    qtbot.waitUntil(lambda: len(picker.shown_ids) == 2, timeout=20_000)
    qtbot.keyClick(picker.field, Qt.Key.Key_Down)
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    document = bench.documents.active
    assert document is not None
    assert document.path == folder / "b.md"
    assert document.editor.selection().of(document.editor.plain_text()) == "Tide"


def test_unsaved_text_is_searched_and_a_capital_minds_the_case(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    document = bench.documents.open(folder / "b.md")
    assert document is not None
    document.editor.insertText(0, "moon and Moon\n")
    document.editor.buffer.flush()
    picker = bench.window.picker
    bench.run("edit.find_in_files")
    qtbot.keyClicks(picker.field, "Moon")
    qtbot.waitUntil(lambda: len(picker.shown_ids) == 1, timeout=20_000)
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert document.editor.selection().start == len("moon and ")


def test_a_broken_expression_is_said_and_searches_nothing(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    picker = bench.window.picker
    bench.run("edit.find_in_files")
    qtbot.keyClicks(picker.field, "/(/")
    qtbot.waitUntil(lambda: "This is not a regular expression" in picker.said, timeout=20_000)
    assert picker.shown_ids == []


def test_what_was_looked_for_last_is_offered_again(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    picker = bench.window.picker
    bench.run("edit.find_in_files")
    qtbot.keyClicks(picker.field, "comes")
    qtbot.keyClick(picker.field, Qt.Key.Key_Escape)
    assert not picker.isVisible()
    bench.run("edit.find_in_files")
    assert picker.field.text() == "comes"
    qtbot.waitUntil(lambda: len(picker.shown_ids) == 1, timeout=20_000)
