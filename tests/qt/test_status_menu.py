from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidgetAction
from pytestqt.qtbot import QtBot

from redraft.api.menu import MenuModel, MenuRow, MenuSection
from redraft.api.prompt_block import Tone
from redraft.qt.main_window import MainWindow
from redraft.qt.status_menu import MenuHeading, StatusMenu
from redraft.qt.theme import load_theme
from redraft.qt.workbench import Workbench

MODEL = MenuModel(
    "Edit prediction",
    "Ready.",
    (
        MenuSection((MenuRow("eager", "Show at once", is_checked=True), MenuRow("off", "Off & out"))),
        MenuSection(()),
        MenuSection((MenuRow("events", "Shown, line 3", note="10:00:00", dot=Tone.OK),), "Last events"),
    ),
)


@pytest.fixture
def window(bench: Workbench) -> MainWindow:
    return bench.window


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_it_has_headings_and_rows_and_empty_sections_are_left_out(window: MainWindow, qtbot: QtBot, theme: str) -> None:
    menu = StatusMenu(load_theme(theme), MODEL, lambda _id: None, window)
    qtbot.addWidget(menu)
    actions = menu.actions()
    headings = [action.defaultWidget() for action in actions if isinstance(action, QWidgetAction)]
    assert [heading.accessibleName() for heading in headings if isinstance(heading, MenuHeading)] == [
        "Edit prediction. Ready.",
        "Last events.",
    ]
    assert not any(action.isEnabled() for action in actions if isinstance(action, QWidgetAction))
    rows = [action for action in actions if not action.isSeparator() and not isinstance(action, QWidgetAction)]
    assert [row.text() for row in rows] == ["Show at once", "Off && out", "Shown, line 3\t10:00:00"]
    assert sum(action.isSeparator() for action in actions) == 2
    assert not menu.grab().isNull()


def test_a_chosen_row_is_told_by_its_id(window: MainWindow, qtbot: QtBot) -> None:
    chosen: list[str] = []
    menu = StatusMenu(load_theme("dark"), MODEL, chosen.append, window)
    qtbot.addWidget(menu)
    for action in menu.actions():
        if action.data():
            action.trigger()
    assert chosen == ["eager", "off", "events"]


@pytest.mark.parametrize("theme", ["dark", "light", "contrast"])
def test_notes_end_under_one_another_at_the_right_and_are_quiet(window: MainWindow, qtbot: QtBot, theme: str) -> None:
    looks = load_theme(theme)
    rows = (MenuRow("model", "Model", note="HHHHHHHHHHHHHHHHHH"), MenuRow("event", "Shown, line 3", note="HHH"))
    menu = StatusMenu(looks, MenuModel("Edit prediction", "Ready.", (MenuSection(rows),)), lambda _id: None, window)
    qtbot.addWidget(menu)
    menu.ensurePolished()
    menu.resize(menu.sizeHint())
    image = menu.grab().toImage()
    boxes = [menu.note_box(action) for action in menu.actions() if action.data()]
    ends = [last_ink(image, box) for box in boxes]
    assert len(ends) == 2
    assert max(ends) - min(ends) <= 1
    assert boxes[0].right() - 3 <= max(ends) <= boxes[0].right()


def last_ink(image: QImage, box: QRect) -> int:
    """The last column of a box that is not all ground."""
    ground = image.pixelColor(box.right() + 4, box.center().y())
    rows = range(box.top() + 4, box.bottom() - 4)
    return max(x for x in range(box.left(), box.right() + 1) if any(image.pixelColor(x, y) != ground for y in rows))
