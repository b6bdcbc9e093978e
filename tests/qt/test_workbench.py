from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeyEvent
from pytestqt.qtbot import QtBot

from redraft.core.text import Position, TextRange
from redraft.host.keys import Key
from redraft.qt.dialogs.questions import Answer
from redraft.qt.facts import position_label
from redraft.qt.keys import keys_of
from redraft.qt.workbench import Workbench
from window_fakes import PresetQuestions


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "readings.py"
    path.write_bytes(b"import math\r\nx = 1\r\n")
    return path


def status(bench: Workbench, item: str) -> str:
    widget = bench.window.status.item(item)
    return widget.model.text if widget else ""


def said(bench: Workbench) -> str:
    return " ".join(toast.model.text for toast in bench.window.toasts.shown)


def type_at_start(bench: Workbench, text: str) -> None:
    document = bench.documents.active
    assert document is not None
    document.editor.insertText(0, text)
    document.editor.buffer.flush()


def test_opening_shows_the_file_and_what_it_is(bench: Workbench, file: Path) -> None:
    bench.open_paths([file], Position(1, 2))
    bench.refresh()
    assert [button.model.title for button in bench.window.tabs.buttons] == ["readings.py"]
    facts = [status(bench, item) for item in ("position", "indentation", "encoding", "line_end", "language")]
    assert facts == ["Ln 2, Col 3", "4 spaces", "UTF-8", "CRLF", "Python"]
    assert bench.registries.context["language"] == "python"
    assert bench.window.windowTitle() == "readings.py[*] – Redraft"


def test_editing_marks_the_tab_and_saving_keeps_line_ends(bench: Workbench, file: Path) -> None:
    bench.open_paths([file])
    type_at_start(bench, "# tide\r\n")
    bench.refresh()
    assert bench.window.tabs.buttons[0].model.is_modified
    bench.run("file.save")
    assert file.read_bytes() == b"# tide\r\nimport math\r\nx = 1\r\n"
    assert not bench.window.tabs.buttons[0].model.is_modified
    assert status(bench, "saved") == "Saved"


def test_saved_is_not_said_beside_a_failure(bench: Workbench, file: Path) -> None:
    bench.open_paths([file])
    bench.run("file.save")
    assert status(bench, "saved") == "Saved"
    bench.documents.failed.emit("There is no space left.")
    assert status(bench, "saved") == ""


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (0, 0, "Ln 1, Col 1"),
        (0, 3, "Ln 1, Col 4 (3 selected)"),
        (0, 4, "Ln 2, Col 1 (4 selected)"),
        (0, 5, "Ln 2, Col 2 (2 lines, 5 selected)"),
        (0, 8, "Ln 3, Col 1 (2 lines, 8 selected)"),
    ],
)
def test_the_status_bar_counts_the_lines_a_selection_has_something_of(
    bench: Workbench, tmp_path: Path, start: int, end: int, words: str
) -> None:
    file = tmp_path / "lines.txt"
    file.write_text("one\ntwo\nthree\n")
    document = bench.documents.open(file)
    assert document is not None
    document.editor.select(TextRange(start, end))
    assert position_label(document) == words


def test_saving_says_that_proposed_hunks_are_not_in_the_file(bench: Workbench, file: Path) -> None:
    document = bench.documents.open(file)
    assert document is not None
    document.set_activity(is_running=False, undecided=3)
    bench.run("file.save")
    assert status(bench, "saved") == "Saved, 3 proposed hunks not included"
    assert bench.window.tabs.buttons[0].model.undecided == 3


def test_a_file_is_opened_once(bench: Workbench, file: Path, tmp_path: Path) -> None:
    (tmp_path / "link.py").symlink_to(file)
    first = bench.documents.open(file)
    assert bench.documents.open(tmp_path / "link.py") is first
    assert len(bench.documents.all) == 1


def test_an_untouched_new_text_gives_way_to_a_file(bench: Workbench, file: Path) -> None:
    bench.documents.new()
    bench.documents.open(file)
    assert [document.title for document in bench.documents.all] == ["readings.py"]


@pytest.mark.parametrize(
    ("name", "words"),
    [("missing.py", "missing.py"), ("binary.bin", "binary.bin"), ("folder", "folder"), ("secret.py", "secret.py")],
)
def test_what_cannot_be_opened_is_said_in_one_sentence(bench: Workbench, tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "binary.bin").write_bytes(bytes(range(256)) * 8)
    (tmp_path / "folder").mkdir()
    (tmp_path / "secret.py").mkdir()
    assert bench.documents.open(tmp_path / name) is None
    assert words in said(bench)
    assert bench.documents.all == []


def test_a_named_file_that_is_not_there_begins_empty(bench: Workbench, tmp_path: Path) -> None:
    bench.open_paths([tmp_path / "new.py"], create=True)
    type_at_start(bench, "x = 1\n")
    bench.run("file.save")
    assert (tmp_path / "new.py").read_text(encoding="utf-8") == "x = 1\n"


def test_a_read_only_file_can_be_read_and_not_changed(bench: Workbench, file: Path) -> None:
    file.chmod(0o444)
    document = bench.documents.open(file)
    bench.refresh()
    assert document is not None
    assert document.editor.readOnly()
    assert bench.registries.context["read_only"] is True
    assert not bench.registries.commands.is_enabled("edit.paste")


@pytest.mark.parametrize(
    ("answer", "is_closed", "on_disk"),
    [(Answer.CANCEL, False, "old\n"), (Answer.DISCARD, True, "old\n"), (Answer.SAVE, True, "new old\n")],
)
def test_closing_asks_about_what_would_be_lost(
    bench: Workbench, questions: PresetQuestions, tmp_path: Path, answer: Answer, is_closed: object, on_disk: str
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old\n", encoding="utf-8")
    bench.documents.open(path)
    type_at_start(bench, "new ")
    questions.unsaved = answer
    bench.run("file.close")
    assert questions.asked == ["unsaved a.txt"]
    assert (not bench.documents.all) is is_closed
    assert path.read_text(encoding="utf-8") == on_disk


def test_closing_asks_once_about_undecided_proposals(bench: Workbench, questions: PresetQuestions, file: Path) -> None:
    document = bench.documents.open(file)
    assert document is not None
    document.set_activity(is_running=False, undecided=2)
    questions.consent = False
    bench.run("file.close")
    assert questions.asked == ["proposals readings.py"]
    assert len(bench.documents.all) == 1


def test_a_closed_file_comes_back(bench: Workbench, file: Path) -> None:
    bench.documents.open(file)
    bench.run("file.close")
    assert bench.documents.active is None
    assert bench.window.shown_documents == (None,)
    bench.run("file.reopen_closed")
    assert [document.path for document in bench.documents.all] == [file]


def test_saving_over_a_change_of_another_program_asks_first(
    bench: Workbench, questions: PresetQuestions, file: Path
) -> None:
    bench.documents.open(file)
    type_at_start(bench, "# mine\r\n")
    file.write_text("theirs\n", encoding="utf-8")
    questions.consent = False
    bench.run("file.save")
    assert file.read_text(encoding="utf-8") == "theirs\n"
    questions.consent = True
    bench.run("file.save")
    assert file.read_bytes().startswith(b"# mine\r\nimport")


def test_save_as_gives_the_text_another_home(bench: Workbench, questions: PresetQuestions, tmp_path: Path) -> None:
    bench.documents.new("print(1)\n")
    questions.save_path = tmp_path / "print.py"
    bench.run("file.save")
    document = bench.documents.active
    assert document is not None
    assert (document.path, document.editor.language_id, document.is_modified) == (
        tmp_path / "print.py",
        "python",
        False,
    )


def test_files_of_the_same_name_show_their_folders(bench: Workbench, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.py").write_text("", encoding="utf-8")
        bench.documents.open(tmp_path / folder / "x.py")
    bench.refresh()
    assert [button.model.title for button in bench.window.tabs.buttons] == ["a/x.py", "b/x.py"]


def test_dropping_files_and_folders_opens_them(bench: Workbench, file: Path, tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file)), QUrl.fromLocalFile(str(tmp_path))])
    copy = Qt.DropAction.CopyAction
    event = QDropEvent(QPointF(5, 5), copy, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    bench.window.dropEvent(event)
    assert [document.path for document in bench.documents.all] == [file]
    assert bench.folder == tmp_path


def test_keys_run_commands_through_the_key_map(bench: Workbench, qtbot: QtBot, file: Path) -> None:
    bench.documents.open(file)
    bench.window.show()
    qtbot.keyClick(bench.window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert not bench.window.is_sidebar_shown
    assert bench.registries.context["sidebar_visible"] is False
    control_shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(bench.window, Qt.Key.Key_P, control_shift)
    assert bench.window.picker.isVisible()
    qtbot.keyClicks(bench.window.picker.field, "side bar")
    assert bench.window.picker.shown_ids[0] == "view.sidebar"


@pytest.mark.parametrize(
    ("code", "modifiers", "expected"),
    [
        (Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier, "Ctrl+K"),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier, "Ctrl+Enter"),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, "Esc"),
        (Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier, "Shift+Tab"),
        (
            Qt.Key.Key_Colon,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
            "Ctrl+Shift+;",
        ),
        (Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier, "Ctrl++"),
        (Qt.Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier, "Ctrl+Backspace"),
    ],
)
def test_a_press_means_the_key_people_name(code: Qt.Key, modifiers: Qt.KeyboardModifier, expected: str) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, code, modifiers)
    assert Key.parse(expected) in keys_of(event)


def test_go_to_line_and_column(bench: Workbench, qtbot: QtBot, file: Path) -> None:
    bench.documents.open(file)
    bench.window.show()
    bench.run("go.line")
    qtbot.keyClicks(bench.window.picker.field, "2:3")
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    bench.refresh()
    assert status(bench, "position") == "Ln 2, Col 3"


def test_go_to_file_lists_the_folder(bench: Workbench, qtbot: QtBot, tmp_path: Path) -> None:
    for name in ("src/a.py", "src/b.py", ".venv/lib/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    bench.open_folder(tmp_path)
    bench.window.show()
    bench.run("go.file")
    qtbot.waitUntil(lambda: len(bench.window.picker.shown_ids) == 2)
    qtbot.keyClicks(bench.window.picker.field, "b")
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    assert [document.path for document in bench.documents.all] == [tmp_path / "src" / "b.py"]


def test_line_ends_of_the_whole_file_change_as_one_step(bench: Workbench, qtbot: QtBot, file: Path) -> None:
    document = bench.documents.open(file)
    assert document is not None
    bench.window.show()
    bench.run("edit.line_ends")
    qtbot.keyClicks(bench.window.picker.field, "LF")
    assert bench.window.picker.shown_ids[0] == "LF"
    qtbot.keyClick(bench.window.picker.field, Qt.Key.Key_Return)
    assert document.editor.plain_text() == "import math\nx = 1\n"
    bench.refresh()
    bench.run("edit.undo")
    assert document.editor.plain_text() == "import math\r\nx = 1\r\n"


def test_side_bar_keeps_within_its_bounds(bench: Workbench) -> None:
    bench.window.set_sidebar_width(50)
    assert bench.window.sidebar.width() == 168
    bench.window.set_sidebar_width(900)
    assert bench.window.sidebar.width() == 400


def test_quitting_is_asked_for_and_not_done_by_the_window(bench: Workbench, qtbot: QtBot) -> None:
    bench.window.show()
    with qtbot.waitSignal(bench.quit_wanted):
        bench.window.close()
    assert bench.window.isVisible()


def test_every_theme_dresses_the_whole_window(bench: Workbench, file: Path) -> None:
    bench.documents.open(file)
    bench.themes.changed.connect(bench.set_theme)
    bench.window.show()
    for choice in ("light", "contrast", "dark"):
        bench.themes.choose(choice)
        image = bench.window.grab().toImage()
        assert image.pixelColor(100, 300).name().upper() == bench.themes.theme.hex("surface.1")


def test_f6_leads_through_the_parts_of_the_window_and_escape_back_to_the_text(
    bench: Workbench, qtbot: QtBot, file: Path, tmp_path: Path
) -> None:
    bench.open_paths([tmp_path, file])
    bench.window.show()
    bench.window.activateWindow()
    document = bench.documents.active
    assert document is not None
    qtbot.waitUntil(document.editor.hasFocus)
    bench.refresh()
    status_entry = bench.window.status.entry
    seen = [document.editor, bench.window.sidebar.tree, bench.window.tabs.buttons[0], status_entry, document.editor]
    for part in seen[1:]:
        assert part is not None
        bench.run("go.next_region")
        qtbot.waitUntil(part.hasFocus)
    bench.run("go.previous_region")
    assert status_entry is not None
    assert status_entry.hasFocus()
    qtbot.keyClick(status_entry, Qt.Key.Key_Escape)
    assert document.editor.hasFocus()


def test_without_a_file_no_button_has_the_keyboard_at_the_start(bench: Workbench, qtbot: QtBot) -> None:
    bench.window.show()
    bench.window.activateWindow()
    qtbot.waitUntil(bench.window.isActiveWindow)
    assert bench.window.focusWidget() is bench.window.area.current
