from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from redraft.qt.frame.tab_button import TabModel
from redraft.qt.frame.tabs import TabStrip
from redraft.qt.theme import load_theme


@pytest.fixture
def strip(qtbot: QtBot) -> TabStrip:
    strip = TabStrip(load_theme("dark"))
    qtbot.addWidget(strip)
    strip.resize(800, 40)
    strip.set_tabs([TabModel(1, "readings.py"), TabModel(2, "harmonics.py"), TabModel(3, "cli.py")], 1)
    strip.show()
    return strip


def test_a_click_chooses_a_tab(strip: TabStrip, qtbot: QtBot) -> None:
    with qtbot.waitSignal(strip.chosen) as chosen:
        qtbot.mouseClick(strip.buttons[1], Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert chosen.args == [2]


def test_the_cross_and_the_middle_button_close(strip: TabStrip, qtbot: QtBot) -> None:
    first = strip.buttons[0]
    with qtbot.waitSignal(strip.close_wanted) as closed, qtbot.assertNotEmitted(strip.chosen):
        qtbot.mouseClick(first, Qt.MouseButton.LeftButton, pos=first._cross_box().center())
    assert closed.args == [1]
    with qtbot.waitSignal(strip.close_wanted) as closed:
        qtbot.mouseClick(strip.buttons[2], Qt.MouseButton.MiddleButton)
    assert closed.args == [3]


def test_a_tab_says_all_it_shows(strip: TabStrip) -> None:
    strip.set_tabs([TabModel(1, "a.py", is_modified=True, is_running=True, undecided=2)], 1)
    assert strip.buttons[0].accessibleName() == "a.py, an edit is running, 2 hunks to decide, unsaved"


def test_a_tab_keeps_its_width_when_it_comes_to_the_front_with_a_mark(strip: TabStrip) -> None:
    strip.set_tabs([TabModel(1, "a.py", is_modified=True), TabModel(2, "b.py", is_modified=True)], 1)
    before = [button.width() for button in strip.buttons]
    strip.set_tabs([TabModel(1, "a.py", is_modified=True), TabModel(2, "b.py", is_modified=True)], 2)
    assert [button.width() for button in strip.buttons] == before


def test_a_ring_turns_in_a_running_tab_only(strip: TabStrip) -> None:
    strip.set_tabs([TabModel(1, "a.py"), TabModel(2, "b.py", is_running=True)], 1)
    assert [button._ring.isVisible() for button in strip.buttons] == [False, True]


def test_the_tab_in_front_is_scrolled_into_view(strip: TabStrip) -> None:
    strip.resize(200, 40)
    strip.set_tabs([TabModel(number, f"file_{number}.py") for number in range(8)], 7)
    last = strip.buttons[7].geometry()
    assert last.left() >= 0
    assert last.right() < 200
    strip.set_tabs([TabModel(number, f"file_{number}.py") for number in range(8)], 0)
    assert strip.buttons[0].x() == 0


def test_dragging_past_the_middle_of_another_moves_a_tab(strip: TabStrip, qtbot: QtBot) -> None:
    first, second = strip.buttons[0], strip.buttons[1]
    moves: list[tuple[int, int]] = []
    strip.moved.connect(lambda start, end: moves.append((start, end)))
    qtbot.mousePress(first, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    target = second.geometry().center().x() + 4
    qtbot.mouseMove(first, first.mapFromParent(QPoint(target, 20)))
    strip._dragged = first
    assert strip.childAt(QPoint(target, 20)) is second
