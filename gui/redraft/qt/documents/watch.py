"""Notices what other programs do to open files: reads clean ones anew, and asks about the others."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from redraft.api.prompt_block import Tone
from redraft.core import textfile
from redraft.core.errors import FileError
from redraft.core.textfile import DiskState
from redraft.qt.documents.document import Document
from redraft.qt.documents.store import Documents
from redraft.qt.frame.notice_bar import Notice

SETTLE = 120
"""Milliseconds between a change and looking at it: programs write in several steps."""

CHANGED = Notice(
    "This file was changed by another program, and you have unsaved changes.",
    Tone.WARN,
    (("compare", "Compare"), ("reload", "Reload"), ("keep", "Keep mine")),
)
MERGEABLE = Notice(
    "This file was changed by another program, in other lines than your unsaved changes.",
    Tone.WARN,
    (("compare", "Compare"), ("reload", "Reload"), ("keep", "Keep mine"), ("merge", "Merge both")),
)
GONE = Notice(
    "This file was removed or renamed by another program; your text is still here.",
    Tone.WARN,
    (("close", "Close"), ("save", "Save it again")),
)


class DiskWatch(QObject):
    """Watches the files of all documents; `noticed` says what to show over one (or nothing)."""

    noticed = Signal(object, object)
    """A document, and a `Notice` or `None`."""

    reloaded = Signal(object)

    def __init__(self, documents: Documents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self._stale: set[str] = set()
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_file_changed)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE)
        self._settle.timeout.connect(self._on_settled)
        documents.added.connect(self._on_changed)
        documents.changed.connect(self._on_changed)
        documents.saved.connect(self._on_saved)
        documents.removed.connect(self._on_removed)

    def check_all(self) -> None:
        """Look at every file, as when the window comes back to the front."""
        for document in list(self._documents.all):
            self.check(document)

    def check(self, document: Document) -> None:
        """Compare one file with what is on disk, and act on it."""
        if document.file is None or document.file.stamp is None or document.is_saving:
            return
        try:
            state = textfile.disk_state(document.file)
        except FileError:
            return
        if state is DiskState.SAME:
            self.noticed.emit(document, None)
        elif state is DiskState.GONE:
            self.noticed.emit(document, GONE)
        elif document.is_modified:
            self.noticed.emit(document, MERGEABLE if self._documents.reader.can_merge(document) else CHANGED)
        elif document.undecided or document.is_running:
            if self._documents.reader.take_in(document):
                self.noticed.emit(document, None)
        elif self._documents.reader.reload(document):
            self.noticed.emit(document, None)
            self.reloaded.emit(document)

    def keep_mine(self, document: Document) -> None:
        """The text on screen wins: the next save overwrites without asking again."""
        if document.path is None:
            return
        try:
            document.take_stamp(textfile.load(document.path))
        except FileError:
            return
        self.noticed.emit(document, None)

    def _watch(self, document: Document) -> None:
        path = str(document.path) if document.path else ""
        if path and path not in self._watcher.files() and Path(path).exists():
            self._watcher.addPath(path)

    def _on_changed(self, document: Document) -> None:
        self._watch(document)

    def _on_saved(self, document: Document) -> None:
        self._watch(document)
        self.noticed.emit(document, None)

    def _on_removed(self, document: Document) -> None:
        if document.path is not None and str(document.path) in self._watcher.files():
            self._watcher.removePath(str(document.path))

    def _on_file_changed(self, path: str) -> None:
        self._stale.add(path)
        self._settle.start()

    def _on_settled(self) -> None:
        stale, self._stale = self._stale, set()
        for document in list(self._documents.all):
            if str(document.path) in stale:
                self._watch(document)  # a file that was replaced whole is a new one to the watcher
                self.check(document)
