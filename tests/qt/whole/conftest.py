"""The whole application in a window, with a model server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from driver import Driver
from redraft.app import Application
from redraft.host.launch import FileTarget, LaunchRequest
from servers import ScriptedServer

CODE = '''\
"""Sums."""


def total(items):
    result = 0
    for item in items:
        result += item
    return result


def mean(items):
    return total(items) / len(items)
'''


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """The model's server; the window finds it through the environment."""
    with ScriptedServer() as server:
        monkeypatch.setenv("REDRAFT_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("REDRAFT_MODEL", "scripted")
        monkeypatch.setenv("REDRAFT_API_KEY", "sk-test-planted")
        yield server


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sums.py"
    path.write_bytes(CODE.encode())
    return path


@pytest.fixture
def driver(qtbot: QtBot, qapp: QApplication, server: ScriptedServer, file: Path) -> Iterator[Driver]:
    """The window with the file open, ready for keys."""
    with open_window(qtbot, qapp, file) as driver:
        yield driver


@contextmanager
def open_window(qtbot: QtBot, qapp: QApplication, file: Path) -> Iterator[Driver]:
    """A window with a file open, whatever models the settings name."""
    application = Application(qapp, LaunchRequest((FileTarget(file),)))
    # Whatever a test leaves undecided, nobody is there to be asked about it.
    qtbot.addWidget(application.bench.window, before_close_func=lambda _window: application.bench.window.finish())
    application.show()
    driver = Driver(application)
    driver.wait(driver.has_plugins, "the plugins")
    application.bench.window.activateWindow()
    driver.document.editor.focus_text()
    driver.wait(driver.document.editor.hasFocus, "the keyboard in the text")
    yield driver
    application.stop()
    shiboken6.delete(application.bench)
    qapp.setStyleSheet("")
