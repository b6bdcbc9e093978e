"""The composition root: builds every part of the window and joins them. Nothing else does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QApplication

from redraft.core.text import Position
from redraft.host.launch import LaunchRequest
from redraft.host.registries import Registries
from redraft.qt.commands.edit import EditCommands
from redraft.qt.commands.files import FileCommands
from redraft.qt.commands.go import GoCommands
from redraft.qt.commands.view import ViewCommands
from redraft.qt.style import dress
from redraft.qt.theme import Theme, ThemeManager
from redraft.qt.workbench import Workbench


class Application:
    """Everything that lives as long as the window."""

    def __init__(self, qt: QApplication) -> None:
        self._qt = qt
        self.themes = ThemeManager()
        dress(qt, self.themes.theme)
        self.registries = Registries.built_in()
        self.bench = Workbench(self.registries, self.themes)
        self.go = GoCommands(self.bench)
        self._register_commands()
        self.themes.changed.connect(self._on_theme_changed)
        self.bench.quit_wanted.connect(self.quit)

    def open(self, request: LaunchRequest) -> None:
        """Open what was named; else a new text."""
        for target in request.targets:
            place = Position(target.line - 1, max(target.column - 1, 0)) if target.line else None
            self.bench.open_paths([target.path], place, create=True)
        if not self.bench.documents.all:
            self.bench.documents.new()

    def quit(self) -> None:
        """Close the window after asking what is to become of unsaved texts."""
        if self.bench.documents.may_close_all():
            self.bench.window.finish()

    def stop(self) -> None:
        """End everything that was started, the last thing first."""
        self.go.stop()
        self.bench.stop()

    def _register_commands(self) -> None:
        groups: Sequence[dict[str, Callable[..., object]]] = [
            dict(FileCommands(self.bench).handlers()),
            dict(self.go.handlers()),
            dict(EditCommands(self.bench).handlers()),
            dict(ViewCommands(self.bench, self.themes.choose).handlers()),
        ]
        for group in groups:
            for command, handler in group.items():
                self.registries.commands.register(command, handler)

    def _on_theme_changed(self, theme: Theme) -> None:
        dress(self._qt, theme)
        self.bench.set_theme(theme)


def run(request: LaunchRequest) -> int:
    """Open the window as asked and stay until it closes; return the exit status."""
    qt = QApplication(sys.argv[:1])
    qt.setApplicationName("Redraft")
    qt.setDesktopFileName("redraft")
    application = Application(qt)
    application.open(request)
    application.bench.window.show()
    try:
        return qt.exec()
    finally:
        application.stop()
