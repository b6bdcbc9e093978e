"""A workbench with all its commands, and answers set in advance."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from redraft.host.registries import Registries
from redraft.qt.commands.edit import EditCommands
from redraft.qt.commands.files import FileCommands
from redraft.qt.commands.go import GoCommands
from redraft.qt.commands.journey import JourneyCommands
from redraft.qt.commands.replace import ReplaceCommands
from redraft.qt.commands.search import SearchCommands
from redraft.qt.commands.view import ViewCommands
from redraft.qt.garbage import GarbageCollector
from redraft.qt.theme import ThemeManager
from redraft.qt.workbench import Workbench
from window_fakes import PresetQuestions


@pytest.fixture(scope="session", autouse=True)
def garbage(qapp: QApplication) -> Iterator[None]:
    """As in the application: what tests leave behind ends on the GUI thread, not on the worker of a later test."""
    collector = GarbageCollector(qapp)
    yield
    collector.stop()


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Workbench]:
    """A window with the application's own commands, without plugins."""
    themes = ThemeManager("dark")
    bench = Workbench(Registries.built_in(), themes, make_questions=PresetQuestions)
    go = GoCommands(bench)
    search = SearchCommands(bench)
    replace = ReplaceCommands(bench)
    view = ViewCommands(bench, themes.choose)
    for group in (FileCommands(bench), go, search, replace, JourneyCommands(bench), EditCommands(bench), view):
        for command, handler in group.handlers().items():
            bench.registries.commands.register(command, handler)
    qtbot.addWidget(bench.window)
    yield bench
    go.stop()
    search.stop()
    replace.stop()
    bench.stop()
    bench.window.finish()
    shiboken6.delete(bench)  # with its timers: they would look at editors that qtbot deletes now


@pytest.fixture
def questions(bench: Workbench) -> PresetQuestions:
    """The answers the window is given."""
    assert isinstance(bench.questions, PresetQuestions)
    return bench.questions
