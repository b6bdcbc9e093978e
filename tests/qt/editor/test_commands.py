from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from marked_text import show, shown
from redraft.core.text import LINE_END, TextIndex, TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.commands import EDITOR_COMMANDS

LINES = st.lists(st.sampled_from(["a", "b", " ", "#", "\t", "\n", "\r\n"]), max_size=30).map("".join)


def bare_lines(index: TextIndex) -> list[str]:
    return [index.line_range(line, with_end=False).of(index.text) for line in range(index.line_count)]


def run(editor: CodeEditor, command: str) -> None:
    EDITOR_COMMANDS[command](editor)


@pytest.mark.parametrize(
    ("command", "language_id", "before", "after"),
    [
        ("edit.toggle_line_comment", "python", "x|", "# x|"),
        ("edit.toggle_line_comment", "python", "    |x", "    # |x"),
        ("edit.toggle_line_comment", "python", "# x|", "x|"),
        ("edit.toggle_line_comment", "python", "#x|", "x|"),
        ("edit.toggle_line_comment", "c", "|a\n    b\n\nc|", "// |a\n//     b\n\n// c|"),
        ("edit.toggle_line_comment", "c", "|  a\n    b\n|c", "|  // a\n  //   b\n|c"),
        ("edit.toggle_line_comment", "c", "|// a\n// b|", "|a\nb|"),
        ("edit.toggle_line_comment", "css", "  a: b;|", "  /* a: b;| */"),
        ("edit.toggle_line_comment", "css", "/* a |*/", "a|"),
        ("edit.toggle_line_comment", "plaintext", "a|", "a|"),
        ("edit.toggle_block_comment", "c", "a |b| c", "a /* |b| */ c"),
        ("edit.toggle_block_comment", "c", "a |/* b */| c", "a |b| c"),
        ("edit.toggle_block_comment", "c", "a /*|b|*/ c", "a |b| c"),
        ("edit.toggle_block_comment", "python", "x|", "# x|"),
        ("edit.duplicate", "c", "a|b\nc", "ab\na|b\nc"),
        ("edit.duplicate", "c", "a\nb|", "a\nb\nb|"),
        ("edit.duplicate", "c", "a |b| c", "a b|b| c"),
        ("edit.move_line_up", "c", "a\nb|b\nc", "b|b\na\nc"),
        ("edit.move_line_up", "c", "a\nb|", "b|\na"),
        ("edit.move_line_up", "c", "a|\nb", "a|\nb"),
        ("edit.move_line_down", "c", "a|\nb\n", "b\na|\n"),
        ("edit.move_line_down", "c", "a\nb|\n", "a\nb|\n"),
        ("edit.move_line_down", "c", "|a\nb|\nc", "c\n|a\nb|"),
        ("edit.delete_line", "c", "a\nb|\nc", "a\n|c"),
        ("edit.delete_line", "c", "a\nb|", "a|"),
        ("edit.delete_line", "c", "a|", "|"),
        ("edit.join_lines", "c", "a|  \n   b\nc", "a| b\nc"),
        ("edit.join_lines", "c", "a|", "a|"),
        ("edit.insert_line_above", "c", "a\n  b|", "a\n  |\n  b"),
        ("edit.insert_line_below", "c", "a\n  b|c\nd", "a\n  bc\n  |\nd"),
        ("selection.lines", "c", "a\nb|c\nd", "a\n|bc\n|d"),
        ("go.bracket", "c", "f(a, |(b))", "f(a, (b|))"),
        ("go.bracket", "c", "f|(a)", "f(a|)"),
    ],
)
def test_command(editor: CodeEditor, command: str, language_id: str, before: str, after: str) -> None:
    show(editor, before, language_id)
    run(editor, command)
    assert shown(editor) == after
    if editor.canUndo():
        editor.undo()
    assert editor.plain_text() == before.replace("|", "")
    assert not editor.canUndo()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=80)
@given(LINES, st.data())
def test_moving_lines_keeps_all_lines_and_line_ends(editor: CodeEditor, text: str, data: st.DataObject) -> None:
    editor.set_document(text)
    start = data.draw(st.integers(0, len(text)))
    editor.select(TextRange(start, data.draw(st.integers(start, len(text)))))
    run(editor, data.draw(st.sampled_from(["edit.move_line_up", "edit.move_line_down"])))
    before, after = TextIndex(text), TextIndex(editor.plain_text())
    assert sorted(bare_lines(after)) == sorted(bare_lines(before))
    assert LINE_END.findall(after.text) == LINE_END.findall(text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=80)
@given(LINES, st.data())
def test_commenting_twice_changes_nothing(editor: CodeEditor, text: str, data: st.DataObject) -> None:
    editor.set_document(text, "python")
    start = data.draw(st.integers(0, len(text)))
    editor.select(TextRange(start, data.draw(st.integers(start, len(text)))))
    run(editor, "edit.toggle_line_comment")
    commented = editor.plain_text()
    run(editor, "edit.toggle_line_comment")
    if commented.count("#") > text.count("#"):
        assert editor.plain_text() == text


def test_carets_are_added_above_and_below(editor: CodeEditor) -> None:
    show(editor, "ab\nc|d\nef")
    run(editor, "selection.add_caret_below")
    run(editor, "selection.add_caret_above")
    run(editor, "selection.add_caret_above")
    assert sorted(editor.selectionNCaret(number) for number in range(editor.selections())) == [1, 4, 7]


def test_occurrences_are_selected_one_by_one_or_all(editor: CodeEditor) -> None:
    show(editor, "on|e two one one")
    run(editor, "selection.add_next_occurrence")
    assert shown(editor) == "|one| two one one"
    run(editor, "selection.add_next_occurrence")
    assert editor.selections() == 2
    run(editor, "selection.all_occurrences")
    assert editor.selections() == 3


def test_folding_by_command_and_by_all(editor: CodeEditor) -> None:
    show(editor, "def f():\n    a = |1\n    return a\n\n\ndef g():\n    pass\n")
    editor.colourise(0, -1)
    run(editor, "view.toggle_fold")
    assert [bool(editor.lineVisible(line)) for line in range(4)] == [True, False, False, True]
    run(editor, "view.fold_all")
    assert not editor.lineVisible(6)
    run(editor, "view.unfold_all")
    assert all(editor.lineVisible(line) for line in range(editor.lineCount()))


def test_lines_are_copied_above_and_the_selection_stays_with_the_copy_above(editor: CodeEditor) -> None:
    editor.set_document("a\nb\nc")
    editor.select(TextRange(2, 5))
    EDITOR_COMMANDS["edit.copy_line_up"](editor)
    assert editor.plain_text() == "a\nb\nc\nb\nc"
    assert editor.selection() == TextRange(2, 5)


def test_carets_stand_at_the_end_of_every_selected_line(editor: CodeEditor) -> None:
    editor.set_document("one\ntwo\nx")
    editor.select(TextRange(0, 5))
    EDITOR_COMMANDS["selection.carets_at_line_ends"](editor)
    assert [editor.selectionNCaret(number) for number in range(editor.selections())] == [3, 7]


def test_a_selection_grows_and_shrinks_by_the_same_steps(editor: CodeEditor) -> None:
    editor.set_document("x = f(a, [b, 1])\n", "python")
    editor.select(TextRange(10, 10))
    steps = []
    for _ in range(3):
        EDITOR_COMMANDS["selection.expand"](editor)
        steps.append(editor.selection())
    assert [step.of(editor.plain_text()) for step in steps] == ["b", "[b, 1]", "(a, [b, 1])"]
    for step in (steps[1], steps[0], TextRange(10, 10)):
        EDITOR_COMMANDS["selection.shrink"](editor)
        assert editor.selection() == step
