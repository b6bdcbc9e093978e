from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from redraft.api.ui import PickItem
from redraft.qt.palette.picker import Picker, Question
from redraft.qt.palette.rows import PickRow, fitted, split_runs
from redraft.qt.theme import load_theme

ROWS = (
    PickRow(PickItem("open", "Open File"), key="Ctrl+O"),
    PickRow(PickItem("save", "Save")),
    PickRow(PickItem("undo", "Undo"), is_enabled=False),
    PickRow(PickItem("theme", "Color theme", detail="dark and light")),
)


@pytest.fixture
def picker(qtbot: QtBot) -> Picker:
    window = QWidget()
    window.resize(900, 600)
    qtbot.addWidget(window)
    window.show()
    picker = Picker(load_theme("dark"), window)
    picker.destroyed_with = window  # type: ignore[attr-defined]  # keeps the window alive
    return picker


def test_typing_narrows_the_list_and_enter_chooses(picker: Picker, qtbot: QtBot) -> None:
    chosen: list[str] = []
    picker.ask(Question("Run", ROWS), on_chosen=chosen.append)
    assert picker.shown_ids == ["open", "save", "theme", "undo"]
    qtbot.keyClicks(picker.field, "sav")
    assert picker.shown_ids[0] == "save"
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert chosen == ["save"]
    assert not picker.isVisible()


def test_arrows_move_round_and_a_choice_that_cannot_be_made_is_kept_open(picker: Picker, qtbot: QtBot) -> None:
    chosen: list[str] = []
    picker.ask(Question("Run", ROWS), on_chosen=chosen.append)
    qtbot.keyClick(picker.field, Qt.Key.Key_Up)
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert chosen == []
    assert picker.isVisible()


def test_escape_leaves_everything_as_it_is(picker: Picker, qtbot: QtBot) -> None:
    chosen: list[str] = []
    picker.ask(Question("Run", ROWS), on_chosen=chosen.append)
    with qtbot.waitSignal(picker.closed):
        qtbot.keyClick(picker.field, Qt.Key.Key_Escape)
    assert chosen == []


def test_the_keyboard_goes_back_to_where_it_was_also_after_a_second_question(picker: Picker, qtbot: QtBot) -> None:
    field = QLineEdit(picker.parentWidget())
    field.show()
    field.setFocus()
    free: list[bool] = []
    picker.keyboard_free.connect(lambda: free.append(True))
    picker.ask(Question("Run", ROWS))
    qtbot.keyClick(picker.field, Qt.Key.Key_Escape)
    assert (field.hasFocus(), free) == (True, [])
    picker.ask(Question("Run", ROWS), on_chosen=lambda _: picker.ask(Question("With", ROWS)))
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert free == [True], "whoever hears the choice has the keyboard"
    qtbot.keyClick(picker.field, Qt.Key.Key_Escape)
    assert field.hasFocus()


def test_nothing_else_in_the_window_has_the_keyboard_while_it_closes(picker: Picker, qtbot: QtBot) -> None:
    others = [QLineEdit(picker.parentWidget()) for _ in range(2)]
    home = QLineEdit(picker.parentWidget())
    for field in (*others, home):
        field.show()
    home.setFocus()
    picker.keyboard_free.connect(home.setFocus)
    picker.ask(Question("Run", ROWS))
    seen: list[bool] = []
    for other in others:
        other.selectionChanged.connect(lambda: seen.append(True))
        other.setText("words")  # a field that the Tab key enters selects all
    seen.clear()
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert home.hasFocus()
    assert not seen


def test_a_click_elsewhere_closes_it_and_the_keyboard_stays_there(picker: Picker) -> None:
    before, other = QLineEdit(picker.parentWidget()), QLineEdit(picker.parentWidget())
    for field in (before, other):
        field.show()
    before.setFocus()
    picker.ask(Question("Run", ROWS))
    other.setFocus()
    assert not picker.isVisible()
    assert other.hasFocus()


def test_where_the_keyboard_was_is_gone_it_is_told_free(picker: Picker, qtbot: QtBot) -> None:
    field = QLineEdit(picker.parentWidget())
    field.show()
    field.setFocus()
    picker.ask(Question("Run", ROWS))
    shiboken6.delete(field)
    with qtbot.waitSignal(picker.keyboard_free):
        qtbot.keyClick(picker.field, Qt.Key.Key_Escape)


def test_words_of_the_detail_are_found_too(picker: Picker, qtbot: QtBot) -> None:
    picker.ask(Question("Run", ROWS))
    qtbot.keyClicks(picker.field, "light")
    assert picker.shown_ids == ["theme"]


def test_the_current_choice_is_highlighted_first(picker: Picker, qtbot: QtBot) -> None:
    chosen: list[str] = []
    picker.ask(Question("Theme", ROWS, current="theme"), on_chosen=chosen.append)
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert chosen == ["theme"]


def test_the_text_can_be_the_answer(picker: Picker, qtbot: QtBot) -> None:
    answers: list[str] = []
    picker.ask(Question("Line", answer_text=True), on_text=answers.append)
    qtbot.keyClicks(picker.field, "12:3")
    qtbot.keyClick(picker.field, Qt.Key.Key_Return)
    assert answers == ["12:3"]


def test_runs_of_a_label_join_to_the_label() -> None:
    runs = split_runs("Open Folder", (0, 1, 5))
    assert runs == [("Op", True), ("en ", False), ("F", True), ("older", False)]


LINE = "    raise StationError(station, response.status_code, response.reason)  # as the server says"


@pytest.mark.parametrize("words", ["raise", "status_code", "reason", "as the server says"])
def test_a_line_that_is_too_long_is_cut_so_that_what_was_found_shows_and_is_marked(picker: Picker, words: str) -> None:
    metrics = QFontMetrics(picker.font())
    width = metrics.horizontalAdvance(LINE) // 2
    start = LINE.index(words)
    shown, marked = fitted(LINE, range(start, start + len(words)), metrics, width)
    assert "".join(shown[place] for place in marked) == words
    assert "…" in {shown[0], shown[-1]}
    assert metrics.horizontalAdvance(shown) <= width


def test_a_find_wider_than_the_row_is_marked_up_to_the_ellipsis(picker: Picker) -> None:
    metrics = QFontMetrics(picker.font())
    shown, marked = fitted(LINE, range(4, len(LINE)), metrics, metrics.horizontalAdvance(LINE) // 2)
    assert shown[4:] == "".join(shown[place] for place in marked)
    assert shown.endswith("…")
