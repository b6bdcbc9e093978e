from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from redraft.api.editor import Indentation, TextChange
from redraft.api.editor import TextEditor as TextEditorProtocol
from redraft.api.inline_diff import DiffClosed, DiffEvent, DiffKeys
from redraft.api.prompt_block import PromptClosed, PromptEvent, PromptModel
from redraft.core.text import TextEdit, TextRange
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.text_editor import EditorAdapter
from redraft.qt.theme import load_theme


@dataclass
class File:
    path: Path | None = None
    title: str = "Untitled"


@pytest.fixture
def adapter(editor: CodeEditor) -> EditorAdapter:
    editor.set_document("def f():\n    return 1\n", "python")
    return EditorAdapter(editor, File())


def test_it_is_the_editor_the_api_promises(adapter: EditorAdapter) -> None:
    promised: TextEditorProtocol = adapter
    assert promised.text == "def f():\n    return 1\n"
    assert promised.language_id == "python"
    assert promised.line_end == "\n"
    assert promised.indentation == Indentation()
    assert promised.path is None
    assert promised.title == "Untitled"
    assert not promised.is_read_only


def test_a_file_that_may_not_be_written_is_read_only(editor: CodeEditor, tmp_path: Path) -> None:
    missing = tmp_path / "new.py"
    assert not EditorAdapter(editor, File(missing)).is_read_only
    editor.setReadOnly(True)
    assert EditorAdapter(editor, File(missing)).is_read_only


def test_selecting_and_applying_speak_in_offsets(adapter: EditorAdapter) -> None:
    adapter.apply([TextEdit(TextRange(4, 5), "größe🌍")])
    adapter.select(TextRange(4, 10))
    assert adapter.selection.of(adapter.text) == "größe🌍"
    assert adapter.caret == 10


def test_listeners_hear_until_they_are_taken_back(adapter: EditorAdapter, qtbot: QtBot) -> None:
    changes: list[TextChange] = []
    moves: list[TextRange] = []
    heard = adapter.on_did_change(changes.append)
    adapter.on_did_change_selection(moves.append)
    adapter.apply([TextEdit(TextRange(0, 0), "x")])
    adapter.select(TextRange(2, 3))
    qtbot.waitUntil(lambda: TextRange(2, 3) in moves)
    assert changes == [TextChange(0, "", "x")]
    heard.dispose()
    heard.dispose()
    adapter.apply([TextEdit(TextRange(0, 1), "")])
    assert len(changes) == 1


def test_a_tracked_range_ends_with_dispose(adapter: EditorAdapter) -> None:
    tracked = adapter.track(TextRange(4, 5))
    adapter.apply([TextEdit(TextRange(0, 0), "xx")])
    assert tracked.range == TextRange(6, 7)
    assert not tracked.is_touched
    tracked.dispose()
    adapter.apply([TextEdit(TextRange(0, 0), "xx")])
    assert tracked.range == TextRange(6, 7)


def test_applying_while_an_input_method_composes_first_ends_that(adapter: EditorAdapter, editor: CodeEditor) -> None:
    editor.gotoPos(0)
    QApplication.sendEvent(editor, QInputMethodEvent("にほ", []))
    adapter.apply([TextEdit(TextRange(0, 3), "async def")])
    assert adapter.text == "async def f():\n    return 1\n"


def test_closing_takes_everything_off_the_screen_and_says_so_once(adapter: EditorAdapter, editor: CodeEditor) -> None:
    diff_events: list[DiffEvent] = []
    prompt_events: list[PromptEvent] = []
    closed: list[bool] = []
    adapter.on_did_close(lambda: closed.append(True))
    adapter.show_prompt(TextRange(0, 9), PromptModel(words="x"), on_event=prompt_events.append)
    adapter.show_inline_diff(TextRange(0, 9), keys=DiffKeys(), on_event=diff_events.append)
    ghost = adapter.show_ghost_text(8, " # hm\n    x\n")
    adapter.close()
    adapter.close()
    assert closed == [True]
    assert PromptClosed() in prompt_events
    assert DiffClosed() in diff_events
    assert ghost.label.isHidden()
    assert not any(editor.annotationLines(line) for line in range(editor.lineCount()))


def test_ghost_text_at_a_line_end_is_a_label_and_rows(adapter: EditorAdapter, editor: CodeEditor) -> None:
    ghost = adapter.show_ghost_text(8, " # one\n\ttwo\nthree")
    assert ghost.label.text == " # one"
    assert ghost.label.isVisible()
    assert ghost.label.x() == editor.pointXFromPosition(8)
    assert ghost.label.height() == editor.row_height()
    assert editor.annotationLines(0) == 2
    assert [row.text for row in AnnotationRegistry.of(editor).rows(0)] == ["    two", "three"]
    assert adapter.text == "def f():\n    return 1\n"
    assert not editor.canUndo()
    ghost.dispose()
    ghost.dispose()
    assert not editor.annotationLines(0)
    assert ghost.label.isHidden()


def test_ghost_text_before_other_text_shows_the_whole_line_below(adapter: EditorAdapter, editor: CodeEditor) -> None:
    ghost = adapter.show_ghost_text(6, "a, b")
    assert ghost.label.isHidden()
    assert [row.text for row in AnnotationRegistry.of(editor).rows(0)] == ["def f(a, b):"]


def test_accepted_ghost_text_is_one_undo_step(adapter: EditorAdapter, editor: CodeEditor) -> None:
    ghost = adapter.show_ghost_text(8, " # one\n    two")
    ghost.accept(3)
    assert adapter.text.startswith("def f(): # \n")
    assert ghost.text == "one\n    two"
    ghost.accept()
    assert adapter.text == "def f(): # one\n    two\n    return 1\n"
    assert adapter.caret == len("def f(): # one\n    two")
    assert ghost.label.isHidden()
    editor.undo()
    editor.undo()
    assert adapter.text == "def f():\n    return 1\n"
    assert not editor.canUndo()


def test_typing_what_is_predicted_uses_it_up_and_anything_else_ends_it(
    adapter: EditorAdapter, editor: CodeEditor
) -> None:
    editor.gotoPos(8)
    ghost = adapter.show_ghost_text(8, " # one")
    QTest.keyClicks(editor, " #")
    assert ghost.text == " one"
    assert ghost.label.isVisible()
    QTest.keyClicks(editor, "x")
    assert ghost.label.isHidden()
    assert adapter.text.startswith("def f(): #x\n")


def test_ghost_text_moves_with_edits_above(adapter: EditorAdapter, editor: CodeEditor) -> None:
    ghost = adapter.show_ghost_text(21, " + 1\n    pass")
    adapter.apply([TextEdit(TextRange(0, 0), "# é\n")])
    assert ghost.label.y() == 2 * editor.row_height()
    assert [editor.annotationLines(line) for line in range(4)] == [0, 0, 1, 0]
    ghost.accept()
    assert adapter.text == "# é\ndef f():\n    return 1 + 1\n    pass\n"


def test_a_new_prediction_takes_the_place_of_the_old_one(adapter: EditorAdapter) -> None:
    first = adapter.show_ghost_text(8, "a")
    second = adapter.show_ghost_text(8, "b")
    assert first.label.isHidden()
    assert second.label.isVisible()


def test_opening_and_closing_200_files_leaves_nothing_behind(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    theme = load_theme("dark")

    def objects() -> int:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        alive = sum(isinstance(item, QObject) for item in gc.get_objects())
        return len(window.findChildren(QObject)) + alive

    def open_and_close() -> None:
        editor = CodeEditor(theme, window)
        editor.set_document("def f():\n    return 1\n", "python")
        adapter = EditorAdapter(editor, File())
        adapter.show_prompt(TextRange(0, 9), PromptModel(words="x"), on_event=lambda _event: None)
        adapter.show_inline_diff(TextRange(0, 9), keys=DiffKeys(), on_event=lambda _event: None)
        adapter.show_ghost_text(8, " # one\n    two")
        adapter.close()
        editor.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    for _ in range(5):
        open_and_close()
    before = objects()
    for _ in range(200):
        open_and_close()
    assert objects() <= before + 5
