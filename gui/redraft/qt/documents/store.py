"""All open files: which there are, which is in front, and how they are opened and closed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from redraft.core.errors import FileError
from redraft.core.text import Position, TextRange
from redraft.qt.dialogs.questions import Answer, Questions
from redraft.qt.documents.document import UNTITLED, Document
from redraft.qt.documents.large import LargeFiles
from redraft.qt.documents.reader import DocumentReader
from redraft.qt.documents.tab_order import TabOrder
from redraft.qt.documents.writer import DocumentWriter
from redraft.qt.editor.code_editor import CodeEditor

REMEMBERED = 30
"""Closed files that can be opened again."""


class Documents(QObject):
    """The open files in the order of their tabs; `reader` and `writer` see to what is on disk."""

    added = Signal(object)
    removed = Signal(object)
    active_changed = Signal(object)
    order_changed = Signal()
    changed = Signal(object)
    failed = Signal(str)
    """What went wrong with a file, as a sentence."""
    saved = Signal(object)

    def __init__(
        self, make_editor: Callable[[], CodeEditor], questions: Questions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make_editor = make_editor
        self._questions = questions
        self._order: TabOrder[Document] = TabOrder()
        self._closed: deque[Path] = deque(maxlen=REMEMBERED)
        self._next_number = 1
        self.large = LargeFiles(self)
        self.writer = DocumentWriter(self.large, questions, self.of_path, self)
        self.reader = DocumentReader(self.large, self.writer, questions, self)
        self.writer.saved.connect(self.saved)
        self.writer.failed.connect(self._on_failed)
        self.reader.failed.connect(self._on_failed)

    @property
    def all(self) -> Sequence[Document]:
        """In the order of the tabs."""
        return self._order.tabs

    @property
    def active(self) -> Document | None:
        """The one in front."""
        return self._order.active

    @property
    def before(self) -> Document | None:
        """The one that was in front before that."""
        return self._order.before

    @property
    def has_closed(self) -> bool:
        """Whether a file was closed that can be opened again."""
        return bool(self._closed)

    def of_path(self, path: Path) -> Document | None:
        """The open document of a file."""
        wanted = _real(path)
        return next((one for one in self.all if one.path and _real(one.path) == wanted), None)

    def of_number(self, number: int) -> Document | None:
        """The document with a number."""
        return next((one for one in self.all if one.number == number), None)

    def new(
        self, text: str = "", title: str = "", language_id: str = "plaintext", *, is_scratch: bool = False
    ) -> Document:
        """A new unsaved text, in front; a scratch is never asked about."""
        document = self._make()
        document.is_scratch = is_scratch
        document.show_untitled(title or self._free_title(), text, language_id)
        self._add(document)
        return document

    def open(
        self, path: Path, place: Position | None = None, *, create: bool = False, wait: bool = False
    ) -> Document | None:
        """Open a file, or bring it to the front; what goes wrong is said and changes nothing.

        A large file is read in the background: see `Document.when_loaded`.

        Args:
            path: The file.
            place: Where to put the caret.
            create: Begin a new file under that name where there is none.
            wait: Read a large file at once, too.
        """
        path = path.expanduser().absolute()
        document = self.of_path(path)
        if document is None and not wait and self.large.takes(path):
            document = self._open_large(path)
        elif document is None:
            file = self.reader.load(path, create=create)
            if file is None:
                return None
            document = self._reusable() or self._make()
            document.show_file(file)
            self._add(document)
        self.activate(document)
        if place is not None:
            target = document
            document.when_loaded(lambda: _go(target, place))
        return document

    def activate(self, document: Document) -> None:
        """Bring a document to the front."""
        if document is not self.active:
            self._order.activate(document)
            self.active_changed.emit(document)

    def step(self, steps: int) -> None:
        """Bring the next or previous tab to the front; after the last comes the first."""
        document = self._order.beside(steps)
        if document is not None:
            self.activate(document)

    def move(self, start: int, end: int) -> None:
        """Give a tab another place."""
        self._order.move(start, end)
        self.order_changed.emit()

    def save_all(self) -> bool:
        """Save everything that is unsaved; returns whether all went well."""
        unsaved = [document for document in self.all if document.is_modified and not self.writer.save(document)]
        return not unsaved

    def close(self, document: Document, *, ask: bool = True) -> bool:
        """Close a document, asking first if something is unsaved; returns whether it is closed."""
        if ask and not self._may_close([document]):
            return False
        self._remove(document)
        return True

    def close_many(self, documents: Sequence[Document]) -> bool:
        """Close several, asking once; returns whether they are closed."""
        if not self._may_close(documents):
            return False
        for document in list(documents):
            self._remove(document)
        return True

    def may_close_all(self) -> bool:
        """Ask what should become of unsaved texts, as before quitting; nothing is closed."""
        return self._may_close(self.all)

    def reopen_closed(self) -> None:
        """Open the file that was closed last."""
        if self._closed:
            self.open(self._closed.pop())

    def stop(self) -> None:
        """Finish what is being written; nothing is read after that."""
        self.large.stop()

    def _open_large(self, path: Path) -> Document:
        document = self._reusable() or self._make()
        document.await_file(path)
        self._add(document)
        self.reader.load_soon(
            document,
            path,
            is_open=lambda: document in self.all,
            on_failed=lambda: self._remove(document),
        )
        return document

    def _may_close(self, documents: Sequence[Document]) -> bool:
        for document in documents:
            self.writer.finish(document)
        unsaved = [document for document in documents if document.is_modified]
        pending = [document for document in documents if document.undecided or document.is_running]
        if pending and not self._questions.may_drop_proposals([document.title for document in pending]):
            return False
        if not unsaved:
            return True
        answer = self._questions.about_unsaved([document.title for document in unsaved])
        if answer is Answer.SAVE:
            return all(self.writer.save(document) for document in unsaved)
        return answer is Answer.DISCARD

    def _make(self) -> Document:
        document = Document(self._next_number, self._make_editor(), self.reader.policy, self)
        self._next_number += 1
        document.changed.connect(lambda: self.changed.emit(document))
        return document

    def _reusable(self) -> Document | None:
        """An untouched new text in front gives its place to the file that is opened."""
        return self.active if self.active is not None and self.active.is_empty_new else None

    def _add(self, document: Document) -> None:
        if document in self.all:
            return
        self._order.insert(document)
        self.added.emit(document)
        self.activate(document)

    def _remove(self, document: Document) -> None:
        self.writer.finish(document)
        was_active = document is self.active
        self._order.remove(document)
        if document.path is not None:
            self._closed.append(document.path)
        if was_active:
            self.active_changed.emit(self.active)
        self.removed.emit(document)
        document.deleteLater()

    def _free_title(self) -> str:
        taken = {document.title for document in self.all}
        titles = (UNTITLED if number == 1 else f"{UNTITLED} {number}" for number in range(1, len(taken) + 2))
        return next(title for title in titles if title not in taken)

    def _on_failed(self, error: FileError, path: Path) -> None:
        sentence = str(error)
        self.failed.emit(sentence if path.name in sentence else f"{path.name}: {sentence}")


def _go(document: Document, place: Position) -> None:
    # Not by `text_index`: of a large text that takes long to make.
    editor = document.editor
    line = min(place.line, editor.lineCount() - 1)
    start, end = editor.positionFromLine(line), editor.lineEndPosition(line)
    column = min(place.column, editor.countCharacters(start, end))
    offset = editor.to_offset(start) + column
    editor.select(TextRange(offset, offset))


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # a link that leads to itself
        return path.absolute()
