"""Two files beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from redraft.qt.documents.document import Document
from redraft.qt.session_keeper import SessionKeeper
from redraft.qt.workbench import Workbench


@pytest.fixture
def files(bench: Workbench, tmp_path: Path) -> dict[str, Document]:
    """Three open files; `a` is in front, `b` was before."""
    opened = {}
    for name in ("c", "b", "a"):
        path = tmp_path / f"{name}.py"
        path.write_text(f"{name} = 1\n", "utf-8")
        document = bench.documents.open(path)
        assert document is not None
        opened[name] = document
    bench.window.show()
    bench.window.activateWindow()
    return opened


def shown(bench: Workbench) -> list[str]:
    numbers = bench.window.shown_documents
    found = [bench.documents.of_number(number) if number else None for number in numbers]
    return [document.title.removesuffix(".py") if document else "" for document in found]


def in_front(bench: Workbench) -> str:
    return bench.documents.active.title.removesuffix(".py") if bench.documents.active else ""


def test_the_file_that_was_in_front_before_comes_beside_the_one_that_is(
    bench: Workbench, qtbot: QtBot, files: dict[str, Document]
) -> None:
    bench.run("view.split")
    assert shown(bench) == ["a", "b"]
    assert in_front(bench) == "b"
    assert bench.registries.commands.is_checked("view.split")
    qtbot.waitUntil(files["b"].editor.hasFocus)
    bench.run("view.split")
    assert shown(bench) == ["b"], "the one in front stays"
    assert in_front(bench) == "b"
    assert not bench.registries.commands.is_checked("view.split")


def test_the_button_and_the_key_split_the_window(bench: Workbench, qtbot: QtBot, files: dict[str, Document]) -> None:
    QTest.mouseClick(bench.window.header.split, Qt.MouseButton.LeftButton)
    assert shown(bench) == ["a", "b"]
    QTest.keyClick(files["b"].editor, Qt.Key.Key_Backslash, Qt.KeyboardModifier.ControlModifier)
    assert shown(bench) == ["b"]


def test_the_file_with_the_keyboard_is_the_one_in_front(
    bench: Workbench, qtbot: QtBot, files: dict[str, Document]
) -> None:
    bench.run("view.split")
    QTest.mouseClick(files["a"].editor.viewport(), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: in_front(bench) == "a")
    assert shown(bench) == ["a", "b"]
    bench.run("go.next_region")
    qtbot.waitUntil(lambda: in_front(bench) == "b")
    QTest.keyClicks(files["b"].editor, "x")
    assert files["b"].editor.plain_text() == "xb = 1\n"
    assert files["a"].editor.plain_text() == "a = 1\n"


def test_a_tab_is_shown_where_the_keyboard_is_unless_it_is_on_screen_already(
    bench: Workbench, qtbot: QtBot, files: dict[str, Document]
) -> None:
    bench.run("view.split")
    bench.window.tabs.chosen.emit(files["c"].number)
    assert shown(bench) == ["a", "c"]
    bench.window.tabs.chosen.emit(files["a"].number)
    assert (shown(bench), in_front(bench)) == (["a", "c"], "a")
    qtbot.waitUntil(files["a"].editor.hasFocus)
    bench.window.tabs.chosen.emit(files["b"].number)
    assert (shown(bench), in_front(bench)) == (["b", "c"], "b")


@pytest.mark.parametrize(("closed", "left"), [("b", ["a"]), ("a", ["b"]), ("c", ["a", "b"])])
def test_closing_a_file_on_screen_leaves_the_other_one(
    bench: Workbench, files: dict[str, Document], closed: str, left: list[str]
) -> None:
    bench.run("view.split")
    bench.documents.close(files[closed])
    assert shown(bench) == left
    assert bench.registries.context["is_split"] == (len(left) == 2)


def test_beside_the_only_file_there_is_room_for_another(
    bench: Workbench, qtbot: QtBot, files: dict[str, Document]
) -> None:
    bench.documents.close_many([files["b"], files["c"]])
    bench.run("view.split")
    assert shown(bench) == ["a", ""]
    bench.window.tabs.chosen.emit(files["a"].number)
    assert shown(bench) == ["a"], "a file that is chosen is shown once"
    bench.run("view.split")
    path = files["a"].path
    assert path is not None
    bench.window.sidebar.tree.file_chosen.emit(path.with_name("c.py"))
    assert shown(bench) == ["a", "c"]


def test_a_file_chosen_from_a_list_is_shown_in_the_empty_side_that_has_the_keyboard(
    bench: Workbench, qtbot: QtBot, files: dict[str, Document], tmp_path: Path
) -> None:
    bench.open_folder(tmp_path)
    bench.documents.close_many([files["b"], files["c"]])
    picker, area = bench.window.picker, bench.window.area
    bench.run("view.split")
    qtbot.waitUntil(area.current.hasFocus)
    entered: list[object] = []
    area.entered.connect(entered.append)
    bench.run("go.file")
    qtbot.keyClick(picker.field, Qt.Key.Key_Escape)
    assert area.current.hasFocus()
    assert shown(bench) == ["a", ""]
    bench.run("go.file")
    qtbot.waitUntil(lambda: picker.isVisible() and len(picker.shown_ids) > 1)
    qtbot.keyClicks(picker.field, "c.py")
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown(bench) == ["a", "c"])
    document = bench.documents.active
    assert document is not None
    assert document.title == "c.py"
    qtbot.waitUntil(document.editor.hasFocus)
    assert not entered, "the other side never had the keyboard"


def test_both_sides_come_back_after_a_restart(bench: Workbench, files: dict[str, Document]) -> None:
    bench.run("view.split")
    bench.documents.activate(files["a"])
    SessionKeeper(bench).save()
    bench.run("view.split")
    bench.documents.close_many(bench.documents.all)
    again = SessionKeeper(bench)
    again.restore_window()
    again.restore_files()
    assert (shown(bench), in_front(bench)) == (["a", "b"], "a")


def test_each_side_searches_its_own_text(bench: Workbench, files: dict[str, Document]) -> None:
    bench.run("view.split")
    bench.refresh_focus()
    bench.run("edit.find")
    assert bench.window.view_of(files["b"]).shows_find
    assert not bench.window.view_of(files["a"]).shows_find
