"""The settings window over real services: a real file, real plugins' manifests, a real event loop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qt.settings.opening import Open, make_context
from redraft.core.llm.loop import EventLoopThread
from redraft.core.paths import config_folder
from redraft.host.assembly import PluginHost
from redraft.host.headless import Services
from redraft.qt.settings.downloads import Downloads
from redraft.qt.settings.services import SettingsServices
from redraft.qt.settings.window import SettingsWindow
from redraft.qt.style import dress
from redraft.qt.tasks import TaskRunner
from redraft.qt.theme import load_theme


@pytest.fixture
def opened() -> list[tuple[Path, int]]:
    """The files that the pages wanted to be shown, with their lines."""
    return []


@pytest.fixture
def open_settings(qtbot: QtBot, opened: list[tuple[Path, int]]) -> Iterator[Open]:
    """Opens the window, at a page and with a text in the settings file."""
    owner, loop = QObject(), EventLoopThread()
    loop.start()
    tasks = TaskRunner(loop, owner)
    hosts: list[PluginHost] = []

    def open_window(page: str = "", text: str = "", *, theme: Any = "dark") -> SettingsWindow:
        if text:
            (config_folder() / "settings.toml").write_text(text, encoding="utf-8")
        services = Services.load(environment={})
        host = PluginHost(services, make_context)
        host.start()
        hosts.append(host)
        shared = SettingsServices(
            store=services.settings,
            models=services.models,
            tasks=tasks,
            registries=host.registries,
            prompts=services.prompts,
            privacy=services.privacy,
            presets=services.presets,
            plugins=host,
            downloads=Downloads(tasks, owner),
            open_file=lambda path, line: opened.append((path, line)),
        )
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        dress(application, load_theme(theme))
        window = SettingsWindow(load_theme(theme), shared)
        qtbot.addWidget(window, before_close_func=lambda _widget: window.close_now())
        window.show_page(page)
        window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield open_window
    tasks.stop()
    for host in hosts:
        host.stop()
    shiboken6.delete(owner)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setStyleSheet("")
