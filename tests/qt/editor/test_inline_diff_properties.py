"""Random proposals, decisions, edits and undo: the text is always right, and nothing is left behind."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from redraft.api.inline_diff import DiffEvent, DiffKeys, HunkState
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import TextEdit, TextRange, split_lines
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff import InlineDiffView, show_inline_diff
from redraft.qt.editor.inline_diff.marks import DiffIndicator
from redraft.qt.theme import load_theme

LINES = st.lists(st.sampled_from(["a", "b", "  c = 1", "\td é", "🌍 x = 2", "", "}"]), max_size=8)
ENDS = st.sampled_from(["\n", "\r\n"])
on_one_editor = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=120)


def joined(lines: list[str], end: str) -> str:
    return "".join(line + end for line in lines)


def stream(view: InlineDiffView, old: str, new: str) -> None:
    """Feed a whole answer, line by line, with an unfinished line now and then."""
    progress = StreamingDiff(split_lines(old))
    for number, line in enumerate(split_lines(new)):
        if number % 3 == 1:
            view.update(progress.partial(line[:2]))
        view.update(progress.push(line))
    lines = split_lines(old)
    view.finish(DiffProgress(tuple(diff_lines(lines, split_lines(new))), len(lines), is_final=True))


def fresh() -> CodeEditor:
    """An editor for one example, so that what one leaves behind does not fail the next."""
    editor = CodeEditor(load_theme("dark"))
    editor.resize(600, 300)
    editor.show()
    QApplication.processEvents()
    return editor


def rows_on_screen(editor: CodeEditor) -> int:
    AnnotationRegistry.of(editor).flush()
    return sum(editor.annotationLines(line) for line in range(editor.lineCount()))


def rows_meant(view: InlineDiffView) -> int:
    """Rows of all hunks that wait for a decision, and of their buttons."""
    drawing = view._drawing
    hunks = drawing.layout.hunks
    return sum(drawing._rows.row_count(placed) + drawing._rows.has_bar_row(placed) for placed in hunks)


def is_clean(editor: CodeEditor) -> bool:
    AnnotationRegistry.of(editor).flush()
    indicator = int(DiffIndicator.REMOVED_WORD)
    lines = range(editor.lineCount())
    return not any(
        (editor.annotationLines(line), editor.markerGet(line) & 0xFFF, editor.indicatorValueAt(indicator, line))
        != (0, 0, 0)
        for line in lines
    ) and editor.indicatorEnd(indicator, 0) in {0, editor.length()}


@on_one_editor
@given(before=LINES, old=LINES, new=LINES, after=LINES, end=ENDS, data=st.data())
def test_any_mix_of_decisions_is_spliced_and_undo_gives_the_original(  # noqa: PLR0917 - what is drawn
    qapp: QApplication,
    before: list[str],
    old: list[str],
    new: list[str],
    after: list[str],
    end: str,
    data: st.DataObject,
) -> None:
    editor = fresh()
    head, old_text, new_text, tail = (joined(lines, end) for lines in (before, old, new, after))
    editor.set_document(head + old_text + tail)
    events: list[DiffEvent] = []
    region = TextRange(len(head), len(head) + len(old_text))
    view = show_inline_diff(editor, region, keys=DiffKeys(), on_event=events.append)
    stream(view, old_text, new_text)
    above = ""
    chosen = []
    for hunk in list(view.hunks):
        if data.draw(st.booleans(), label="type above first"):
            editor.replace_ranges([TextEdit(TextRange(0, 0), f"typed{end}")])
            above = f"typed{end}{above}"
        if data.draw(st.booleans(), label="accept"):
            chosen.append(hunk.hunk)
            view.accept(hunk.id)
        else:
            view.reject(hunk.id)
    expected: list[str] = []
    lines, done = split_lines(old_text), 0
    for wanted in chosen:
        expected += [*lines[done : wanted.old_start], *wanted.new_lines]
        done = wanted.old_end
    assert editor.plain_text() == above + head + "".join([*expected, *lines[done:]]) + tail
    while editor.canUndo():
        editor.undo()
    assert editor.plain_text() == head + old_text + tail
    while view.undo_decision():
        pass
    assert all(hunk.state is HunkState.OPEN for hunk in view.hunks)
    view.dispose()
    assert is_clean(editor)


@on_one_editor
@given(old=LINES, new=LINES, data=st.data())
def test_edits_anywhere_never_lose_text_or_leave_anything(
    qapp: QApplication, old: list[str], new: list[str], data: st.DataObject
) -> None:
    editor = fresh()
    old_text, new_text = joined(old, "\n"), joined(new, "\n")
    text = original = f"head\n{old_text}tail\n"
    editor.set_document(text)
    view = show_inline_diff(editor, TextRange(5, 5 + len(old_text)), keys=DiffKeys(), on_event=lambda _: None)
    stream(view, old_text, new_text)
    for _ in range(data.draw(st.integers(1, 5), label="steps")):
        text = editor.plain_text()
        match data.draw(st.sampled_from(["edit", "accept", "undo", "redo", "reject"]), label="step"):
            case "edit":
                places = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
                added = data.draw(st.sampled_from(["", "x", "\n", "x\ny\n"]))
                editor.replace_ranges([TextEdit(TextRange(places[0], places[1]), added)])
                assert editor.plain_text() == text[: places[0]] + added + text[places[1] :]
            case "accept":
                view.accept()
            case "reject":
                view.reject()
                assert editor.plain_text() == text
            case "undo":
                editor.undo()
            case _:
                editor.redo()
        # A note goes with its line.
        assert 0 <= rows_on_screen(editor) - rows_meant(view) <= len(view._drawing._notes._timers)
    while editor.canUndo():
        editor.undo()
    assert editor.plain_text() == original
    view.accept_all()
    view.dispose()
    assert is_clean(editor)
