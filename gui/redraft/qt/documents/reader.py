"""Reads the files of documents, at first and again when other programs wrote them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from redraft.core import textfile
from redraft.core.diff.merge import merge_lines
from redraft.core.errors import FileError, FileMissing
from redraft.core.text import split_lines
from redraft.core.textfile import TextFile
from redraft.qt.dialogs.questions import Questions
from redraft.qt.documents.document import Document
from redraft.qt.documents.large import LargeFiles, ReadFile
from redraft.qt.documents.policy import FilePolicy
from redraft.qt.documents.writer import DocumentWriter


class DocumentReader(QObject):
    """Brings files into documents; what goes wrong is told by `failed` and changes nothing."""

    failed = Signal(object, object)
    """A `FileError`, and the `Path` it is about."""

    def __init__(self, large: LargeFiles, writer: DocumentWriter, questions: Questions, parent: QObject) -> None:
        super().__init__(parent)
        self.policy = FilePolicy()
        self._large = large
        self._writer = writer
        self._questions = questions

    def load(self, path: Path, *, create: bool) -> TextFile | None:
        """Read a file; where there is none, begin a new one under that name if that is wanted."""
        try:
            return textfile.load(path, max_bytes=self.policy.max_bytes)
        except FileMissing as error:
            if create and path.parent.is_dir():
                return TextFile(path, line_end=self.policy.line_end)
            self.failed.emit(error, path)
        except FileError as error:
            self.failed.emit(error, path)
        return None

    def load_soon(
        self, document: Document, path: Path, *, is_open: Callable[[], bool], on_failed: Callable[[], None]
    ) -> None:
        """Read a large file in the background into the document that awaits it, as long as that is open."""

        def on_read(result: ReadFile | FileError) -> None:
            if not is_open():  # closed meanwhile
                return
            if isinstance(result, ReadFile):
                self._large.fill(_while_open(document.show_awaited(result.file, result.limits), is_open))
            else:
                self.failed.emit(result, path)
                on_failed()

        self._large.read(path, self.policy.max_bytes, on_read)

    def revert(self, document: Document) -> None:
        """Read a file anew, after asking if that loses something."""
        if document.path is None or document.is_loading:
            return
        if document.is_modified and not self._questions.may_discard(document.title):
            return
        self.reload(document)

    def reload(self, document: Document, encoding: str | None = None) -> bool:
        """Read a file anew; caret and scrolling stay where they were."""
        self._writer.finish(document)
        if document.path is None or document.is_loading:
            return False
        file = self._load(document.path, encoding)
        if file is not None:
            document.show_file(file, keep_place=True)
        return file is not None

    def take_in(self, document: Document) -> bool:
        """Take in what another program wrote, line by line, so that proposals over the other lines stay where they are.

        The text must be as it was last read or saved. Undo brings that back, unsaved.
        """
        file = self._load(document.path) if document.path is not None else None
        if file is not None:
            document.take_in(file)
        return file is not None

    def can_merge(self, document: Document) -> bool:
        """Whether unsaved changes and what another program wrote lie apart."""
        return self._merged(document) is not None

    def merge(self, document: Document) -> bool:
        """Put unsaved changes and those of another program together, as one undo step; nothing is saved."""
        merged = self._merged(document)
        if merged is None:
            return False
        document.merge(*merged)
        return True

    def _load(self, path: Path, encoding: str | None = None) -> TextFile | None:
        """A file as it is now; what keeps it from being read is told."""
        try:
            return textfile.load(path, encoding=encoding, max_bytes=self.policy.max_bytes)
        except FileError as error:
            self.failed.emit(error, path)
            return None

    def _merged(self, document: Document) -> tuple[TextFile, str] | None:
        """The file as it is now, and its text with the unsaved changes in it."""
        if document.path is None or document.file is None:
            return None
        try:
            theirs = textfile.load(document.path, max_bytes=self.policy.max_bytes)
        except FileError:
            return None
        sides = (document.file.text, document.editor.plain_text(), theirs.text)
        lines = merge_lines(*(split_lines(text) for text in sides))
        return None if lines is None else (theirs, "".join(lines))


def _while_open(steps: Iterator[None], is_open: Callable[[], bool]) -> Iterator[None]:
    while is_open() and next(steps, steps) is not steps:
        yield
