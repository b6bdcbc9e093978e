from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.api.editor import Indentation, TextChange
from redraft.core.errors import UsageError
from redraft.core.text import TextEdit, TextIndex, TextRange, apply_edits
from redraft.qt.editor.code_editor import CodeEditor, usual_line_end
from redraft.qt.theme import load_theme

TEXTS = st.text(alphabet=st.sampled_from("ab \n\r\té🌍\u0301\0א\u202e"), max_size=30)
same_editor = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)


def changed(text: str, change: TextChange) -> str:
    end = change.start + len(change.removed)
    assert text[change.start : end] == change.removed
    return text[: change.start] + change.added + text[end:]


@st.composite
def edits(draw: st.DrawFn, length: int) -> list[TextEdit]:
    places = sorted(draw(st.lists(st.integers(0, length), min_size=2, max_size=6)))
    spans = [TextRange(start, end) for start, end in zip(places[::2], places[1::2], strict=False)]
    return [TextEdit(span, draw(TEXTS)) for span in spans]


@same_editor
@given(st.data())
def test_buffer_is_the_model_text_and_undo_gives_the_original(editor: CodeEditor, data: st.DataObject) -> None:
    original = text = heard = data.draw(TEXTS)
    editor.set_document(text)
    changes: list[TextChange] = []
    editor.text_changed.connect(changes.append)
    for _ in range(data.draw(st.integers(1, 4))):
        made = data.draw(edits(len(text)))
        editor.replace_ranges(made)
        text = apply_edits(text, made)
        assert editor.plain_text() == text
    final = text
    while editor.canUndo():
        editor.undo()
    assert editor.plain_text() == original
    while editor.canRedo():
        editor.redo()
    assert editor.plain_text() == final
    editor.buffer.flush()
    for change in changes:
        heard = changed(heard, change)
    assert heard == final
    editor.text_changed.disconnect(changes.append)


@same_editor
@given(TEXTS)
def test_bytes_and_offsets_agree_with_the_text_index(editor: CodeEditor, text: str) -> None:
    editor.set_document(text)
    index = TextIndex(text)
    for offset in range(len(text) + 1):
        assert editor.to_byte(offset) == index.to_utf8(offset)
        assert editor.to_offset(index.to_utf8(offset)) == offset
    assert editor.lineCount() == index.line_count
    assert list(editor.text_index().line_starts) == list(index.line_starts)


def test_a_place_between_cr_and_lf_is_a_place(editor: CodeEditor) -> None:
    editor.set_document("a\r\nb")
    assert [editor.to_byte(offset) for offset in range(5)] == [0, 1, 2, 3, 4]
    editor.replace_ranges([TextEdit(TextRange(0, 2), "")])
    assert editor.plain_text() == "\nb"


@same_editor
@given(st.data())
def test_tracked_range_covers_the_same_text_after_edits_elsewhere(editor: CodeEditor, data: st.DataObject) -> None:
    before, inside, after = data.draw(TEXTS), "<inside>", data.draw(TEXTS)
    editor.set_document(before + inside + after)
    span = editor.track(TextRange(len(before), len(before) + len(inside)))
    outside = [TextEdit(TextRange(0, data.draw(st.integers(0, len(before)))), data.draw(TEXTS))]
    end = len(before) + len(inside)
    outside.append(TextEdit(TextRange(end, end + data.draw(st.integers(0, len(after)))), data.draw(TEXTS)))
    editor.replace_ranges(outside)
    assert span.range.of(editor.plain_text()) == inside
    assert not span.is_touched
    editor.replace_ranges([TextEdit(TextRange(span.range.start + 1, span.range.start + 3), "é")])
    assert span.range.of(editor.plain_text()) == "<éside>"
    assert span.is_touched


def test_edits_together_are_one_undo_step(editor: CodeEditor) -> None:
    editor.set_document("a🌍b\nc")
    editor.replace_ranges([TextEdit(TextRange(1, 2), "é"), TextEdit(TextRange(4, 5), "cc")])
    assert editor.plain_text() == "aéb\ncc"
    editor.undo()
    assert editor.plain_text() == "a🌍b\nc"
    assert not editor.canUndo()
    assert not editor.modify()


def test_read_only_text_refuses_edits_with_a_sentence(editor: CodeEditor) -> None:
    editor.set_document("abc")
    editor.setReadOnly(True)
    with pytest.raises(UsageError, match="read-only"):
        editor.replace_ranges([TextEdit(TextRange(0, 1), "x")])
    assert editor.plain_text() == "abc"


def test_edits_that_leave_the_text_change_nothing(editor: CodeEditor) -> None:
    editor.set_document("abc")
    with pytest.raises(ValueError, match="leaves a text of 3"):
        editor.replace_ranges([TextEdit(TextRange(0, 1), "x"), TextEdit(TextRange(2, 9), "y")])
    with pytest.raises(ValueError, match="surrogate"):
        editor.replace_ranges([TextEdit(TextRange(0, 1), "\ud800")])
    assert editor.plain_text() == "abc"


def test_a_listener_may_edit_when_it_hears_of_a_change(editor: CodeEditor, qtbot: QtBot) -> None:
    def answer(change: TextChange) -> None:
        if change.added == "x":
            editor.replace_ranges([TextEdit(TextRange(0, 0), "!")])

    editor.text_changed.connect(answer)
    QTest.keyClicks(editor, "x")
    assert editor.plain_text() == "!x"


def test_typing_into_several_selections_is_one_undo_step(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("one\ntwo\n")
    editor.setSelection(0, 0)
    editor.addSelection(4, 4)
    QTest.keyClicks(editor, ">")
    assert editor.plain_text() == ">one\n>two\n"
    editor.undo()
    assert editor.plain_text() == "one\ntwo\n"


def compose(editor: CodeEditor, draft: str, commit: str = "") -> None:
    event = QInputMethodEvent(draft, [])
    if commit:
        event.setCommitString(commit)
    QApplication.sendEvent(editor, event)


def test_composing_is_no_edit_until_it_is_committed(editor: CodeEditor) -> None:
    editor.set_document("ab\ncd")
    editor.gotoPos(1)
    span = editor.track(TextRange(3, 5))
    revision = editor.revision
    changes: list[TextChange] = []
    editor.text_changed.connect(changes.append)
    for draft in ("に", "にほ", "にほん"):
        compose(editor, draft)
        assert (editor.plain_text(), editor.revision, changes) == ("ab\ncd", revision, [])
        assert span.range == TextRange(3, 5)
    compose(editor, "", "日本")
    assert editor.plain_text() == "a日本b\ncd"
    assert changes == [TextChange(1, "", "日本")]
    assert span.range.of(editor.plain_text()) == "cd"
    editor.undo()
    assert editor.plain_text() == "ab\ncd"


def test_a_cancelled_composition_leaves_no_trace(editor: CodeEditor) -> None:
    editor.set_document("ab")
    revision = editor.revision
    compose(editor, "に")
    compose(editor, "")
    assert (editor.plain_text(), editor.revision, editor.canUndo()) == ("ab", revision, False)


def test_a_row_is_22_pixels_high_and_grows_with_zoom(editor: CodeEditor) -> None:
    assert editor.row_height() == 22
    editor.zoomIn()
    assert editor.row_height() > 22
    editor.zoomOut()
    assert editor.row_height() == 22


def test_rows_stand_where_the_text_is_drawn(editor: CodeEditor) -> None:
    editor.set_document("\n".join(f"line {number}" for number in range(400)))
    editor.setFirstVisibleLine(100)
    for line in (100, 105):
        assert editor.line_y(line) == editor.pointYFromPosition(editor.positionFromLine(line))
    assert next(editor.visible_lines()) == 100
    assert editor.text_left() == editor.pointXFromPosition(editor.positionFromLine(100))
    assert editor.text_left() == 18 + 40 + 14 + 8


def test_scrolling_and_zoom_tell_that_pixels_moved(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("\n" * 400)
    with qtbot.waitSignal(editor.view_changed):
        editor.setFirstVisibleLine(50)
    with qtbot.waitSignal(editor.view_changed):
        editor.zoomIn()


def test_moving_the_caret_is_told_once_and_by_offsets(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("é🌍b")
    with qtbot.waitSignal(editor.selection_changed):
        editor.select(TextRange(1, 3))
    assert editor.selection() == TextRange(1, 3)
    assert editor.caret() == 3


def test_the_usual_line_end_is_the_most_frequent_one() -> None:
    assert usual_line_end("a\r\nb\r\nc\n") == "\r\n"
    assert usual_line_end("a\rb") == "\r"
    assert usual_line_end("") == "\n"


def test_enter_uses_the_line_end_of_the_file(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("a\r\nb")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.plain_text() == "\r\na\r\nb"


def test_tab_goes_by_the_style_of_the_file(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("a")
    editor.indentation = Indentation(width=2)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.plain_text() == "  a"
    editor.set_document("a")
    editor.indentation = Indentation(use_tabs=True, width=4)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.plain_text() == "\ta"


def test_every_theme_can_be_shown(editor: CodeEditor) -> None:
    for name in ("light", "contrast", "dark"):
        editor.set_theme(load_theme(name))
        image = editor.grab().toImage()
        background = image.pixelColor(editor.viewport().mapTo(editor, QPoint(400, 300)))
        assert background == load_theme(name).color("surface.0")


def test_closing_while_changes_wait_is_harmless(qtbot: QtBot) -> None:
    editor = CodeEditor(load_theme("dark"))
    editor.set_document("abc")
    editor.replace_ranges([TextEdit(TextRange(0, 1), "x")])
    editor.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_the_view_scrolls_sideways_only_as_far_as_the_longest_line(editor: CodeEditor, qtbot: QtBot) -> None:
    bar = editor.horizontalScrollBar()
    editor.set_document("")
    assert bar.maximum() == 0
    editor.set_document("short\n" + "x" * 400 + "\nshort\n")
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    editor.replace_ranges([TextEdit(TextRange(10, 400), "")])
    qtbot.waitUntil(lambda: bar.maximum() == 0)
