"""Commands about the program itself: recent files, settings, models, help."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from redraft.api.services import SettingsView
from redraft.api.ui import PickItem
from redraft.core import textfile
from redraft.core.assets import assets_folder
from redraft.core.errors import FileError
from redraft.core.paths import config_folder, state_folder
from redraft.core.text import TextRange
from redraft.qt.menus import MenuChoice
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.session_keeper import SessionKeeper
from redraft.qt.workbench import Workbench

RECENT_FOLDERS: Final = 4
RECENT_FILES: Final = 10
"""How many are offered in the menu."""


class MoreCommands:
    """Handlers of `file.open_recent`, `file.settings`, `ai.*` and `help.*`."""

    def __init__(
        self, workbench: Workbench, session: SessionKeeper, settings: SettingsView, open_settings: Callable[[str], None]
    ) -> None:
        self._bench = workbench
        self._session = session
        self._settings = settings
        self._open_settings = open_settings
        workbench.menus.choices["file.open_recent"] = self.recent_choices

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        return {
            "file.open_recent": self.open_recent,
            "file.settings": lambda: self._open_settings(""),
            "file.keybindings": lambda: self._open_settings("keys"),
            "file.plugins": lambda: self._open_settings("plugins"),
            "ai.enabled": self.toggle_ai,
            "ai.models": lambda: self._open_settings("models"),
            "ai.prompts_folder": self.open_prompts_folder,
            "help.documentation": self.documentation,
            "help.keys": self.show_keys,
            "help.log": self.open_log,
            "help.restart_safe_mode": self.restart_in_safe_mode,
            "help.about": self.about,
        }

    def recent_choices(self) -> list[MenuChoice]:
        """The latest folders and files, for the menu; whether they are still there is seen when one is chosen."""
        session = self._session
        opened = {document.path for document in self._bench.documents.all} | {self._bench.folder}
        paths = (*session.recent_folders[:RECENT_FOLDERS], *session.recent_files[:RECENT_FILES])
        return [MenuChoice(_short(path), str(path)) for path in paths if path not in opened]

    def open_recent(self, path: str = "") -> None:
        """Open a folder or file opened of late, or list them all."""
        if path:
            self._bench.open_paths([Path(path)])
            return
        folders = [path for path in self._session.recent_folders if path.is_dir()]
        files = [path for path in self._session.recent_files if path.is_file()]
        rows = [PickRow(PickItem(str(path), path.name, str(path.parent), icon="folder")) for path in folders]
        rows += [PickRow(PickItem(str(path), path.name, str(path.parent), icon="file")) for path in files]
        self._bench.window.picker.ask(
            Question("Open a recent file or folder", tuple(rows), empty="Nothing was opened yet."),
            on_chosen=lambda path: self._bench.open_paths([Path(path)]),
        )

    def toggle_ai(self) -> None:
        """Switch all models off, or on again."""
        enabled = not self._settings.get("privacy.ai_enabled")
        self._settings.set("privacy.ai_enabled", enabled)
        self._bench.say("AI is on." if enabled else "AI is off; no model is asked anything.")

    def open_prompts_folder(self) -> None:
        """Show the folder for one's own prompts in the file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(config_folder("prompts"))))

    def show_keys(self) -> None:
        """Open a new text that lists every key."""
        registries = self._bench.registries
        lines = []
        category = ""
        for command in sorted(registries.commands.all(), key=lambda command: (command.category, command.title)):
            keys = ", ".join(str(key) for key in registries.keymap.keys(command.id))
            if not keys:
                continue
            if command.category != category:
                category = command.category
                lines += ["", f"## {category or 'Other'}", ""]
            lines.append(f"{keys:<32} {command.title}")
        self._bench.documents.new("# Keys\n" + "\n".join(lines) + "\n", "Keys", "markdown", is_scratch=True)

    def documentation(self) -> None:
        """List the pages of the documentation; the one that is chosen is shown in a tab of its own."""
        pages = {path.stem: textfile.load(path).text for path in sorted(assets_folder("docs").glob("*.md"))}
        titles = {name: text.partition("\n")[0].strip("# \r") for name, text in pages.items()}
        rows = tuple(PickRow(PickItem(name, title, note=f"{name}.md")) for name, title in titles.items())
        self._bench.window.picker.ask(
            Question("Documentation", rows, empty="No page of that name."),
            on_chosen=lambda name: self._show_page(titles[name], pages[name]),
        )

    def _show_page(self, title: str, text: str) -> None:
        page = self._bench.documents.new(text, title, "markdown", is_scratch=True)
        page.editor.select(TextRange(0, 0))

    def open_log(self) -> None:
        """Open the log of this program."""
        folder = state_folder()
        logs = sorted([*folder.rglob("*.log")], key=lambda path: path.stat().st_mtime)
        if not logs:
            raise FileError("There is no log yet.")
        self._bench.documents.open(logs[-1])

    def restart_in_safe_mode(self) -> None:
        """Begin anew without plugins, after the usual questions."""
        if not self._bench.documents.may_close_all():
            return
        paths = [str(document.path) for document in self._bench.documents.all if document.path]
        QProcess.startDetached(sys.executable, ["-m", "redraft", "--safe-mode", "--", *paths], os.fspath(Path.cwd()))
        self._bench.window.finish()

    def about(self) -> None:
        """Say which version this is."""
        self._bench.say(f"Redraft {version('redraft')}. A model proposes, you decide.")


def _short(path: Path) -> str:
    """A path as people write it, with their home as `~`."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
