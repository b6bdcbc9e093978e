"""The open folder as a flat list of visible rows; folders are read when they are opened, by a worker thread."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QFileSystemWatcher,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from redraft.core.errors import FileError
from redraft.core.folder import FolderEntry, Ignores, excluding, list_folder

AnyIndex = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole
SETTLE = 150
"""Milliseconds between a change on disk and reading the folder again: tools write many files at once."""


@dataclass(frozen=True, slots=True)
class FolderRow:
    """One visible row."""

    entry: FolderEntry
    depth: int
    is_open: bool = False


class FolderModel(QAbstractListModel):
    """Visible rows of the tree; `toggle` opens and closes folders."""

    failed = Signal(str)
    listed = Signal(object, object)
    """A worker's answer: folder, and entries or an error."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root: Path | None = None
        self._rows: list[FolderRow] = []
        self._open: set[Path] = set()
        self._patterns: tuple[str, ...] = ()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="folder")
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(self._on_directory_changed)
        self._stale: set[Path] = set()
        self._settle = QTimer(self, singleShot=True, interval=SETTLE)
        self._settle.timeout.connect(self._on_settled)
        self.listed.connect(self._on_listed, Qt.ConnectionType.QueuedConnection)

    @property
    def root(self) -> Path | None:
        """The folder shown."""
        return self._root

    @property
    def excluded(self) -> Ignores:
        """What the user does not want to see below the folder shown."""
        return excluding(self._root, self._patterns) if self._root is not None else ()

    @property
    def rows(self) -> list[FolderRow]:
        """The visible rows from top to bottom."""
        return self._rows

    @property
    def open_folders(self) -> set[Path]:
        """The folders that are open, to be remembered."""
        return set(self._open)

    def set_root(self, root: Path | None, open_folders: set[Path] | None = None) -> None:
        """Show another folder, or none."""
        self.beginResetModel()
        self._root, self._rows = root, []
        self._open = set(open_folders or ())
        self.endResetModel()
        watched = self._watcher.directories()
        if watched:
            self._watcher.removePaths(watched)
        if root is not None:
            self._request(root)

    def set_excluded(self, patterns: Sequence[str]) -> None:
        """Leave out what fits these patterns, as in `.gitignore`."""
        if tuple(patterns) != self._patterns:
            self._patterns = tuple(patterns)
            self.set_root(self._root, self._open)

    def toggle(self, row: int) -> None:
        """Open or close the folder in a row."""
        entry = self._rows[row].entry
        if not entry.is_folder:
            return
        if self._rows[row].is_open:
            self._close(row)
        else:
            self._open_row(row)

    def within(self, path: Path) -> Path:
        """A file's path as it is written below the folder shown, where links lead elsewhere."""
        if self._root is None or path.is_relative_to(self._root):
            return path
        resolved = path.resolve()
        return resolved if resolved.is_relative_to(self._root) else path

    def open_down_to(self, path: Path) -> None:
        """Open the folders above a file; those whose rows are not there yet open as they appear."""
        if self._root is None or not path.is_relative_to(self._root):
            return
        above = [folder for folder in path.parents if folder != self._root and folder.is_relative_to(self._root)]
        self._open.update(above)
        for folder in reversed(above):
            row = self.row_of(folder)
            if row is not None and not self._rows[row].is_open:
                self._open_row(row)

    def row_of(self, path: Path) -> int | None:
        """Where a file is shown, if it is."""
        return next((row for row, shown in enumerate(self._rows) if shown.entry.path == path), None)

    def parent_row(self, row: int) -> int | None:
        """The row of the folder that a row lies in."""
        depth = self._rows[row].depth
        return next((above for above in range(row - 1, -1, -1) if self._rows[above].depth < depth), None)

    def stop(self) -> None:
        """End the worker, and wait for it: a signal sent by a model that is gone would write into freed memory."""
        self._root = None
        self._settle.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.entry.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = ("open folder" if row.is_open else "closed folder") if row.entry.is_folder else "file"
            return f"{row.entry.name}, {state}, level {row.depth + 1}"
        return None

    def _request(self, folder: Path) -> None:
        self._pool.submit(self._list, folder, self.excluded)

    def _list(self, folder: Path, excluded: Ignores) -> None:
        # In the worker thread: only the signal leads back.
        try:
            self.listed.emit(folder, list_folder(folder, excluded))
        except FileError as error:
            self.listed.emit(folder, error)

    def _on_listed(self, folder: Path, answer: tuple[FolderEntry, ...] | FileError) -> None:
        if self._root is None:
            return
        if isinstance(answer, FileError):
            self._open.discard(folder)
            self.failed.emit(str(answer))
            return
        place = self._place_of(folder)
        if place is None:
            return
        row, depth = place
        fresh = [FolderRow(entry, depth) for entry in answer]
        if [shown.entry for shown in self._children(row, depth)] != list(answer):
            self._replace_children(row, depth, fresh)
        if str(folder) not in self._watcher.directories():
            self._watcher.addPath(str(folder))

    def _place_of(self, folder: Path) -> tuple[int, int] | None:
        """The row above a folder's children, and their depth."""
        if folder == self._root:
            return -1, 0
        row = self.row_of(folder)
        if row is None or not self._rows[row].is_open:
            return None
        return row, self._rows[row].depth + 1

    def _end_of_children(self, row: int, depth: int) -> int:
        end = row + 1
        while end < len(self._rows) and self._rows[end].depth >= depth:
            end += 1
        return end

    def _children(self, row: int, depth: int) -> list[FolderRow]:
        return [shown for shown in self._rows[row + 1 : self._end_of_children(row, depth)] if shown.depth == depth]

    def _replace_children(self, row: int, depth: int, fresh: list[FolderRow]) -> None:
        self._remove(row + 1, self._end_of_children(row, depth))
        if fresh:
            self.beginInsertRows(QModelIndex(), row + 1, row + len(fresh))
            self._rows[row + 1 : row + 1] = fresh
            self.endInsertRows()
        for shown in fresh:
            if shown.entry.path in self._open:
                place = self.row_of(shown.entry.path)
                if place is not None:
                    self._set_row(place, is_open=True)
                    self._request(shown.entry.path)

    def _open_row(self, row: int) -> None:
        folder = self._rows[row].entry.path
        self._open.add(folder)
        self._set_row(row, is_open=True)
        self._request(folder)

    def _close(self, row: int) -> None:
        shown = self._rows[row]
        self._open.discard(shown.entry.path)
        self._remove(row + 1, self._end_of_children(row, shown.depth + 1))
        self._set_row(row, is_open=False)
        self._watcher.removePath(str(shown.entry.path))

    def _remove(self, first: int, end: int) -> None:
        if end > first:
            self.beginRemoveRows(QModelIndex(), first, end - 1)
            del self._rows[first:end]
            self.endRemoveRows()

    def _set_row(self, row: int, *, is_open: bool) -> None:
        shown = self._rows[row]
        self._rows[row] = FolderRow(shown.entry, shown.depth, is_open)
        index = self.index(row)
        self.dataChanged.emit(index, index)

    def _on_directory_changed(self, folder: str) -> None:
        if self._root is not None:
            self._stale.add(Path(folder))
            self._settle.start()

    def _on_settled(self) -> None:
        stale, self._stale = self._stale, set()
        for folder in stale:
            self._request(folder)
