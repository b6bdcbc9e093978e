from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from marked_text import press, show, shown
from redraft.api.editor import Indentation
from redraft.qt.editor.code_editor import CodeEditor


@pytest.mark.parametrize(
    ("before", "language_id", "after"),
    [
        ("def f():|", "python", "def f():\n    |"),
        ("    x = 1|", "python", "    x = 1\n    |"),
        ("    x|y", "python", "    x\n    |y"),
        ("    a =    |b", "python", "    a =    \n    |b"),
        ("f(|)", "python", "f(\n    |\n)"),
        ("if (a) {|}", "c", "if (a) {\n    |\n}"),
        ("    |", "python", "\n    |"),
        ("    |x", "python", "    \n    |x"),
        ("a\n|b", "python", "a\n\n|b"),
        ("a |b| c", "python", "a \n|c"),
        ("a:|", "yaml", "a:\n    |"),
        ("a:|", "plaintext", "a:\n|"),
        ("|", "python", "\n|"),
    ],
)
def test_enter_indents(editor: CodeEditor, before: str, language_id: str, after: str) -> None:
    show(editor, before, language_id)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert shown(editor) == after
    editor.undo()
    assert editor.plain_text() == before.replace("|", "")


def test_enter_indents_as_the_file_does(editor: CodeEditor) -> None:
    show(editor, "def f():|")
    editor.indentation = Indentation(use_tabs=True)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert shown(editor) == "def f():\n\t|"


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        ("f|", "(", "f(|)"),
        ("f|", "()", "f()|"),
        ("f|", "(a)", "f(a)|"),
        ("f|x", "(", "f(|x"),
        ("x = |", '"', 'x = "|"'),
        ("x = |", '"a"', 'x = "a"|'),
        ("don|", "'", "don'|"),
        ("# don |", "'", "# don '|"),
        ("x = 'a|b'", '"', "x = 'a\"|b'"),
        ("x = |abc|", "(", "x = (|abc|)"),
        ("x = |abc|", '"', 'x = "|abc|"'),
        ("f(|)", ")", "f()|)"),
        ("|", "[{", "[{|}]"),
        ("x = |", '"""', 'x = """|'),
    ],
)
def test_brackets_and_quotes_close_themselves(editor: CodeEditor, before: str, keys: str, after: str) -> None:
    show(editor, before)
    QTest.keyClicks(editor, keys)
    assert shown(editor) == after


def test_an_apostrophe_in_prose_is_not_doubled(editor: CodeEditor) -> None:
    show(editor, "it |", "markdown")
    QTest.keyClicks(editor, "'s")
    assert shown(editor) == "it 's|"


def test_backspace_takes_an_added_pair_but_not_one_that_was_there(editor: CodeEditor) -> None:
    show(editor, "f|")
    QTest.keyClicks(editor, "(")
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert shown(editor) == "f|"
    show(editor, "f(|)")
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert shown(editor) == "f|)"


def test_closing_can_be_turned_off(editor: CodeEditor) -> None:
    editor.typing.closes_brackets = False
    show(editor, "f|")
    QTest.keyClicks(editor, "(")
    assert shown(editor) == "f(|"


def test_a_closing_bracket_goes_under_its_opening_one(editor: CodeEditor) -> None:
    show(editor, "if (a) {\n    b();\n    |", "c")
    QTest.keyClicks(editor, "}")
    assert shown(editor) == "if (a) {\n    b();\n}|"
    editor.undo()
    assert editor.plain_text() == "if (a) {\n    b();\n    "


def test_backspace_in_the_indentation_takes_one_step(editor: CodeEditor) -> None:
    show(editor, "        |x")
    QTest.keyClick(editor, Qt.Key.Key_Backspace)
    assert shown(editor) == "    |x"


def test_tab_on_a_selection_indents_its_lines_and_back(editor: CodeEditor) -> None:
    show(editor, "|a\nb\n|c")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.plain_text() == "    a\n    b\nc"
    press(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert editor.plain_text() == "a\nb\nc"


def test_several_carets_are_left_to_scintilla(editor: CodeEditor) -> None:
    editor.set_document("a\nb\n", "python")
    editor.setSelection(1, 1)
    editor.addSelection(3, 3)
    QTest.keyClicks(editor, "(")
    assert editor.plain_text() == "a(\nb(\n"


def test_a_read_only_text_takes_no_key(editor: CodeEditor) -> None:
    show(editor, "a|")
    editor.setReadOnly(True)
    QTest.keyClicks(editor, "(x")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.plain_text() == "a"
