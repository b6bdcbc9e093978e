from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from redraft.api.prompt_block import (
    ActionStyle,
    ActionTriggered,
    Chip,
    ChipRemoved,
    Escaped,
    PaletteRow,
    PromptAction,
    PromptClosed,
    PromptEvent,
    PromptModel,
    RowChosen,
    RowCompleted,
    RowMoved,
    StateStrip,
    Submitted,
    Tone,
    WordsChanged,
)
from redraft.core.text import TextEdit, TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.range_strip import RangeStrip
from redraft.qt.editor.prompt_block import PromptBlockView, show_prompt
from redraft.qt.editor.prompt_block.block import PromptBlock
from redraft.qt.editor.prompt_block.footer import SECOND_ROW, Footer
from redraft.qt.editor.prompt_block.palette_row import PaletteRowWidget, matched_runs
from redraft.qt.editor.prompt_block.state_strip import StripWidget
from redraft.qt.editor.prompt_block.words_field import WordsField
from redraft.qt.theme import load_theme
from redraft.qt.widgets import ChipWidget, IconButton, KeyButton

TEXT = "".join(f"line {number}\n" for number in range(60))
ROWS = (
    PaletteRow("own", "Your own words", "write above", key="Enter", icon="own_words"),
    PaletteRow("fix", "/fix", "Repair", "built-in", "Alt+Shift+F", "Presets"),
    PaletteRow("old", "Return an empty list", source="2 h", section="Recent", icon="history",
               actions=("edit", "remove")),
)  # fmt: skip
PALETTE = PromptModel(
    editable=True,
    placeholder="What should change?",
    main=PromptAction("run", "Run", "send", "Enter", ActionStyle.ICON),
    rows=ROWS,
    current_row="own",
    chips=(Chip("file", "readings.py", "file", "512", removable=True),),
    chips_in_footer=True,
    model=Chip("model", "qwen", "model_local"),
)
REVIEW = PromptModel(
    words="Use httpx.",
    refine="Refine this result",
    model=Chip("model", "qwen", "model_local"),
    footer="3 hunks",
    counts=(8, 9),
    actions=(
        PromptAction("retry", "Retry", "retry", style=ActionStyle.ICON),
        PromptAction("accept", "Accept all (3)", key="Ctrl+Enter", style=ActionStyle.ACCEPT),
    ),
)
DECIDING = replace(
    REVIEW,
    actions=(
        *REVIEW.actions[:1],
        PromptAction("reject", "Reject all", key="Ctrl+Backspace", style=ActionStyle.REJECT),
        REVIEW.actions[1],
    ),
)
WAITING = PromptModel(
    words="Use httpx.",
    main=PromptAction("stop", "Stop", "stop", "Esc", ActionStyle.STOP),
    strip=StateStrip("Waiting for the first token", "834 tokens sent", busy=True),
    footer_detail="Esc cancels",
)

Open = Callable[..., PromptBlockView]


@pytest.fixture
def events() -> list[PromptEvent]:
    return []


@pytest.fixture
def show(editor: CodeEditor, events: list[PromptEvent]) -> Open:
    """Opens a block above a line of a text of sixty lines, with the keyboard in it."""

    def open_block(model: PromptModel = PALETTE, line: int = 5) -> PromptBlockView:
        editor.set_document(TEXT)
        start = editor.text_index().line_starts[line]
        view = show_prompt(editor, TextRange(start, start + 14), model, on_event=events.append)
        editor.activateWindow()
        view.focus()
        return view

    return open_block


def press(widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    """Press one key as a window would: what overrides a shortcut is asked first."""
    for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
        QApplication.sendEvent(widget, QKeyEvent(kind, key, modifiers))


def field_of(view: PromptBlockView) -> WordsField:
    return next(field for field in view.block.findChildren(WordsField) if field.isVisible())


def button(view: PromptBlockView, name: str) -> QWidget:
    buttons = [*view.block.findChildren(KeyButton), *view.block.findChildren(IconButton)]
    return next(button for button in buttons if button.accessibleName() == name and button.isVisible())


def top_of(view: PromptBlockView, editor: CodeEditor) -> int:
    return view.block.mapTo(editor, QPoint(0, 0)).y()


def test_block_stands_in_whole_blank_rows_above_its_range(editor: CodeEditor, show: Open) -> None:
    view = show(WAITING)
    rows = editor.annotationLines(4)
    assert rows == 5
    below = editor.line_y(5)
    assert editor.line_y(4) + editor.row_height() == below - rows * editor.row_height()
    air = rows * editor.row_height() - view.block.height()
    assert 2 <= air <= 12
    assert view.block.geometry().left() == editor.text_left()
    assert view.block.geometry().bottom() < below


def test_block_above_line_0_pushes_the_text_down(editor: CodeEditor, show: Open) -> None:
    view = show(WAITING, line=0)
    viewport = editor.viewport().mapTo(editor, QPoint(0, 0)).y()
    assert viewport == 5 * editor.row_height()
    assert top_of(view, editor) + view.block.height() <= viewport
    image = editor.grab().toImage()
    ink = {image.pixelColor(x, viewport + 11).name() for x in range(editor.text_left(), editor.text_left() + 50)}
    assert len(ink) > 2
    view.dispose()
    assert editor.viewport().mapTo(editor, QPoint(0, 0)).y() == 0
    assert editor.viewport().parentWidget() is editor


def test_block_docks_at_the_edge_it_is_scrolled_past(editor: CodeEditor, show: Open) -> None:
    view = show(WAITING)
    editor.setFirstVisibleLine(30)
    assert view.block.isVisible()
    assert top_of(view, editor) in range(4)
    editor.setFirstVisibleLine(0)
    assert top_of(view, editor) > 4 * editor.row_height()


def test_block_follows_its_range_when_lines_come_above(editor: CodeEditor, show: Open) -> None:
    show(WAITING)
    editor.replace_ranges([TextEdit(TextRange(0, 0), "new\nnew\n")])
    assert [line for line in range(12) if editor.annotationLines(line)] == [6]
    start = editor.text_index().line_starts[7]
    editor.replace_ranges([TextEdit(TextRange(start, start), "\n")])
    assert [line for line in range(12) if editor.annotationLines(line)] == [6]


def test_block_stays_above_its_range_when_the_first_line_is_replaced(editor: CodeEditor, show: Open) -> None:
    view = show(WAITING)
    start = editor.text_index().line_starts[5]
    editor.replace_ranges([TextEdit(TextRange(start, start + 7), "another line 5\nand one more\n")])
    assert [line for line in range(12) if editor.annotationLines(line)] == [4]
    assert view.block.geometry().bottom() < editor.line_y(5)
    editor.undo()
    assert [line for line in range(12) if editor.annotationLines(line)] == [4]


def test_block_is_never_wider_than_the_view(editor: CodeEditor, show: Open) -> None:
    view = show(WAITING)
    assert view.block.width() == 720
    editor.resize(600, 400)
    editor.view_changed.emit()
    assert view.block.geometry().right() < editor.viewport().width()
    editor.resize(1000, 400)
    editor.view_changed.emit()
    assert view.block.width() == 720


def test_nothing_is_left_behind(editor: CodeEditor, show: Open) -> None:
    view = show()
    view.dispose()
    view.dispose()
    assert not any(editor.annotationLines(line) for line in range(60))
    kinds = (PromptBlock, RangeStrip)
    assert [w for w in editor.viewport().findChildren(QWidget) if isinstance(w, kinds) and not w.isHidden()] == []
    assert editor.hasFocus()


@pytest.mark.parametrize(("first", "last"), [(25, 31), (25, 58)])
def test_a_block_that_opens_low_in_the_view_leaves_its_lines_to_be_seen(
    editor: CodeEditor, events: list[PromptEvent], first: int, last: int
) -> None:
    editor.set_document(TEXT)
    index = editor.text_index()
    editor.setFirstVisibleLine(2)
    view = show_prompt(editor, index.lines_range(first, last), PALETTE, on_event=events.append)
    end = editor.line_y(last) + editor.row_height()
    assert 0 <= top_of(view, editor) < editor.line_y(first)
    if last == 31:
        assert end <= editor.viewport().height(), "all of it"
    else:
        assert top_of(view, editor) < editor.row_height(), "as much as there is room for"


def test_in_a_narrow_view_keys_give_way_to_what_they_stand_beside(editor: CodeEditor, show: Open) -> None:
    view = show(DECIDING)
    accept, reject, retry = (button(view, name) for name in ("Accept all (3)", "Reject all", "Retry"))
    wide = accept.width()
    editor.resize(300, editor.height())
    assert accept.width() < wide
    assert accept.toolTip() == "Ctrl+Enter"
    assert 0 <= reject.x() < reject.x() + reject.width() <= accept.x()
    assert 0 <= retry.x() < retry.x() + retry.width() <= view.block.width()
    assert not retry.geometry().intersects(reject.geometry().united(accept.geometry()))
    view.update(replace(DECIDING, footer_detail="1 kept for later"))
    for one in (reject, accept):
        assert one.width() == one.sizeHint().width(), "nothing is cut off"
    editor.resize(900, editor.height())
    assert (accept.width(), accept.toolTip()) == (wide, "")


def test_range_bar_covers_exactly_the_lines_that_are_meant(editor: CodeEditor, show: Open) -> None:
    show(WAITING)
    strip = next(strip for strip in editor.viewport().findChildren(RangeStrip) if strip.isVisible())
    assert strip.geometry().top() == editor.line_y(5)
    assert strip.height() == 2 * editor.row_height()


def test_typing_is_told_and_never_disturbed_by_its_echo(show: Open, events: list[PromptEvent]) -> None:
    view = show()
    QTest.keyClicks(field_of(view), "ab")
    assert events[-1] == WordsChanged("ab", 2)
    QTest.keyClick(field_of(view), Qt.Key.Key_Left)
    view.update(replace(PALETTE, words="ab", note="~ 0.7k tokens"))
    assert field_of(view).caret() == 1
    view.update(replace(PALETTE, words="an earlier one"))
    assert field_of(view).words() == "an earlier one"


def test_enter_chooses_the_current_row_and_submits_where_there_is_none(show: Open, events: list[PromptEvent]) -> None:
    view = show()
    QTest.keyClick(field_of(view), Qt.Key.Key_Return)
    view.update(replace(PALETTE, rows=(), words="Use httpx."))
    QTest.keyClick(field_of(view), Qt.Key.Key_Return)
    assert events == [RowChosen("own"), Submitted("Use httpx.")]


def test_enter_never_submits_while_an_input_method_composes(show: Open, events: list[PromptEvent]) -> None:
    view = show(replace(PALETTE, rows=()))
    field = field_of(view)
    QApplication.sendEvent(field, QInputMethodEvent("にほ", []))
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert not [event for event in events if isinstance(event, Submitted)]
    commit = QInputMethodEvent("", [])
    commit.setCommitString("日本")
    QApplication.sendEvent(field, commit)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert events[-1] == Submitted("日本")


def test_field_grows_to_eight_rows_and_the_text_gives_way(qtbot: QtBot, editor: CodeEditor, show: Open) -> None:
    view = show(replace(WAITING, editable=True))
    rows = editor.annotationLines(4)
    for _ in range(12):
        press(field_of(view), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert field_of(view).words().count("\n") == 12
    assert field_of(view).height() == 8 * 20
    qtbot.waitUntil(lambda: editor.annotationLines(4) == rows + 7, timeout=5_000)


def test_keys_of_the_palette(show: Open, events: list[PromptEvent]) -> None:
    view = show()
    for key, event in (
        (Qt.Key.Key_Down, RowMoved(1, at_edge=True)),
        (Qt.Key.Key_Up, RowMoved(-1, at_edge=True)),
        (Qt.Key.Key_Tab, RowCompleted("own")),
        (Qt.Key.Key_Escape, Escaped()),
    ):
        QTest.keyClick(field_of(view), key)
        assert events[-1] == event


def test_up_inside_the_text_moves_the_caret_first(show: Open, events: list[PromptEvent]) -> None:
    view = show(replace(PALETTE, words="one\ntwo"))
    field_of(view).set_words("one\ntwo")
    QTest.keyClick(field_of(view), Qt.Key.Key_Up)
    assert events[-1] == RowMoved(-1, at_edge=False)
    QTest.keyClick(field_of(view), Qt.Key.Key_Up)
    assert events[-1] == RowMoved(-1, at_edge=True)


def test_ctrl_backspace_deletes_a_word_in_the_field(show: Open, events: list[PromptEvent]) -> None:
    view = show()
    field = field_of(view)
    field.set_words("use httpx")
    press(field, Qt.Key.Key_Backspace, Qt.KeyboardModifier.ControlModifier)
    assert field.words() == "use "
    assert events[-1] == WordsChanged("use ", 4)


def test_rows_are_chosen_with_the_pointer(show: Open, events: list[PromptEvent]) -> None:
    view = show()
    rows = {row.row.id: row for row in view.block.findChildren(PaletteRowWidget) if not row.isHidden()}
    QTest.mouseClick(rows["fix"], Qt.MouseButton.LeftButton, pos=QPoint(30, 10))
    assert events[-1] == RowChosen("fix")
    edit, remove = rows["old"].findChildren(IconButton)
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    assert events[-1] == RowChosen("old", "edit")
    QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert events[-1] == RowChosen("old", "remove")
    assert field_of(view).hasFocus()


def test_chip_cross_and_model_chip(show: Open, events: list[PromptEvent]) -> None:
    view = show()
    chips = {chip.chip.id: chip for chip in view.block.findChildren(ChipWidget) if chip.isVisible()}
    QTest.keyClick(chips["file"], Qt.Key.Key_Delete)
    QTest.mouseClick(chips["model"], Qt.MouseButton.LeftButton)
    assert events == [ChipRemoved("file"), ActionTriggered("model")]


@pytest.mark.parametrize(("model", "name", "action"), [(WAITING, "Stop", "stop"), (REVIEW, "Accept all (3)", "accept")])
def test_buttons_tell_their_action(
    show: Open, events: list[PromptEvent], model: PromptModel, name: str, action: str
) -> None:
    view = show(model)
    QTest.mouseClick(button(view, name), Qt.MouseButton.LeftButton)
    assert events[-1] == ActionTriggered(action)


def test_refine_field_submits_its_own_words(show: Open, events: list[PromptEvent]) -> None:
    view = show(REVIEW)
    assert view.has_focus
    QTest.keyClicks(field_of(view), "shorter")
    QTest.keyClick(field_of(view), Qt.Key.Key_Return)
    assert events[-1] == Submitted("shorter")


def test_a_strip_has_more_rows_where_its_words_do_not_fit(show: Open) -> None:
    view = show(WAITING)
    test = PromptAction("test", "Test connection")
    short = StateStrip("Too busy", "next try in 7 s", icon="wait", actions=(test,))
    view.update(replace(WAITING, strip=short))
    strip = view.block.findChildren(StripWidget)[0]
    one_row = strip.height()
    assert one_row == 36
    long = StateStrip(
        "The connection is not safe: " + "its certificate is not trusted, " * 3, "Add its CA file", "offline"
    )
    view.update(replace(WAITING, strip=replace(long, actions=(test,))))
    assert strip.height() == one_row + 2 * 20
    assert view.block.height() > 36 + strip.height()
    view.update(replace(WAITING, strip=replace(long, busy=True)))
    assert strip.height() == one_row, "what changes while it is looked at does not jump"


def test_a_strip_keeps_its_words_when_buttons_change(show: Open) -> None:
    view = show(WAITING)
    strip = StateStrip("Cut off", icon="problem", tone=Tone.WARN, actions=(PromptAction("go", "Continue"),))
    view.update(replace(WAITING, strip=strip))
    assert button(view, "Continue").isVisible()
    view.update(WAITING)
    assert not [b for b in view.block.findChildren(KeyButton) if b.accessibleName() == "Continue" and b.isVisible()]


def test_every_part_that_takes_the_keyboard_has_a_name(show: Open) -> None:
    view = show()
    focusable = [
        part
        for part in view.block.findChildren(QWidget)
        if part.isVisible() and part.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert len(focusable) >= 4
    assert [type(part).__name__ for part in focusable if not part.accessibleName()] == []


def test_tab_goes_through_the_block_as_it_is_read(show: Open) -> None:
    view = show(WAITING)
    chips = (Chip("ok", "Parses", "ok"),)
    view.update(replace(REVIEW, chips=chips, main=PromptAction("close", "Close", "close", style=ActionStyle.ICON)))
    button(view, "Close").setFocus()
    names = []
    for _ in range(6):
        focused = QApplication.focusWidget()
        assert focused is not None
        names.append(focused.accessibleName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    assert names == ["Close", "Parses", "Refine this result", "qwen", "Retry", "Accept all (3)"]


def test_reduced_motion_changes_height_at_once_and_never_fades(editor: CodeEditor, show: Open) -> None:
    editor.set_theme(replace(load_theme("dark"), reduced_motion=True))
    view = show(WAITING)
    assert view.block.graphicsEffect() is None
    view.update(replace(WAITING, words="one\ntwo\nthree"))
    assert editor.annotationLines(4) == 7


def test_closing_the_tab_is_told_once(show: Open, events: list[PromptEvent]) -> None:
    view = show()
    view.close()
    view.close()
    view.update(WAITING)
    assert [event for event in events if isinstance(event, PromptClosed)] == [PromptClosed()]


def test_theme_can_change_while_a_block_is_open(qtbot: QtBot, editor: CodeEditor, show: Open) -> None:
    view = show(REVIEW)
    qtbot.waitUntil(lambda: view.block.graphicsEffect() is None, timeout=10_000)
    editor.set_theme(load_theme("light"))
    image = view.block.grab().toImage()
    assert image.pixelColor(image.width() // 2, 4) == load_theme("light").color("surface.2")


def test_matched_letters_are_cut_into_runs() -> None:
    assert list(matched_runs("/datum", (1, 2))) == [("/", False), ("da", True), ("tum", False)]
    assert list(matched_runs("", ())) == []


def test_a_row_without_a_section_may_follow_those_with_one(show: Open) -> None:
    """As while a preset is typed: the presets come first, the user's own words last."""
    view = show()
    rows = (PALETTE.rows[1], PALETTE.rows[0])
    view.update(replace(PALETTE, rows=rows, current_row=rows[0].id))
    widgets = view.block.findChildren(PaletteRowWidget)
    shown = [widget.row.id for widget in sorted(widgets, key=lambda widget: widget.y()) if widget.isVisible()]
    assert shown == ["fix", "own"]


def test_in_a_narrow_view_the_buttons_go_below_the_counts_and_keep_their_keys(editor: CodeEditor, show: Open) -> None:
    view = show(DECIDING)
    wide = view.block.height()
    retry, reject, accept = (button(view, name) for name in ("Retry", "Reject all", "Accept all (3)"))
    assert retry.geometry().center().y() == accept.geometry().center().y()
    keys = accept.width()
    editor.resize(500, editor.height())
    QApplication.processEvents()
    assert view.block.width() < 480
    assert view.block.wanted_height() == wide + SECOND_ROW
    assert retry.geometry().bottom() < accept.geometry().top()
    assert reject.geometry().right() < accept.geometry().left()
    assert reject.geometry().left() >= 0
    assert accept.width() == keys, "the key is still there"
    editor.resize(1200, editor.height())
    QApplication.processEvents()
    assert view.block.wanted_height() == wide


def test_the_added_lines_are_never_counted_without_the_removed_ones(editor: CodeEditor, show: Open) -> None:
    view = show(replace(DECIDING, counts=(123456, 987654), footer="A footer of many words, wider than any row"))
    editor.resize(500, editor.height())
    QApplication.processEvents()
    footer = next(iter(view.block.findChildren(Footer)))
    green, red = (editor.theme.hex(name) for name in ("accept.text", "reject.text"))
    image = footer.grab(QRect(0, 0, footer.width() - 130, 44)).toImage()
    ink = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert (green in ink) == (red in ink)
