"""A predicted edit in a real editor widget: keys, pixels, buffer and undo history."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.api.prediction import (
    PredictionClosed,
    PredictionEnd,
    PredictionEvent,
    PredictionKeys,
    PredictionModel,
    PredictionTaken,
)
from redraft.core.diff.predicted import PredictedEdit
from redraft.core.text import TextEdit, TextRange, apply_edits
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.prediction.view import PredictionView, Shape
from redraft.qt.editor.text_editor import EditorAdapter

CODE = "def total(items):\n    result = sum(\n    return result\n"
KEYS = PredictionKeys("Tab", "Alt+L", "Ctrl+Right", "Ctrl+Down")
CARET = CODE.index("sum(") + 4
GHOST = PredictedEdit(CARET, "", "items)\n    print(result)")


@dataclass
class File:
    path: Path | None = None
    title: str = "Untitled"


@dataclass
class Room:
    """An editor with a file, and what was heard of its prediction."""

    adapter: EditorAdapter
    editor: CodeEditor
    events: list[PredictionEvent] = field(default_factory=list)

    def predict(self, *edits: PredictedEdit, subtle: bool = False, elsewhere: str = "") -> PredictionView:
        model = PredictionModel(edits, KEYS, subtle=subtle, elsewhere=elsewhere)
        return self.adapter.show_prediction(model, on_event=self.events.append)

    def caret(self, offset: int) -> None:
        self.editor.select(TextRange(offset, offset))

    def rows(self, line: int) -> list[str]:
        return [row.text for row in AnnotationRegistry.of(self.editor).rows(line)]

    @property
    def end(self) -> PredictionEnd | None:
        return next((event.end for event in self.events if isinstance(event, PredictionClosed)), None)


@pytest.fixture
def room(editor: CodeEditor) -> Room:
    editor.set_document(CODE, "python")
    editor.activateWindow()
    editor.focus_text()
    room = Room(EditorAdapter(editor, File()), editor)
    room.caret(CARET)
    return room


def test_an_insertion_at_the_caret_is_ghost_text_and_nothing_enters_the_buffer(room: Room) -> None:
    view = room.predict(GHOST)
    assert view.shape is Shape.GHOST
    label = view._ghost.label
    assert (label.text, label.isVisible()) == ("items)", True)
    assert label.x() == room.editor.pointXFromPosition(CARET)
    assert room.rows(1) == ["    print(result)"]
    assert view.hint.words == (("Tab", "accept"), ("Ctrl+Right", "word"))
    assert room.editor.plain_text() == CODE
    assert not room.editor.canUndo()
    assert not room.editor.modify()


def test_accepting_is_one_undo_step_of_its_own(room: Room) -> None:
    QTest.keyClicks(room.editor, "it")
    view = room.predict(PredictedEdit(CARET + 2, "", "ems)"))
    view.accept()
    assert room.editor.plain_text() == CODE.replace("sum(", "sum(items)")
    assert room.editor.caret() == CARET + 6
    assert room.end is PredictionEnd.ACCEPTED
    room.editor.undo()
    assert room.editor.plain_text() == CODE.replace("sum(", "sum(it")
    room.editor.undo()
    assert room.editor.plain_text() == CODE
    assert room.rows(1) == []


def test_typing_along_keeps_it_and_uses_it_up(room: Room) -> None:
    view = room.predict(PredictedEdit(CARET, "", "items)"))
    for place, char in enumerate("items"):
        QTest.keyClicks(room.editor, char)
        assert list(view.edits) == [PredictedEdit(CARET + place + 1, "", "items)"[place + 1 :])]
        assert view.shape is Shape.GHOST
    QTest.keyClicks(room.editor, ")")
    assert room.end is PredictionEnd.TYPED
    assert room.editor.plain_text() == CODE.replace("sum(", "sum(items)")


def test_typing_against_it_takes_it_away(room: Room) -> None:
    room.predict(GHOST)
    QTest.keyClicks(room.editor, "x")
    assert room.end is PredictionEnd.OUTDATED
    assert room.rows(1) == []
    assert room.adapter.prediction is None


def test_words_and_lines_can_be_taken_one_by_one(room: Room) -> None:
    view = room.predict(GHOST)
    view.accept_word()
    assert room.editor.plain_text() == CODE.replace("sum(", "sum(items")
    assert room.events == [PredictionTaken()]
    view.accept_line()
    assert room.editor.plain_text() == CODE.replace("sum(", "sum(items)")
    view.accept_line()
    assert room.editor.plain_text() == CODE.replace("sum(", "sum(items)\n    print(result)")
    assert room.end is PredictionEnd.ACCEPTED


def test_a_replacement_is_a_small_diff(room: Room) -> None:
    start = CODE.index("result\n")
    view = room.predict(PredictedEdit(start, "result", "total"))
    assert view.shape is Shape.DIFF
    assert room.rows(2) == ["    return total"]
    assert room.editor.markerGet(2)
    assert view.hint.words == (("Tab", "accept"),)
    view.accept()
    assert room.editor.plain_text() == CODE.replace("return result", "return total")
    assert not room.editor.markerGet(2)
    assert room.rows(2) == []
    room.editor.undo()
    assert room.editor.plain_text() == CODE


def test_an_insertion_above_line_0_can_be_seen(room: Room) -> None:
    view = room.predict(PredictedEdit(0, "", "import sys\n"))
    assert view.shape is Shape.DIFF
    assert room.rows(0) == ["import sys", "def total(items):"]
    view.accept()
    assert room.editor.plain_text() == "import sys\n" + CODE


def test_a_whole_line_that_follows_the_carets_is_ghost_text_too(room: Room, qtbot: QtBot) -> None:
    end = CODE.index(":") + 1
    room.caret(end)
    view = room.predict(PredictedEdit(end + 1, "", "    print(items)\n"))
    assert view.shape is Shape.GHOST
    assert room.rows(0) == ["    print(items)"]
    QTest.keyClick(room.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: view.shape is Shape.GHOST)
    view.accept()
    assert room.editor.plain_text() == CODE.replace(":\n", ":\n    print(items)\n", 1)


def test_one_after_the_other_is_shown_and_accepted(room: Room) -> None:
    first, second = CODE.index("items"), CODE.index("return")
    view = room.predict(PredictedEdit(first, "items", "values"), PredictedEdit(second, "return", "yield"))
    room.caret(0)
    view.accept()
    assert room.events == [PredictionTaken()]
    assert list(view.edits) == [PredictedEdit(second + 1, "return", "yield")]
    view.accept()
    assert room.end is PredictionEnd.ACCEPTED
    assert room.editor.plain_text() == CODE.replace("(items)", "(values)").replace("return", "yield")


def test_far_away_a_pill_says_where_and_the_first_accept_goes_there(room: Room) -> None:
    room.editor.set_document(CODE + "\n" * 200 + "x = result\n", "python")
    text = room.editor.plain_text()
    room.caret(CARET)
    view = room.predict(PredictedEdit(text.rindex("result"), "result", "total"))
    assert view.shape is Shape.AWAY
    assert view.pill.isVisible()
    assert (view.pill.model.place, view.pill.model.summary) == ("Line 204", "x = total")
    assert not view.pill.model.is_above
    view.accept()
    assert room.editor.plain_text() == text
    assert room.editor.caret() == text.rindex("result")
    assert view.shape.value == "diff"
    assert not view.pill.isVisible()
    view.accept()
    assert room.editor.plain_text() == text.replace("x = result", "x = total")


def test_a_click_on_the_pill_goes_there_too(room: Room, qtbot: QtBot) -> None:
    room.editor.set_document(CODE + "\n" * 200 + "x = result\n", "python")
    text = room.editor.plain_text()
    room.caret(CARET)
    view = room.predict(PredictedEdit(text.rindex("result"), "result", "total"))
    qtbot.mouseClick(view.pill, Qt.MouseButton.LeftButton)
    assert room.editor.caret() == text.rindex("result")
    assert room.editor.plain_text() == text


def test_the_carets_row_stands_still_while_a_prediction_above_it_comes_and_goes(room: Room) -> None:
    room.editor.set_document("".join(f"line {number}\n" for number in range(100)), "python")
    text = room.editor.plain_text()
    room.editor.setFirstVisibleLine(10)
    at = text.index("line 20\n")
    room.editor.select(TextRange(at, at), reveal=False)
    row = room.editor.line_y(20)
    edit = PredictedEdit(text.index("line 15"), "line 15", "row 15\nand more")
    view = room.predict(edit)
    assert view.shape is Shape.DIFF
    assert room.rows(15) == ["row 15", "and more"]
    assert room.editor.line_y(20) == row
    view.hide()
    assert room.editor.line_y(20) == row
    assert room.editor.firstVisibleLine() == 10


def test_a_prediction_at_the_top_of_the_view_stays_in_it(room: Room) -> None:
    room.editor.set_document("".join(f"line {number}\n" for number in range(100)), "python")
    text = room.editor.plain_text()
    room.editor.setFirstVisibleLine(10)
    at = text.index("line 20\n")
    room.editor.select(TextRange(at, at), reveal=False)
    view = room.predict(PredictedEdit(text.index("line 10"), "line 10", "row 10\nand more"))
    assert view.shape is Shape.DIFF
    assert room.editor.line_y(10) == 0


def test_one_in_another_file_is_named_and_followed(room: Room) -> None:
    view = room.predict(elsewhere="other.py, line 3")
    assert view.shape is Shape.AWAY
    assert view.pill.model.place == "other.py, line 3"
    view.accept()
    assert room.end is PredictionEnd.FOLLOWED


def test_one_in_another_file_goes_when_one_types_on(room: Room) -> None:
    room.predict(elsewhere="other.py, line 3")
    QTest.keyClicks(room.editor, "x")
    assert room.end is PredictionEnd.OUTDATED


def test_in_the_indentation_tab_indents_unless_the_prediction_goes_on_there(room: Room) -> None:
    start = CODE.index("    return")
    room.caret(start + 4)
    assert room.predict(PredictedEdit(start + 4, "", "print()\n    ")).takes_tab
    view = room.predict(PredictedEdit(CODE.index("result"), "result", "total"))
    assert not view.takes_tab
    assert view.hint.words == (("Alt+L", "accept"),)
    room.caret(start)
    assert not room.predict(PredictedEdit(start, "", "    print()\n")).takes_tab
    room.caret(CARET)
    assert room.predict(PredictedEdit(CODE.index("result"), "result", "total")).takes_tab


def test_a_subtle_one_is_shown_only_while_alt_is_held(room: Room, qtbot: QtBot) -> None:
    qtbot.waitUntil(room.editor.hasFocus)
    view = room.predict(GHOST, subtle=True)
    assert not view.is_visible
    view.accept()
    assert room.editor.plain_text() == CODE
    press_alt(room, QEvent.Type.KeyPress)
    assert view.is_visible
    assert room.rows(1) == ["    print(result)"]
    press_alt(room, QEvent.Type.KeyRelease)
    assert not view.is_visible
    assert room.rows(1) == []


def press_alt(room: Room, kind: QEvent.Type) -> None:
    QApplication.sendEvent(room.editor, QKeyEvent(kind, Qt.Key.Key_Alt, Qt.KeyboardModifier.NoModifier))


def test_it_stands_back_while_text_is_selected_or_composed(room: Room, qtbot: QtBot) -> None:
    view = room.predict(GHOST)
    room.editor.select(TextRange(0, 5))
    qtbot.waitUntil(lambda: not view.is_visible)
    room.caret(CARET)
    qtbot.waitUntil(lambda: view.is_visible)
    QApplication.sendEvent(room.editor, QInputMethodEvent("に", []))
    assert not view.is_visible
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日")
    QApplication.sendEvent(room.editor, commit)
    assert room.end is PredictionEnd.OUTDATED


def test_hiding_says_so_and_disposing_does_not(room: Room) -> None:
    room.predict(GHOST).hide()
    assert room.end is PredictionEnd.HIDDEN
    room.events.clear()
    view = room.predict(GHOST)
    view.dispose()
    view.dispose()
    view.accept()
    assert room.events == []
    assert room.editor.plain_text() == CODE


def test_another_prediction_takes_its_place_and_closing_the_file_ends_it(room: Room) -> None:
    first = room.predict(GHOST)
    room.predict(PredictedEdit(CODE.index("result"), "result", "total"))
    assert not first.is_visible
    room.adapter.close()
    assert room.adapter.prediction is None
    assert room.rows(1) == []


def test_more_of_an_answer_takes_the_place_of_the_first_part(room: Room) -> None:
    view = room.predict(PredictedEdit(CARET, "", "items)"))
    view.replace([PredictedEdit(CARET, "", "items)"), PredictedEdit(CODE.index("return"), "return", "yield")])
    assert len(view.edits) == 2
    assert view.shape is Shape.GHOST


def test_a_text_from_disk_ends_it(room: Room) -> None:
    room.predict(GHOST)
    room.editor.replace_ranges([PredictedEdit(0, "def", "async def").edit], from_disk=True)
    assert room.end is PredictionEnd.OUTDATED


def test_crlf_files_keep_their_line_ends(room: Room) -> None:
    room.editor.set_document(CODE.replace("\n", "\r\n"), "python")
    text = room.editor.plain_text()
    caret = text.index("sum(") + 4
    room.caret(caret)
    view = room.predict(PredictedEdit(caret, "", "items)\r\n    print()"))
    assert room.rows(1) == ["    print()"]
    view.accept_line()
    view.accept_line()
    assert room.editor.plain_text() == text.replace("sum(", "sum(items)\r\n    print()")


STEPS = st.lists(
    st.sampled_from(["predict", "type along", "type x", "accept", "word", "line", "hide", "move", "select", "undo"]),
    max_size=14,
)
EDITS = (
    GHOST,
    PredictedEdit(CODE.index("result\n"), "result", "total"),
    PredictedEdit(0, "", "import sys\n"),
    PredictedEdit(CODE.index("    return"), "    return result\n", ""),
    PredictedEdit(len(CODE), "", "\n\ndef more():\n    pass\n"),
)


class Walk:
    """Steps of a user, each of which may only do what it says."""

    def __init__(self, room: Room, data: st.DataObject) -> None:
        self.room = room
        self.data = data

    def step(self, name: str) -> None:
        before = self.room.editor.plain_text()
        getattr(self, name.replace(" ", "_"))(before)
        if name in {"predict", "hide", "move", "select"}:
            assert self.room.editor.plain_text() == before

    def predict(self, text: str) -> None:
        fitting = [edit for edit in EDITS if edit.end <= len(text) and text[edit.start : edit.end] == edit.removed]
        self.room.predict(*([self.data.draw(st.sampled_from(fitting))] if fitting else []))

    def type_along(self, _text: str) -> None:
        view = self.room.adapter.prediction
        if view is not None and view.edits and view.edits[0].added[:1].isalnum():
            self.room.caret(view.edits[0].start)
            QTest.keyClicks(self.room.editor, view.edits[0].added[0])

    def type_x(self, _text: str) -> None:
        QTest.keyClicks(self.room.editor, "x")

    def accept(self, text: str) -> None:
        if (view := self.room.adapter.prediction) is not None:
            edits = list(view.edits)
            view.accept()
            if self.room.editor.plain_text() != text:
                assert self.room.editor.plain_text() == apply_edits(text, [edits[0].edit])

    def word(self, _text: str) -> None:
        if (view := self.room.adapter.prediction) is not None:
            view.accept_word()

    def line(self, _text: str) -> None:
        if (view := self.room.adapter.prediction) is not None:
            view.accept_line()

    def hide(self, _text: str) -> None:
        if (view := self.room.adapter.prediction) is not None:
            view.hide()

    def move(self, text: str) -> None:
        self.room.caret(self.data.draw(st.integers(0, len(text))))

    def select(self, _text: str) -> None:
        self.room.editor.select(TextRange(0, 3))

    def undo(self, _text: str) -> None:
        self.room.editor.undo()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(STEPS, st.data())
def test_whatever_is_done_only_typing_and_taking_change_the_text_and_nothing_is_left_over(
    room: Room, steps: list[str], data: st.DataObject
) -> None:
    editor = room.editor
    room.adapter.drop_prediction()
    editor.set_document(CODE, "python")
    editor.typing.closes_brackets = False
    room.caret(CARET)
    walk = Walk(room, data)
    for step in steps:
        walk.step(step)
    room.adapter.drop_prediction()
    assert all(room.rows(line) == [] for line in range(editor.lineCount()))
    assert not any(editor.markerGet(line) for line in range(editor.lineCount()))
    while editor.canUndo():
        editor.undo()
    assert editor.plain_text() == CODE


@pytest.mark.parametrize("word", ["cafe\u0301", "n\u0303ino\u0301n"], ids=["acute", "tilde"])
def test_a_word_taken_ends_behind_the_marks_of_its_last_letter(room: Room, word: str) -> None:
    end = len(CODE)
    room.caret(end)
    view = room.predict(PredictedEdit(end, "", f"{word} more"))
    view.accept_word()
    assert room.editor.plain_text() == CODE + word
    view.accept_word()
    assert room.editor.plain_text() == f"{CODE}{word} more"


def test_a_text_that_became_read_only_takes_nothing_and_the_caret_stays(room: Room) -> None:
    caret = CODE.index("result")
    room.caret(caret)
    view = room.predict(PredictedEdit(caret, "", "new = 1\n"))
    room.editor.setReadOnly(True)
    view.accept()
    assert room.editor.plain_text() == CODE
    assert room.editor.caret() == caret
    assert room.end is PredictionEnd.OUTDATED


def test_it_stays_where_it_belongs_while_several_carets_write_and_that_is_undone(room: Room) -> None:
    place = CODE.index("return")
    room.caret(place)
    view = room.predict(PredictedEdit(place, "return result", "return total"))
    told: list[bool] = []
    room.editor.text_changed.connect(lambda change: told.append(change.more_follow))
    carets = (0, CODE.index("\n") + 1)
    room.editor.replace_ranges([TextEdit(TextRange(at, at), "written " * 9) for at in carets])
    room.editor.undo()
    room.editor.buffer.flush()
    assert told == [True, False, True, False]
    assert room.editor.plain_text() == CODE
    room.caret(place)
    for edit in view.edits:
        assert CODE[edit.start : edit.end] == edit.removed
