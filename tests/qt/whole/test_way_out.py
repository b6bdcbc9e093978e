from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from driver import Driver
from qt.whole.conftest import open_window
from redraft.qt.editor.prompt_block.state_strip import StripWidget
from redraft.qt.settings.models_page import ModelsPage
from redraft.qt.widgets import KeyButton
from reviews import ask
from servers import ScriptedServer


@pytest.fixture
def driver(qtbot: QtBot, qapp: QApplication, file: Path) -> Iterator[Driver]:
    """The window, with a model of the settings at a port where nothing listens."""
    with ScriptedServer() as server:
        address = f"{server.url}/v1"
    with open_window(qtbot, qapp, file) as driver:
        driver.application.services.settings.set("models", [{"name": "Workshop", "base_url": address, "model": "m"}])
        yield driver


def button(driver: Driver, label: str) -> KeyButton:
    assert driver.block is not None
    strip = next(strip for strip in driver.block.findChildren(StripWidget) if strip.isVisible())
    return next(one for one in strip.findChildren(KeyButton) if one.text() == label and one.isVisible())


def test_a_server_that_is_not_reached_is_tested_from_the_prompt(driver: Driver) -> None:
    ask(driver, "document it")
    driver.wait(lambda: driver.shown.strip is not None and driver.shown.strip.actions, "the failure")
    driver.click(button(driver, "Test connection"))
    settings = driver.application.settings
    driver.wait(lambda: settings.window is not None, "the settings")
    assert settings.window is not None
    page = settings.window.page
    assert isinstance(page, ModelsPage)
    card = page.card_of("Workshop")
    driver.wait(lambda: card.report is not None, "the test")
    assert card.report is not None
    assert "Nothing answers" in card.report.summary
    settings.stop()
    assert driver.shown.words == "document it", "the words are kept"
