from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.hidden_text import HIDDEN
from redraft.qt.editor.limits import LONG_LINE, limits_of
from redraft.qt.editor.numbers import Margin
from redraft.qt.editor.scroll_bar import MarkScrollBar, ScrollMark
from redraft.qt.theme import ThemeName, load_theme

FUNCTION = "def f():\n    a = 1\n    return a\n\n\ndef g():\n    pass\n"


def painted(editor: CodeEditor, area: QRect) -> QImage:
    QApplication.processEvents()
    return editor.viewport().grab(area).toImage()


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def ink(image: QImage) -> int:
    """How many pixels differ from the commonest colour."""
    counts: dict[int, int] = {}
    for x in range(image.width()):
        for y in range(image.height()):
            counts[image.pixel(x, y)] = counts.get(image.pixel(x, y), 0) + 1
    return image.width() * image.height() - max(counts.values())


def text_row(editor: CodeEditor, line: int) -> QRect:
    return QRect(editor.text_left(), editor.line_y(line), 500, editor.row_height())


def test_numbers_end_8_pixels_before_the_range_margin(editor: CodeEditor) -> None:
    editor.set_document("\n" * 120)
    row = painted(editor, QRect(0, editor.line_y(3), 72, 22))
    drawn = [x for x in range(row.width()) for y in range(row.height()) if row.pixel(x, y) != row.pixel(0, 0)]
    assert min(drawn) >= 18
    assert 46 <= max(drawn) <= 50


def test_the_number_of_the_caret_line_is_stronger(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("a\nb\nc\n")
    editor.gotoLine(1)
    strong, usual = (editor.theme.color(name) for name in ("editor.number_current", "editor.number"))
    area = QRect(18, editor.line_y(1), 40, 22)
    qtbot.waitUntil(lambda: brightest(painted(editor, area)) > usual.lightness() + 20)
    assert brightest(painted(editor, area)) <= strong.lightness() + 2
    editor.gutter.stress("proposal", range(2, 3))
    qtbot.waitUntil(lambda: brightest(painted(editor, area.translated(0, 22))) > usual.lightness() + 20)


def brightest(image: QImage) -> int:
    return max(QColor(name).lightness() for name in colours(image))


def test_the_number_margin_grows_with_the_digits(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("a")
    assert editor.marginWidthN(Margin.NUMBERS) == 40
    editor.set_document("\n" * 123_456)
    qtbot.waitUntil(lambda: editor.marginWidthN(Margin.NUMBERS) > 40)
    assert editor.text_left() == sum(editor.marginWidthN(margin) for margin in Margin) + 8


def test_a_chevron_shows_under_the_pointer_and_folds(editor: CodeEditor) -> None:
    editor.set_document(FUNCTION, "python")
    editor.colourise(0, -1)
    symbols = QRect(0, 0, 18, 22)
    assert ink(painted(editor, symbols)) == 0
    editor.gutter.hover(5)
    assert ink(painted(editor, symbols)) > 5
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(8, 10))
    assert not editor.lineVisible(1)
    editor.gutter.hover(-1)
    assert ink(painted(editor, symbols)) > 5
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(8, 10))
    assert editor.lineVisible(1)


def test_rows_below_a_fold_move_up(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document(FUNCTION, "python")
    editor.colourise(0, -1)
    with qtbot.waitSignal(editor.view_changed):
        editor.toggle_fold(0)
    assert editor.line_y(3) == 22
    assert list(editor.visible_lines())[:3] == [0, 3, 4]


def test_wrapped_rows_count(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("word " * 400 + "\nnext\n")
    with qtbot.waitSignal(editor.view_changed):
        editor.set_wrap(wraps=True)
    qtbot.waitUntil(lambda: editor.wrapCount(0) > 3)
    assert editor.line_y(1) == editor.wrapCount(0) * 22
    editor.set_wrap(wraps=False)
    qtbot.waitUntil(lambda: editor.line_y(1) == 22)


def test_the_caret_line_gives_way_to_a_proposal(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("a\nb\n")
    assert editor.caretLineVisible()
    editor.markerAdd(0, 3)
    editor.refresh_current_line()
    assert not editor.caretLineVisible()
    editor.gotoLine(1)
    qtbot.waitUntil(lambda: bool(editor.caretLineVisible()))


def test_matching_brackets_are_marked(editor: CodeEditor, qtbot: QtBot) -> None:
    editor.set_document("f(a)\n", "python")
    editor.gotoPos(2)
    bracket = editor.theme.hex("editor.bracket").lower()
    qtbot.waitUntil(lambda: bracket in colours(painted(editor, text_row(editor, 0))))


HEBREW = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"
ARABIC = "\u0645\u0631\u062d\u0628\u0627"


@pytest.mark.parametrize("text", [HEBREW, ARABIC, f"# {HEBREW}", f'x = "{ARABIC}"', f"    {HEBREW}"])
def test_text_that_runs_from_right_to_left_is_visible_and_takes_room(editor: CodeEditor, text: str) -> None:
    words = HEBREW if HEBREW in text else ARABIC
    place = text.index(words) + 1
    editor.set_document(f"\n{text}|\n", "python")
    editor.gotoLine(5)
    left = editor.pointXFromPosition(editor.to_byte(place))
    right = editor.pointXFromPosition(editor.to_byte(place + len(words)))
    assert right - left >= len(words) * 7
    assert ink(painted(editor, QRect(left, 22, right - left, 22))) > 40


@pytest.mark.parametrize("code", [0x202E, 0x200B, 0x2066, 0xFEFF, 0xE0041, 0x00AD])
def test_hidden_characters_are_drawn_by_their_number(editor: CodeEditor, code: int) -> None:
    assert code in HIDDEN
    editor.set_document(f"\na{chr(code)}b\n")
    visible = painted(editor, text_row(editor, 1))
    warning = editor.theme.hex("state.warn").lower()
    assert warning in colours(visible)
    width = editor.pointXFromPosition(editor.to_byte(4)) - editor.pointXFromPosition(editor.to_byte(1))
    assert width > 6 * 7


def test_long_lines_turn_colours_off_and_wrap_on_and_say_so(editor: CodeEditor, qtbot: QtBot) -> None:
    with qtbot.waitSignal(editor.limits_changed) as said:
        editor.set_document("x = 1;" * LONG_LINE, "javascript")
    assert said.args is not None
    assert "120,000 characters" in said.args[0].reason
    assert editor.wrapMode()
    assert editor.lexer() in {0, 1}
    with qtbot.waitSignal(editor.limits_changed):
        editor.set_document("x = 1;\n", "javascript")
    assert not editor.wrapMode()
    assert not editor.limits.is_plain


def test_limits_are_told_by_size() -> None:
    assert not limits_of("a\n" * 1000).is_plain
    assert "21 MB" in limits_of("a" * 99 + "\n" + "a\n" * 10_500_000).reason


def test_the_view_scrolls_sideways_only_as_far_as_the_text(editor: CodeEditor) -> None:
    editor.set_document("short\n")
    bar = editor.horizontalScrollBar()
    QApplication.processEvents()
    assert bar.maximum() == 0
    editor.insertText(0, "long " * 100)
    editor.buffer.flush()
    QApplication.processEvents()
    assert 500 * 7 < editor.scrollWidth() < 500 * 9
    assert bar.maximum() > 0


def test_marks_stand_at_their_rows_and_do_not_cover_each_other(editor: CodeEditor) -> None:
    editor.set_document("\n" * 1000)
    QApplication.processEvents()
    marks = [ScrollMark(500, 1, "diff.removed.bar"), ScrollMark(500, 2, "diff.added.bar", below=True)]
    editor.set_scroll_marks("proposal", marks)
    bar = editor.verticalScrollBar()
    assert isinstance(bar, MarkScrollBar)
    (_, removed), (_, added) = bar.mark_rectangles()
    assert abs(removed.top() - bar.height() * 500 / (bar.maximum() + bar.pageStep())) < 2
    assert removed.height() >= 4
    assert added.top() >= removed.bottom()
    assert removed.width() == 4
    image = bar.grab().toImage()
    assert image.pixelColor(4, round(removed.center().y())) == editor.theme.color("diff.removed.bar")
    editor.set_scroll_marks("proposal", [])
    assert not bar.marks


def test_more_marks_than_fit_stay_near_their_rows(editor: CodeEditor) -> None:
    editor.set_document("\n" * 5000)
    QApplication.processEvents()
    colors = ("diff.removed.bar", "diff.added.bar")
    editor.set_scroll_marks("proposal", [ScrollMark(line, 1, colors[line // 5 % 2]) for line in range(0, 5000, 5)])
    bar = editor.verticalScrollBar()
    assert isinstance(bar, MarkScrollBar)
    placed = bar.mark_rectangles()
    rows = bar.maximum() + bar.pageStep()
    assert all(abs(place.top() - mark.line * bar.height() / rows) <= 8 for mark, place in placed)
    assert placed[-1][1].top() < bar.height()
    assert placed[-1][0].line > 4800
    editor.set_scroll_marks("proposal", [ScrollMark(line, 1, "diff.added.bar") for line in range(5000)])
    [(_, whole)] = bar.mark_rectangles()
    assert whole.height() > bar.height() * 0.95


def test_the_scroll_bar_has_the_measures_of_the_design(editor: CodeEditor) -> None:
    editor.set_document("\n" * 1000)
    QApplication.processEvents()
    bar = editor.verticalScrollBar()
    assert isinstance(bar, MarkScrollBar)
    assert bar.width() == 14
    thumb = bar.thumb_rectangle()
    assert (thumb.width(), thumb.right(), thumb.top()) == (6, 13, 0)
    bar.setValue(bar.maximum())
    assert editor.firstVisibleLine() == bar.maximum()
    assert bar.thumb_rectangle().bottom() == bar.height()


def test_dragging_the_wheel_with_control_zooms(editor: CodeEditor) -> None:
    editor.set_document("a")
    editor.zoomIn()
    editor.zoomIn()
    assert editor.row_height() == round(editor.font_pixels() * 22 / 13)
    assert editor.marginWidthN(Margin.NUMBERS) >= 40


def test_leaving_the_margin_hides_the_chevrons(editor: CodeEditor) -> None:
    editor.set_document(FUNCTION, "python")
    editor.colourise(0, -1)
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(5, 5),
        editor.viewport().mapToGlobal(QPointF(5, 5)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(editor.viewport(), move)
    assert ink(painted(editor, QRect(0, 0, 18, 22))) > 5
    QApplication.sendEvent(editor.viewport(), QEvent(QEvent.Type.Leave))
    assert ink(painted(editor, QRect(0, 0, 18, 22))) == 0


@pytest.mark.parametrize("name", ["dark", "light", "contrast"])
def test_rows_are_filled_without_seams(editor: CodeEditor, name: ThemeName) -> None:
    editor.set_theme(load_theme(name))
    editor.set_document("\n\n    \n")
    editor.gotoPos(0)
    assert colours(painted(editor, QRect(100, 22, 300, 44))) <= {
        editor.theme.hex("surface.0").lower(),
        editor.theme.hex("editor.guide").lower(),
    }
