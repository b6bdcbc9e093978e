"""Replacing words in all files of the folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from redraft.qt.workbench import Workbench


@pytest.fixture
def folder(tmp_path: Path, bench: Workbench) -> Path:
    """A folder of files in several encodings and line ends, open."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_bytes(b"tide = 1\r\nTide = 2\r\ntide_level = tide\r\n")
    (folder / "b.txt").write_bytes(b"\xef\xbb\xbfcaf\xc3\xa9 tide")
    (folder / "c.txt").write_bytes("Düne tide\n".encode("cp1252"))
    (folder / "d.bin").write_bytes(b"tide\0\1\2")
    (folder / "e.txt").write_bytes(b"nothing\n")
    bench.open_folder(folder)
    bench.window.show()
    return folder


def ask(bench: Workbench, qtbot: QtBot, words: str, new: str) -> None:
    """Say what is to be replaced by what, and wait for the count."""
    picker = bench.window.picker
    bench.run("edit.replace_in_files")
    for text in (words, new):
        picker.field.clear()
        picker.field.insert(text)
        qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(picker.isVisible() and (picker.rows or picker.said)), timeout=20_000)


def said(bench: Workbench) -> list[str]:
    return [toast.model.text for toast in bench.window.toasts.shown]


def test_it_is_counted_before_anything_changes(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    ask(bench, qtbot, "tide", "ebb")
    rows = [(row.item.label, row.item.note) for row in bench.window.picker.rows]
    assert rows == [("In all 3 files", "6 places"), ("a.py", "4 places"), ("b.txt", "1 place"), ("c.txt", "1 place")]
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Escape)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_files_keep_their_form_and_one_click_takes_it_back(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    ask(bench, qtbot, "tide", "ebb")
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said(bench) == ["Replaced in 3 files."], timeout=20_000)
    assert (folder / "a.py").read_bytes() == b"ebb = 1\r\nebb = 2\r\nebb_level = ebb\r\n"
    assert (folder / "b.txt").read_bytes() == b"\xef\xbb\xbfcaf\xc3\xa9 ebb"
    assert (folder / "c.txt").read_bytes() == "Düne ebb\n".encode("cp1252")
    assert (folder / "d.bin").read_bytes() == b"tide\0\1\2"
    bench.window.toasts.shown[0].action_chosen.emit()
    qtbot.waitUntil(lambda: {path: path.read_bytes() for path in before} == before, timeout=20_000)
    assert set(folder.iterdir()) == set(before)


def test_an_open_file_changes_in_its_tab_and_is_not_saved(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    document = bench.documents.open(folder / "a.py")
    assert document is not None
    document.editor.insertText(0, "# tide\r\n")
    document.editor.buffer.flush()
    ask(bench, qtbot, "/(t)ide$/", "$1ime")
    assert [row.item.note for row in bench.window.picker.rows] == ["4 places", "2 places", "1 place", "1 place"]
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    words = "Replaced in 3 files; 1 of them is open and not saved yet."
    qtbot.waitUntil(lambda: said(bench) == [words], timeout=20_000)
    changed = "# time\r\ntide = 1\r\nTide = 2\r\ntide_level = time\r\n"
    assert document.editor.plain_text() == changed
    assert (folder / "a.py").read_bytes() == b"tide = 1\r\nTide = 2\r\ntide_level = tide\r\n"
    document.editor.undo()
    assert document.editor.plain_text() == changed.replace("time", "tide")


def test_one_file_can_be_chosen_and_a_capital_minds_the_case(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    ask(bench, qtbot, "Tide", "Ebb")
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: said(bench) == ["Replaced in 1 file."], timeout=20_000)
    assert (folder / "a.py").read_bytes() == b"tide = 1\r\nEbb = 2\r\ntide_level = tide\r\n"


def test_a_slip_in_an_expression_and_nothing_found_are_told(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    ask(bench, qtbot, "absent", "x")
    assert bench.window.picker.said == "Nothing was found."
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Escape)
    bench.run("edit.replace_in_files")
    qtbot.keyClicks(bench.window.picker.field, "/(/")
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    [words] = said(bench)
    assert words.startswith("This is not a regular expression: ")
    picker = bench.window.picker
    bench.run("edit.replace_in_files")
    for text in ("/tide/", "$2"):
        picker.field.clear()
        picker.field.insert(text)
        qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "The expression has no group 2." in said(bench), timeout=20_000)


def replace_all(bench: Workbench, qtbot: QtBot, words: str, new: str) -> None:
    """Do it in every file that has something to replace."""
    ask(bench, qtbot, words, new)
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: any("eplaced" in words for words in said(bench)), timeout=20_000)


def test_a_file_with_two_names_changes_once(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    (folder / "z.txt").symlink_to(folder / "a.py")
    (folder / "loop.txt").symlink_to(folder / "loop.txt")
    replace_all(bench, qtbot, "tide", "tidetide")
    assert said(bench) == ["Replaced in 3 files."]
    assert (folder / "a.py").read_bytes() == b"tidetide = 1\r\ntidetide = 2\r\ntidetide_level = tidetide\r\n"
    assert (folder / "z.txt").is_symlink()


def test_a_file_that_is_open_under_another_name_changes_in_its_tab(
    bench: Workbench, qtbot: QtBot, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.py").symlink_to(folder / "a.py")
    document = bench.documents.open(tmp_path / "other.py")
    assert document is not None
    before = (folder / "a.py").read_bytes()
    document.editor.insertText(0, "# mine tide\r\n")
    document.editor.buffer.flush()
    replace_all(bench, qtbot, "tide", "ebb")
    assert (folder / "a.py").read_bytes() == before
    assert document.editor.plain_text() == "# mine ebb\r\nebb = 1\r\nebb = 2\r\nebb_level = ebb\r\n"


def test_what_cannot_be_written_is_told_and_stays(bench: Workbench, qtbot: QtBot, folder: Path) -> None:
    (folder / "b.txt").chmod(0o444)
    (folder / "a.py").chmod(0o444)
    assert bench.documents.open(folder / "a.py")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    ask(bench, qtbot, "tide", "ебб")
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(said(bench)) == 3, timeout=20_000)
    for name, fault in (("a.py", "read-only"), ("b.txt", "read-only"), ("c.txt", "“е”")):
        assert any(name in words and fault in words for words in said(bench))
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_what_was_changed_since_is_not_taken_back_and_that_is_told(
    bench: Workbench, qtbot: QtBot, folder: Path
) -> None:
    before = (folder / "b.txt").read_bytes()
    replace_all(bench, qtbot, "tide", "ebb")
    (folder / "a.py").write_bytes(b"mine\n")
    bench.window.toasts.shown[0].action_chosen.emit()
    qtbot.waitUntil(lambda: any(words.startswith("Not taken back: ") for words in said(bench)), timeout=20_000)
    assert (folder / "a.py").read_bytes() == b"mine\n"
    assert (folder / "b.txt").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "new", "after"),
    [
        ("/x*/", "-", b"-a--b-\r\n-"),
        ("/^/", "> ", b"> axxb\r\n> "),
        ("/$/", ";", b"axxb;\r\n;"),
        (r"/(a)(\w+)\n/", r"$2$1\n", b"xxba\r\n"),
    ],
)
def test_matches_of_nothing_and_of_line_ends(
    bench: Workbench, qtbot: QtBot, folder: Path, words: str, new: str, after: bytes
) -> None:
    for path in folder.iterdir():
        path.unlink()
    (folder / "only.txt").write_bytes(b"axxb\r\n")
    replace_all(bench, qtbot, words, new)
    assert (folder / "only.txt").read_bytes() == after
