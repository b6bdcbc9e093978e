from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from marked_text import press
from redraft.core.text import TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.find import FindBar
from redraft.qt.editor.numbers import Indicator
from redraft.qt.theme import load_theme

TEXT = "one two\nOne éone\nthree\n"


@pytest.fixture
def bar(editor: CodeEditor) -> FindBar:
    editor.set_document(TEXT)
    return FindBar(load_theme("dark"), editor)


def marked(editor: CodeEditor, indicator: Indicator) -> list[TextRange]:
    spans = []
    byte = 0
    while byte < editor.length():
        end = editor.indicatorEnd(indicator, byte) or editor.length()
        if editor.indicatorValueAt(indicator, byte):
            spans.append(TextRange(editor.to_offset(byte), editor.to_offset(end)))
        byte = end
    return spans


def test_typing_goes_to_the_first_match_and_marks_all(bar: FindBar, editor: CodeEditor) -> None:
    bar.open()
    QTest.keyClicks(bar.field, "one")
    assert editor.selection() == TextRange(0, 3)
    assert marked(editor, Indicator.FIND) == [TextRange(0, 3), TextRange(8, 11), TextRange(13, 16)]
    assert marked(editor, Indicator.FIND_CURRENT) == [TextRange(0, 3)]
    assert bar.count.text() == "1 of 3"
    assert editor.plain_text() == TEXT


def test_enter_goes_on_and_round_and_shift_enter_back(bar: FindBar, editor: CodeEditor) -> None:
    bar.open()
    QTest.keyClicks(bar.field, "one")
    places = []
    for _ in range(3):
        QTest.keyClick(bar.field, Qt.Key.Key_Return)
        places.append(editor.selection().start)
    press(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert places == [8, 13, 0]
    assert editor.selection().start == 13
    assert bar.count.text() == "3 of 3"


def test_case_word_and_expression_narrow_the_search(bar: FindBar) -> None:
    bar.open()
    bar.field.setText("one")
    bar.case.click()
    assert bar.count.text().endswith("of 2")
    bar.word.click()
    assert bar.count.text() == "1 of 1"
    bar.expression.click()
    bar.field.setText("(")
    assert bar.count.text() == "Not valid"
    assert "regular expression" in bar.field.toolTip()
    bar.field.setText("nothing")
    assert bar.count.text() == "No results"
    assert not bar.next_button.isEnabled()


def test_the_selected_words_are_what_is_looked_for(bar: FindBar, editor: CodeEditor) -> None:
    editor.select(TextRange(4, 7))
    bar.open()
    assert bar.field.text() == "two"
    assert bar.field.selectedText() == "two"
    assert editor.selection() == TextRange(4, 7)


def test_escape_closes_takes_the_marks_away_and_returns_to_the_text(
    bar: FindBar, editor: CodeEditor, qtbot: QtBot
) -> None:
    bar.open()
    QTest.keyClicks(bar.field, "three")
    with qtbot.waitSignal(bar.closed):
        QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert not marked(editor, Indicator.FIND)
    assert editor.selection().of(TEXT) == "three"
    bar.find_next()
    assert editor.selection().of(TEXT) == "three"
    assert not marked(editor, Indicator.FIND)


def test_replacing_one_goes_to_the_next(bar: FindBar, editor: CodeEditor) -> None:
    bar.open(replace=True)
    bar.field.setText("one")
    bar.replacement.setText("1")
    QTest.keyClick(bar.replacement, Qt.Key.Key_Return)
    assert editor.plain_text() == "1 two\nOne éone\nthree\n"
    assert editor.selection().of(editor.plain_text()) == "One"
    assert bar.count.text() == "1 of 2"


def test_replacing_all_is_one_undo_step(bar: FindBar, editor: CodeEditor) -> None:
    bar.open(replace=True)
    bar.expression.click()
    bar.field.setText("(o)ne")
    bar.replacement.setText("$1$1")
    bar.all_button.click()
    assert editor.plain_text() == "oo two\nOO éoo\nthree\n"
    assert bar.count.text() == "3 replaced"
    editor.undo()
    assert editor.plain_text() == TEXT
    assert not editor.canUndo()


def test_a_wrong_group_changes_nothing(bar: FindBar, editor: CodeEditor) -> None:
    bar.open(replace=True)
    bar.expression.click()
    bar.field.setText("one")
    bar.replacement.setText("$4")
    bar.all_button.click()
    assert editor.plain_text() == TEXT
    assert bar.count.text() == "Not valid"


def test_matches_follow_edits(bar: FindBar, editor: CodeEditor, qtbot: QtBot) -> None:
    bar.open()
    bar.field.setText("one")
    editor.replace_ranges([])
    editor.insertText(0, "one ")
    qtbot.waitUntil(lambda: bar.count.text().endswith("4"))


def test_the_bar_stands_at_the_top_right_and_follows(bar: FindBar, editor: CodeEditor) -> None:
    bar.open()
    one_row = bar.height()
    right = editor.width() - editor.theme.size("scroll_bar")
    assert bar.geometry().right() < right
    assert bar.geometry().right() > right - 20
    editor.resize(500, 400)
    assert 0 <= bar.x() < bar.geometry().right() < 500
    bar.expand_button.click()
    assert bar.height() > one_row


@pytest.mark.parametrize("replace", [False, True])
def test_the_current_match_is_never_under_the_bar(bar: FindBar, editor: CodeEditor, *, replace: bool) -> None:
    text = "".join(f"line {number} of many lines\n" for number in range(200))
    editor.set_document(text)
    editor.resize(480, 400)
    editor.select(TextRange(len(text), len(text)))
    bar.open(replace=replace)
    QTest.keyClicks(bar.field, "many")
    for _ in range(30):
        press(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        y = editor.viewport().mapTo(editor, QPoint(0, editor.line_y(editor.text_index().line_at(editor.caret())))).y()
        assert bar.geometry().bottom() <= y <= editor.height() - editor.row_height()
    assert "many" in editor.selection().of(text)


def test_a_row_to_replace_in_does_not_cover_the_match(bar: FindBar, editor: CodeEditor) -> None:
    editor.set_document("".join(f"line {number} of many lines\n" for number in range(200)))
    editor.resize(480, 400)
    bar.open()
    QTest.keyClicks(bar.field, "line 150 of many")
    editor.setFirstVisibleLine(148)
    bar.expand_button.click()
    assert bar.geometry().bottom() <= editor.viewport().mapTo(editor, QPoint(0, editor.line_y(150))).y()


def test_in_a_narrow_view_every_button_of_the_bar_is_in_sight(bar: FindBar, editor: CodeEditor) -> None:
    bar.open(replace=True)
    wide = bar.width()
    editor.resize(350, 400)
    QApplication.processEvents()
    parts = (
        bar.field,
        bar.replacement,
        bar.case,
        bar.next_button,
        bar.close_button,
        bar.replace_button,
        bar.all_button,
    )
    for part in parts:
        assert part.isVisible()
        assert part.width() >= min(part.sizeHint().width(), 60)
        assert editor.rect().contains(QRect(part.mapTo(editor, QPoint(0, 0)), part.size()))
    assert bar.all_button.toolTip() == "Ctrl+Enter"
    editor.resize(1200, 400)
    QApplication.processEvents()
    assert (bar.width(), bar.count.isVisible(), bar.all_button.toolTip()) == (wide, True, "")
