from __future__ import annotations

import pytest
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
