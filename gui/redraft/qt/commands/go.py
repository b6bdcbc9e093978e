"""Commands that go somewhere: files, lines, tabs, commands by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from redraft.api.ui import PickItem
from redraft.core.folder import Ignores, path_below, walk_files
from redraft.core.text import Position, TextRange
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.workbench import Workbench

LINE = re.compile(r"\s*(\d+)(?:\s*[:, ]\s*(\d+))?\s*")


class GoCommands(QObject):
    """Handlers of `go.*` and the command palette."""

    walked = Signal(object, object)
    """A worker's answer: the folder, and the files below it."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._documents = workbench.documents
        self._files: dict[Path, list[Path]] = {}
        self._asked_for: Path | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="files")
        self.walked.connect(self._on_walked, Qt.ConnectionType.QueuedConnection)

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        step = self._documents.step
        return {
            "view.command_palette": self.command_palette,
            "go.file": self.file,
            "go.line": self.line,
            "go.next_tab": lambda: step(1),
            "go.previous_tab": lambda: step(-1),
            "go.editor": self._bench.window.focus_text,
            "go.sidebar": self.sidebar,
            "go.next_region": lambda: self._bench.window.focus_region(1),
            "go.previous_region": lambda: self._bench.window.focus_region(-1),
            **{f"go.tab_{number}": lambda number=number: self.tab(number - 1) for number in range(1, 9)},
            "go.tab_last": lambda: self.tab(-1),
        }

    def command_palette(self) -> None:
        """List every command that is handled, with its key; those that can run now come first."""
        registries = self._bench.registries
        commands = [
            command
            for command in registries.commands.all()
            if command.palette and registries.commands.has_handler(command.id)
        ]
        commands.sort(key=lambda command: not registries.commands.is_enabled(command.id))
        rows = tuple(
            PickRow(
                PickItem(
                    command.id,
                    f"{command.category}: {command.title}" if command.category else command.title,
                    registries.commands.detail(command.id),
                ),
                key=registries.keymap.label(command.id),
                is_enabled=registries.commands.is_enabled(command.id),
            )
            for command in commands
        )
        self._bench.window.picker.ask(Question("Run a command", rows), on_chosen=self._bench.run)

    def file(self) -> None:
        """List the files of the folder, those that are open first; the folder is walked in the background."""
        folder = self._bench.folder
        self._asked_for = folder
        files = self._files.get(folder, []) if folder else []
        empty = "Reading the folder …" if folder and not files else "No folder is open."
        self._bench.window.picker.ask(
            Question("Go to file", tuple(self._file_rows(folder, files)), empty=empty),
            on_chosen=self._open,
        )
        if folder is not None:
            self._pool.submit(self._walk, folder, self._bench.folder_model.excluded)

    def line(self) -> None:
        """Ask for a line, `LINE` or `LINE:COLUMN`."""
        document = self._documents.active
        if document is None:
            return
        lines = document.editor.lineCount()
        self._bench.window.picker.ask(
            Question(f"Go to line, 1 to {lines}, or line:column", answer_text=True), on_text=self._go_to
        )

    def sidebar(self) -> None:
        """Give the keyboard to the files."""
        self._bench.window.show_sidebar(True)
        self._bench.window.sidebar.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def tab(self, place: int) -> None:
        """Bring the tab at a place to the front, if there is one."""
        documents = self._documents.all
        if -len(documents) <= place < len(documents):
            self._documents.activate(documents[place])

    def stop(self) -> None:
        """End the worker."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _go_to(self, text: str) -> None:
        document, match = self._documents.active, LINE.fullmatch(text)
        if document is None or match is None:
            return
        index = document.editor.text_index()
        line = max(1, min(int(match[1]), index.line_count))
        offset = index.offset(Position(line - 1, max(int(match[2] or 1) - 1, 0)))
        document.editor.select(TextRange(offset, offset))

    def _open(self, path: str) -> None:
        self._documents.open(Path(path))

    def _walk(self, folder: Path, excluded: Ignores) -> None:
        # In the worker thread: only the signal leads back.
        self.walked.emit(folder, list(walk_files(folder, excluded=excluded)))

    def _on_walked(self, folder: Path, files: list[Path]) -> None:
        self._files = {folder: files}
        picker = self._bench.window.picker
        if self._asked_for == folder and picker.isVisible() and picker.field.accessibleName() == "Go to file":
            picker.set_rows(self._file_rows(folder, files), empty="No file of that name.")

    def _file_rows(self, folder: Path | None, files: list[Path]) -> list[PickRow]:
        opened = [document.path for document in self._documents.all if document.path]
        known = set(opened)
        paths = [*opened, *(path for path in files if path not in known)]
        return [PickRow(PickItem(str(path), path_below(path, folder) or str(path), icon="file")) for path in paths]
