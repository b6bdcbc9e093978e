"""Commands about files: open, save, close, and where they are."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from redraft.api.ui import PickItem
from redraft.qt.documents.document import Document
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.workbench import Workbench

ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("utf-8-sig", "UTF-8 with BOM"),
    ("utf-16-le", "UTF-16 LE"),
    ("utf-16-be", "UTF-16 BE"),
    ("cp1252", "Western (Windows 1252)"),
    ("iso8859-15", "Western (ISO 8859-15)"),
    ("iso8859-2", "Central European (ISO 8859-2)"),
    ("cp1250", "Central European (Windows 1250)"),
    ("cp1251", "Cyrillic (Windows 1251)"),
    ("koi8-r", "Cyrillic (KOI8-R)"),
    ("cp1253", "Greek (Windows 1253)"),
    ("cp1254", "Turkish (Windows 1254)"),
    ("cp1255", "Hebrew (Windows 1255)"),
    ("cp1256", "Arabic (Windows 1256)"),
    ("shift_jis", "Japanese (Shift JIS)"),
    ("euc_jp", "Japanese (EUC-JP)"),
    ("gb18030", "Chinese (GB 18030)"),
    ("big5", "Chinese (Big5)"),
    ("euc_kr", "Korean (EUC-KR)"),
)


class FileCommands:
    """Handlers of `file.*`."""

    def __init__(self, workbench: Workbench) -> None:
        self._bench = workbench
        self._documents = workbench.documents

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        return {
            "file.new": self._documents.new,
            "file.open": self.open,
            "file.open_folder": self.open_folder,
            "file.reopen_closed": self._documents.reopen_closed,
            "file.save": lambda: self._with_active(self._documents.writer.save_soon),
            "file.save_as": lambda: self._with_active(self._documents.writer.save_as),
            "file.save_all": self._documents.save_all,
            "file.revert": lambda: self._with_active(self._documents.reader.revert),
            "file.reopen_with_encoding": self.reopen_with_encoding,
            "file.save_with_encoding": self.save_with_encoding,
            "file.copy_path": lambda: self._with_path(self.copy_path),
            "file.reveal": lambda: self._with_path(self.reveal),
            "file.close": lambda: self._with_active(self._documents.close),
            "file.close_others": lambda: self._with_active(self.close_others),
            "file.close_all": lambda: self._documents.close_many(self._documents.all),
            "file.close_folder": lambda: self._bench.open_folder(None),
            "file.quit": self._bench.quit_wanted.emit,
        }

    def open(self) -> None:
        """Ask for files and open them."""
        active = self._documents.active
        start = active.path.parent if active and active.path else self._bench.folder
        for path in self._bench.questions.paths_to_open(start):
            self._documents.open(path)

    def open_folder(self) -> None:
        """Ask for a folder and open it."""
        folder = self._bench.questions.folder_to_open(self._bench.folder)
        if folder is not None:
            self._bench.open_folder(folder)

    def reopen_with_encoding(self) -> None:
        """Ask for an encoding and read the file anew with it."""

        def reopen(document: Document, encoding: str) -> None:
            if not document.is_modified or self._bench.questions.may_discard(document.title):
                self._documents.reader.reload(document, encoding)

        self._ask_encoding("Reopen with encoding", reopen)

    def save_with_encoding(self) -> None:
        """Ask for an encoding and write the file in it."""

        def save(document: Document, encoding: str) -> None:
            has_bom = encoding == "utf-8-sig"
            if document.path is None and not self._documents.writer.save_as(document):
                return
            document.set_encoding("utf-8" if has_bom else encoding, has_bom=has_bom)
            self._documents.writer.save(document)

        self._ask_encoding("Save with encoding", save)

    def copy_path(self, path: Path) -> None:
        """Put the path on the clipboard."""
        QGuiApplication.clipboard().setText(str(path))

    def reveal(self, path: Path) -> None:
        """Show the folder of a file in the file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))

    def close_others(self, document: Document) -> None:
        """Close all other files."""
        self._documents.close_many([other for other in self._documents.all if other is not document])

    def _ask_encoding(self, title: str, then: Callable[[Document, str], None]) -> None:
        document = self._documents.active
        if document is None:
            return
        current = codecs.lookup(document.file.encoding).name if document.file else "utf-8"
        rows = tuple(PickRow(PickItem(name, label, note=name)) for name, label in ENCODINGS)
        question = Question(title, rows, current=current)
        self._bench.window.picker.ask(question, on_chosen=lambda name: then(document, name))

    def _with_active(self, action: Callable[[Document], object]) -> None:
        if self._documents.active is not None:
            action(self._documents.active)

    def _with_path(self, action: Callable[[Path], object]) -> None:
        document = self._documents.active
        if document is not None and document.path is not None:
            action(document.path)
