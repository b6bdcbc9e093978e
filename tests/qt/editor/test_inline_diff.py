from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from redraft.api.inline_diff import (
    CurrentHunkChanged,
    DiffClosed,
    DiffEvent,
    DiffKeys,
    DiffLayout,
    HunkDecided,
    HunksReopened,
    HunkState,
    ProposalTouched,
)
from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import TextEdit, TextRange, split_lines
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff import InlineDiffView, show_inline_diff
from redraft.qt.editor.inline_diff.frontier import FrontierCell
from redraft.qt.editor.inline_diff.hunk_bar import HunkBar, Wish
from redraft.qt.editor.inline_diff.marks import DiffIndicator, DiffMarker
from redraft.qt.editor.inline_diff.range_strip import RangeStrip
from redraft.qt.editor.review.columns_pane import ColumnsPane
from redraft.qt.theme import load_theme

KEYS = DiffKeys("Alt+Y", "Alt+N", "Alt+J", "Alt+K", undo="Ctrl+Z")
OLD = "".join(f"line {number}\n" for number in range(10))
NEW = OLD.replace("line 2\n", "second\n").replace("line 5\n", "").replace("line 8\n", "line 8\nand more\n")

Show = Callable[..., InlineDiffView]


class Events(list[DiffEvent]):
    """What an overlay told, in order."""

    def of(self, kind: type) -> list[DiffEvent]:
        return [event for event in self if isinstance(event, kind)]


@pytest.fixture
def events() -> Events:
    return Events()


@pytest.fixture
def review(editor: CodeEditor, events: Events) -> Show:
    """Shows a finished proposal of `new` over all of `old`, which stands between two other texts."""

    def show(old: str = OLD, new: str = NEW, *, before: str = "", after: str = "") -> InlineDiffView:
        editor.set_document(before + old + after, "plaintext")
        view = show_inline_diff(
            editor, TextRange(len(before), len(before) + len(old)), keys=KEYS, on_event=events.append
        )
        finish(view, new)
        return view

    return show


def finish(view: InlineDiffView, new: str) -> None:
    old_lines = split_lines(view.original)
    hunks = tuple(diff_lines(old_lines, split_lines(new)))
    view.finish(DiffProgress(hunks, len(old_lines), is_final=True))


def annotation(editor: CodeEditor, line: int) -> str:
    return "\n".join(row.text for row in AnnotationRegistry.of(editor).rows(line))


def leftovers(editor: CodeEditor) -> list[str]:
    """What an overlay left in an editor."""
    found = [f"annotation at {line}" for line in range(editor.lineCount()) if editor.annotationLines(line)]
    found += [f"marker at {line}" for line in range(editor.lineCount()) if editor.markerGet(line) & 0xFFF]
    indicator = int(DiffIndicator.REMOVED_WORD)
    if editor.indicatorEnd(indicator, 0) not in {0, editor.length()} or editor.indicatorValueAt(indicator, 0):
        found.append("indicator")
    kinds = (RangeStrip, HunkBar, FrontierCell)
    found += [
        type(widget).__name__
        for widget in editor.viewport().findChildren(QWidget)
        if isinstance(widget, kinds) and not widget.isHidden()
    ]
    return found


def press_undo(editor: CodeEditor) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier, "z")
    QApplication.sendEvent(editor, event)


def shown_bars(editor: CodeEditor) -> list[HunkBar]:
    return [bar for bar in editor.viewport().findChildren(HunkBar) if bar.isVisible()]


def test_buffer_keeps_the_original_until_a_hunk_is_accepted(editor: CodeEditor, review: Show) -> None:
    view = review()
    assert editor.plain_text() == OLD
    assert not editor.modify()
    assert view.original == OLD
    assert view.proposed == NEW


def test_removed_lines_are_marked_and_added_ones_stand_below_them(editor: CodeEditor, review: Show) -> None:
    review()
    assert annotation(editor, 2) == "second"
    assert annotation(editor, 8) == "and more"
    marked = [line for line in range(10) if editor.markerGet(line) & 1 << DiffMarker.REMOVED]
    assert marked == [2, 5]


def test_added_rows_reach_the_right_edge(editor: CodeEditor, review: Show) -> None:
    review()
    y = editor.line_y(2) + editor.row_height()
    image = editor.viewport().grab().toImage()
    tint = editor.theme.color("diff.added.line")
    edge = image.width() - 2
    assert [image.pixelColor(edge, y + offset) for offset in (0, 5, editor.row_height() - 1)] == [tint] * 3


def test_changed_words_are_boxed_where_a_line_has_emoji_and_accents(editor: CodeEditor, review: Show) -> None:
    review("a = '🚫🏳️‍🌈é'; beta = 2\n", "a = '🚫🏳️‍🌈é'; gamma = 2\n", before="ą\n")
    start = editor.positionFromLine(1) + len("a = '🚫🏳️‍🌈é'; ".encode())
    indicator = int(DiffIndicator.REMOVED_WORD)
    boxed = [place for place in range(editor.length()) if editor.indicatorValueAt(indicator, place)]
    assert boxed == list(range(start, start + len("beta")))


def test_accept_all_is_one_undo_step(editor: CodeEditor, review: Show, events: Events) -> None:
    view = review()
    view.accept_all()
    assert editor.plain_text() == NEW
    assert [event for event in events if isinstance(event, HunkDecided)][-1].remaining == 0
    editor.undo()
    assert editor.plain_text() == OLD
    assert not editor.canUndo()
    assert [hunk.state for hunk in view.hunks] == [HunkState.OPEN] * 3
    editor.redo()
    assert editor.plain_text() == NEW
    assert [hunk.state for hunk in view.hunks] == [HunkState.ACCEPTED] * 3


def test_reject_changes_nothing_and_comes_back_with_undo(editor: CodeEditor, review: Show, events: Events) -> None:
    view = review()
    first = view.hunks[0].id
    view.reject(first)
    assert not editor.canUndo()
    assert not editor.modify()
    assert annotation(editor, 2).startswith("rejected")
    press_undo(editor)
    assert view.hunks[0].state is HunkState.OPEN
    assert events.of(HunksReopened) == [HunksReopened((first,), 3)]
    assert annotation(editor, 2) == "second"


def test_decisions_follow_undo_one_by_one(editor: CodeEditor, review: Show) -> None:
    view = review()
    one, two, three = (hunk.id for hunk in view.hunks)
    view.accept(one)
    view.reject(two)
    view.accept(three)
    editor.undo()
    assert [hunk.state for hunk in view.hunks] == [HunkState.ACCEPTED, HunkState.REJECTED, HunkState.OPEN]
    editor.undo()
    assert [hunk.state for hunk in view.hunks] == [HunkState.ACCEPTED, HunkState.OPEN, HunkState.OPEN]
    editor.undo()
    assert [hunk.state for hunk in view.hunks] == [HunkState.OPEN] * 3
    assert editor.plain_text() == OLD
    editor.redo()
    editor.redo()
    assert [hunk.state for hunk in view.hunks] == [HunkState.ACCEPTED, HunkState.REJECTED, HunkState.OPEN]


def test_overlay_closes_itself_when_all_is_decided(
    qtbot: QtBot, editor: CodeEditor, review: Show, events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = review()
    view.accept(view.hunks[0].id)
    view.reject_all()
    view._farewell.setInterval(0)
    view._farewell.start()
    qtbot.waitUntil(lambda: events.of(DiffClosed) == [DiffClosed()], timeout=10_000)
    assert leftovers(editor) == []
    assert editor.plain_text() == OLD.replace("line 2\n", "second\n")


def test_edits_above_move_all_hunks_along(editor: CodeEditor, review: Show) -> None:
    view = review(before="head\n")
    editor.replace_ranges([TextEdit(TextRange(0, 0), "\nnew\n")])
    assert [hunk.state for hunk in view.hunks] == [HunkState.OPEN] * 3
    view.accept_all()
    assert editor.plain_text() == "\nnew\nhead\n" + NEW


def test_edit_inside_a_hunk_asks_for_review_of_that_one_only(editor: CodeEditor, review: Show) -> None:
    view = review()
    at = editor.plain_text().index("line 2") + 4
    editor.replace_ranges([TextEdit(TextRange(at, at), "!")])
    assert [hunk.state for hunk in view.hunks] == [HunkState.NEEDS_REVIEW, HunkState.OPEN, HunkState.OPEN]
    view.accept_all()
    assert editor.plain_text() == NEW.replace("second\n", "line! 2\n")
    editor.undo()
    editor.undo()
    assert [hunk.state for hunk in view.hunks] == [HunkState.OPEN] * 3


def test_typing_inside_while_streaming_is_told(editor: CodeEditor, events: Events) -> None:
    editor.set_document("head\n" + OLD)
    view = show_inline_diff(editor, TextRange(5, 5 + len(OLD)), keys=KEYS, on_event=events.append)
    view.update(DiffProgress((), 3))
    editor.replace_ranges([TextEdit(TextRange(0, 0), "above ")])
    assert events.of(ProposalTouched) == []
    editor.replace_ranges([TextEdit(TextRange(20, 20), "inside")])
    assert events.of(ProposalTouched) == [ProposalTouched()]


def test_pending_lines_are_tinted_and_the_frontier_moves(qtbot: QtBot, editor: CodeEditor, events: Events) -> None:
    editor.set_document("head\n" + OLD)
    view = show_inline_diff(editor, TextRange(5, 5 + len(OLD)), keys=KEYS, on_event=events.append)
    stream = StreamingDiff(split_lines(OLD))
    for line in ("line 0\n", "line 1\n"):
        stream.push(line)
    progress = stream.partial("sec")
    view.update(progress)
    pending = 1 << DiffMarker.PENDING
    first = 1 + progress.frontier
    qtbot.waitUntil(lambda: not editor.markerGet(first - 1) & pending, timeout=5_000)
    assert all(editor.markerGet(line) & pending for line in range(first, 11))
    assert editor.markerGet(first) & 1 << DiffMarker.FRONTIER
    assert annotation(editor, first - 1) == "sec"
    finish(view, NEW)
    assert not any(editor.markerGet(line) & pending for line in range(11))


def test_click_on_the_accept_button_accepts_and_leaves_focus_in_the_text(editor: CodeEditor, review: Show) -> None:
    view = review()
    editor.focus_text()
    bar = shown_bars(editor)[1]
    QTest.mouseClick(bar.buttons[Wish.ACCEPT], Qt.MouseButton.LeftButton)
    assert view.hunks[1].state is HunkState.ACCEPTED
    assert editor.plain_text() == OLD.replace("line 5\n", "")
    assert editor.hasFocus()
    press_undo(editor)
    assert editor.plain_text() == OLD


def test_current_hunk_goes_round_and_is_told(editor: CodeEditor, review: Show, events: Events) -> None:
    view = review()
    for _ in range(3):
        view.next_hunk()
    view.previous_hunk()
    told = [event for event in events if isinstance(event, CurrentHunkChanged)]
    assert [(event.place, event.total) for event in told] == [(1, 3), (2, 3), (3, 3), (1, 3), (3, 3)]
    assert [event.went_round for event in told] == [False, False, False, True, True]
    bars = shown_bars(editor)
    assert [bar.buttons[Wish.PLACE].isVisible() for bar in bars] == [False, False, True]


@pytest.mark.parametrize(("width", "keyed"), [(900, 4), (340, 2), (280, 0)])
def test_in_a_narrow_view_buttons_leave_keys_out_rather_than_be_cut_off(
    editor: CodeEditor, review: Show, width: int, keyed: int
) -> None:
    review()
    editor.resize(width, editor.height())
    QApplication.processEvents()
    bar = next(bar for bar in shown_bars(editor) if bar.buttons[Wish.PLACE].isVisible())
    assert bar.x() >= 0
    assert bar.geometry().right() < editor.viewport().width()
    bare = HunkBar(editor.theme, editor)
    bare.show_hunk(0, DiffKeys(), place="1/3", current=True, can_accept=True)
    wider = [wish for wish in Wish if bar.buttons[wish].width() > bare.buttons[wish].width()]
    assert len(wider) == keyed
    assert KEYS.accept in bar.buttons[Wish.ACCEPT].toolTip()


def test_caret_makes_a_hunk_the_current_one(qtbot: QtBot, editor: CodeEditor, review: Show) -> None:
    view = review()
    editor.gotoLine(5)
    qtbot.waitUntil(lambda: view.current == view.hunks[1].id, timeout=5_000)


def test_selected_lines_of_a_hunk_are_decided_alone(editor: CodeEditor, review: Show) -> None:
    view = review("one = 1\ntwo = 2\nthree = 3\n", "one = 10\ntwo = 20\nthree = 30\n")
    editor.select(TextRange(8, 12))
    view.accept(view.hunks[0].id)
    assert editor.plain_text() == "one = 1\ntwo = 20\nthree = 3\n"
    assert [hunk.state for hunk in view.hunks] == [HunkState.OPEN, HunkState.ACCEPTED, HunkState.OPEN]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"),
        ("a\nb", "a\nb\n"),
        ("a\nb\n", "a\nb"),
        ("a\nb", "a\nb\nc"),
        ("a\n", "top\na\n"),
        ("a\n", ""),
        ("", "a\n"),
        ("\tif x:\n\t\ty\n", "\tif x:\n\t\tz\n"),
        ("שלום עולם\n", "שלום לך\n"),
        ("x\u202ey\n", "x\u202ez\u200b\n"),
        ("a\rb\r", "a\rc\r"),
    ],
)
def test_accept_and_undo_for_every_kind_of_text(editor: CodeEditor, review: Show, old: str, new: str) -> None:
    view = review(old, new)
    view.accept_all()
    assert editor.plain_text() == new
    editor.undo()
    assert editor.plain_text() == old
    view.dispose()
    assert leftovers(editor) == []


def test_insertion_at_the_first_line_shows_the_line_it_stands_before(editor: CodeEditor, review: Show) -> None:
    review("a\nb\n", "top\na\nb\n")
    assert annotation(editor, 0) == "top\na"


def test_hidden_characters_are_drawn_by_name(editor: CodeEditor, review: Show) -> None:
    review("x = 1\n", "x = \u202e1\u200b\n")
    assert annotation(editor, 0) == "x = ‹U+202E›1‹U+200B›"


def test_tabs_of_proposed_lines_follow_the_tab_width(editor: CodeEditor, review: Show) -> None:
    editor.setTabWidth(2)
    review("\ta\n", "\tb\tc\n")
    assert annotation(editor, 0) == "  b c"


def test_long_first_line_gives_the_buttons_a_row_of_their_own(editor: CodeEditor, review: Show) -> None:
    review("x" * 300 + "\n", "y\n", before="head\n")
    assert editor.annotationLines(0) == 1
    bar = shown_bars(editor)[0]
    assert bar.y() // editor.row_height() == 1


def test_wrapped_view_wraps_proposed_lines_too(editor: CodeEditor, review: Show) -> None:
    review("x\n", "word " * 100 + "\n")
    assert editor.annotationLines(0) == 1
    editor.setWrapMode(1)
    editor.view_changed.emit()
    assert editor.annotationLines(0) > 2
    registry = AnnotationRegistry.of(editor)
    assert all(len(row.text) * registry.blank_width() <= editor.viewport().width() for row in registry.rows(0))


def test_two_overlays_share_nothing(editor: CodeEditor) -> None:
    one, two = Events(), Events()
    editor.set_document(OLD + OLD)
    size = len(OLD)
    first = show_inline_diff(editor, TextRange(0, size), keys=KEYS, on_event=one.append)
    second = show_inline_diff(editor, TextRange(size, 2 * size), keys=KEYS, on_event=two.append)
    second.update(DiffProgress((), 4))
    finish(first, NEW)
    finish(second, NEW)
    with pytest.raises(ValueError, match="another proposal"):
        show_inline_diff(editor, TextRange(size, 2 * size), keys=KEYS, on_event=one.append)
    first.accept_all()
    assert editor.plain_text() == NEW + OLD
    assert [hunk.state for hunk in second.hunks] == [HunkState.OPEN] * 3
    first.dispose()
    assert annotation(editor, 10 + 2) == "second"
    second.accept_all()
    assert editor.plain_text() == NEW + NEW
    second.dispose()
    assert leftovers(editor) == []


def test_range_must_be_whole_lines(editor: CodeEditor, events: Events) -> None:
    editor.set_document(OLD)
    with pytest.raises(ValueError, match="whole lines"):
        show_inline_diff(editor, TextRange(2, 9), keys=KEYS, on_event=events.append)


def test_closing_the_editor_in_the_middle_of_a_stream_is_safe(qtbot: QtBot, events: Events) -> None:
    editor = CodeEditor(load_theme("dark"))
    editor.set_document(OLD)
    view = show_inline_diff(editor, TextRange(0, len(OLD)), keys=KEYS, on_event=events.append)
    view.update(DiffProgress((), 3, "par"))
    view.close()
    view.update(DiffProgress((), 5))
    with qtbot.waitSignal(editor.destroyed):
        editor.deleteLater()
    assert events.of(DiffClosed) == [DiffClosed()]


def test_theme_can_change_while_a_proposal_is_shown(editor: CodeEditor, review: Show) -> None:
    review()
    theme = load_theme("contrast")
    editor.set_theme(theme)
    fill = AnnotationRegistry.of(editor).rows(2)[0].fill
    assert fill is not None
    assert fill.back == theme.hex("diff.added.line")
    image = editor.viewport().grab().toImage()
    assert image.pixelColor(image.width() - 2, editor.line_y(2) + 30) == theme.color("diff.added.line")
    assert image.pixelColor(image.width() - 2, editor.line_y(2) + 5) == theme.color("diff.removed.line")


def test_folded_lines_hide_their_buttons_and_the_way_to_a_hunk_opens_them(editor: CodeEditor, events: Events) -> None:
    old = "def f():\n    a = 1\n    b = 2\n\n\ndef g():\n    pass\n"
    editor.set_document(old, "python")
    editor.colourise(0, -1)
    view = show_inline_diff(editor, TextRange(0, len(old)), keys=KEYS, on_event=events.append)
    finish(view, old.replace("b = 2", "b = 3"))
    assert len(shown_bars(editor)) == 1
    editor.toggle_fold(0)
    assert not editor.lineVisible(2)
    assert shown_bars(editor) == []
    view.next_hunk()
    assert editor.lineVisible(2)
    assert len(shown_bars(editor)) == 1


@pytest.mark.parametrize("steps", [-3, 4])
def test_buttons_and_strip_stay_on_their_rows_at_every_zoom(editor: CodeEditor, review: Show, steps: int) -> None:
    review()
    for _ in range(abs(steps)):
        (editor.zoomIn if steps > 0 else editor.zoomOut)()
    bar, row = shown_bars(editor)[0], editor.row_height()
    middle = bar.y() + bar.height() // 2
    assert editor.line_y(2) <= middle < editor.line_y(2) + row
    strip = next(strip for strip in editor.viewport().findChildren(RangeStrip) if strip.isVisible())
    assert strip.y() == editor.line_y(0)
    assert strip.height() == (10 + 2) * row


def test_proposed_rows_are_painted_exactly_under_the_text_they_replace(editor: CodeEditor, review: Show) -> None:
    line = "value = compute(first, second) + [third, {fourth: 5}]  # note\n"
    editor.set_document(line, "python")
    view = show_inline_diff(editor, TextRange(0, len(line)), keys=DiffKeys(), on_event=lambda _: None)
    finish(view, line.replace("note", "mark"))
    image = editor.viewport().grab().toImage()
    row, left = editor.row_height(), editor.text_left()
    removed, added = (editor.theme.color(f"diff.{kind}.line") for kind in ("removed", "added"))
    width = int(len("value = compute(first, second) + [third, {fourth: 5}]") * 7.8)

    def inked(y: int, back: QColor) -> list[bool]:
        return [any(image.pixelColor(x, y + dy) != back for dy in range(2, row - 1)) for x in range(left, left + width)]

    old, new = inked(editor.line_y(0), removed), inked(editor.line_y(0) + row, added)
    assert sum(a != b for a, b in zip(old, new, strict=True)) < width // 12


def test_scrolling_sideways_keeps_tints_and_margins(editor: CodeEditor, review: Show) -> None:
    review("x" * 200 + "\n", "y" * 220 + "\n", before="head\n")
    editor.setXOffset(160)
    image = editor.viewport().grab().toImage()
    y = editor.line_y(1) + editor.row_height()
    added = editor.theme.color("diff.added.line")
    assert image.pixelColor(image.width() - 2, y + 1) == added
    assert image.pixelColor(editor.text_left() - 1, y + 1) == added
    margin = {image.pixelColor(x, y + 11).name() for x in range(20, 50)}
    assert margin == {editor.theme.color("surface.0").name()}


def test_scroll_bar_marks_removed_above_added(editor: CodeEditor, review: Show) -> None:
    review()
    marks = [(mark.line, mark.color, mark.below) for mark in editor._bars[0].marks]
    assert marks == [
        (2, "diff.removed.bar", False),
        (2, "diff.added.bar", True),
        (5, "diff.removed.bar", False),
        (8, "diff.added.bar", True),
    ]


def test_caret_line_has_its_own_tint_again_after_a_proposal(editor: CodeEditor, review: Show) -> None:
    view = review()
    editor.gotoLine(2)
    editor.refresh_current_line()
    assert not editor.caretLineVisible()
    view.dispose()
    image = editor.viewport().grab().toImage()
    tint = image.pixelColor(image.width() - 4, editor.line_y(2) + 3)
    assert tint == editor.theme.color("editor.current_line")


def test_only_the_notes_stay_once_all_is_decided(editor: CodeEditor, review: Show) -> None:
    view = review()
    view.accept_all()
    assert {left for left in leftovers(editor) if not left.startswith("annotation")} == set()
    notes = [annotation(editor, line) for line in range(editor.lineCount()) if editor.annotationLines(line)]
    assert notes == ["accepted · Ctrl+Z takes it back"] * 3
    editor.undo()
    assert any(strip.isVisible() for strip in editor.viewport().findChildren(RangeStrip))


def test_no_single_click_accepts_a_hunk_that_brings_hidden_characters(editor: CodeEditor, review: Show) -> None:
    view = review("a = 1\nb = 2\nc = 3\n", "a = 1\u202e\nb = 2\nc = 4\n")
    bars = sorted((bar for bar in editor.viewport().findChildren(HunkBar) if bar.isVisible()), key=lambda bar: bar.y())
    assert [bar.buttons[Wish.ACCEPT].isEnabled() for bar in bars] == [False, True]
    view.show_as(DiffLayout.SIDE_BY_SIDE)
    pane = next(pane for pane in (editor.parentWidget() or editor).findChildren(ColumnsPane))
    assert [bar.buttons[Wish.ACCEPT].isEnabled() for bar in pane.bars] == [False, True]
    pane.header.accept_all.emit()
    assert editor.plain_text() == "a = 1\nb = 2\nc = 4\n", "the button for all leaves it out"
    view.accept_all()
    assert editor.plain_text() == "a = 1\u202e\nb = 2\nc = 4\n", "whoever was told of it may accept it"
