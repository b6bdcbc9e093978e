"""Writes documents to their files: asked or quietly, at once or in the background."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from redraft.core import textfile
from redraft.core.errors import ChangedOnDisk, FileError
from redraft.core.textfile import TextFile
from redraft.qt.dialogs.questions import Questions
from redraft.qt.documents.document import Document
from redraft.qt.documents.large import LargeFiles


class DocumentWriter(QObject):
    """Saves documents; what goes wrong is told by `failed` and leaves file and document as they were."""

    saved = Signal(object)
    failed = Signal(object, object)
    """A `FileError`, and the `Path` it is about."""

    def __init__(
        self,
        large: LargeFiles,
        questions: Questions,
        document_of: Callable[[Path], Document | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._large = large
        self._questions = questions
        self._document_of = document_of
        self._under_way: dict[Document, Callable[[], None]] = {}
        """What is being written in the background, each with the call that waits for it."""

    def save(self, document: Document) -> bool:
        """Save a document; asks for a name where it has none. Returns whether it is saved."""
        self.finish(document)
        if document.is_loading:
            return False
        if document.path is None:
            return self.save_as(document)
        document.apply_style_on_save()
        return self._write(document, document.content())

    def save_soon(self, document: Document) -> None:
        """Save a document as `save` does, a large one in the background: one can go on writing meanwhile."""
        if document.path is None or document.editor.length() < self._large.threshold:
            self.save(document)
        elif document not in self._under_way and not document.is_loading:
            document.apply_style_on_save()
            self._write_soon(document)

    def save_quietly(self, document: Document) -> bool:
        """Save a document that has a path, unless that needs an answer; nobody is asked and nothing is said.

        Lines are not trimmed: whoever is writing would lose the blanks before the caret.
        """
        if document.is_loading or document in self._under_way:
            return False
        try:
            written = textfile.save(document.content())
        except FileError:
            return False
        self._mark_saved(document, written)
        return True

    def save_as(self, document: Document, path: Path | None = None) -> bool:
        """Save a document under another name, asking for it where none is given."""
        self.finish(document)
        target = None if document.is_loading else path or self._questions.path_to_save(document.path, document.title)
        if target is None:
            return False
        if self._document_of(target) not in {None, document}:
            sentence = f"{target.name} is open in another tab. Close that first, or choose another name."
            self.failed.emit(FileError(sentence), target)
            return False
        document.apply_style_on_save()
        # The file dialog has asked already whether an existing file may be replaced.
        return self._write(document, document.content(target), overwrite=path is None and target != document.path)

    def finish(self, document: Document) -> None:
        """Wait for a document that is being written: what comes next must not get in its way."""
        while document in self._under_way:
            self._under_way[document]()

    def _write(self, document: Document, file: TextFile, *, overwrite: bool = False) -> bool:
        try:
            written = textfile.save(file, overwrite=overwrite)
        except ChangedOnDisk:
            if not self._questions.may_overwrite(file.path):
                return False
            return self._write(document, file, overwrite=True)
        except FileError as error:
            self.failed.emit(error, file.path)
            return False
        self._mark_saved(document, written)
        return True

    def _write_soon(self, document: Document, *, overwrite: bool = False) -> None:
        file, revision = document.content(), document.editor.revision

        def on_written(result: TextFile | FileError) -> None:
            del self._under_way[document]
            document.set_saving(is_saving=False)
            if isinstance(result, TextFile):
                self._mark_saved(document, result, is_current=document.editor.revision == revision)
            elif not isinstance(result, ChangedOnDisk):
                self.failed.emit(result, file.path)
            elif self._questions.may_overwrite(file.path):
                self._write_soon(document, overwrite=True)

        self._under_way[document] = self._large.write(file, on_written, overwrite=overwrite)
        document.set_saving(is_saving=True)

    def _mark_saved(self, document: Document, file: TextFile, *, is_current: bool = True) -> None:
        document.mark_saved(file, is_current=is_current)
        self.saved.emit(document)
