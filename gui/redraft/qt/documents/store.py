"""All open files: which there are, which is in front, and how they are opened, saved and closed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from redraft.core import textfile
from redraft.core.diff.merge import merge_lines
from redraft.core.errors import ChangedOnDisk, FileError, FileMissing
from redraft.core.text import Position, TextRange, split_lines
from redraft.core.textfile import TextFile
from redraft.qt.dialogs.questions import Answer, Questions
from redraft.qt.documents.document import UNTITLED, Document
from redraft.qt.documents.large import LargeFiles, ReadFile
from redraft.qt.documents.policy import FilePolicy
from redraft.qt.editor.code_editor import CodeEditor

REMEMBERED = 30


class Documents(QObject):
    """The open files in the order of their tabs."""

    added = Signal(object)
    removed = Signal(object)
    active_changed = Signal(object)
    order_changed = Signal()
    changed = Signal(object)
    failed = Signal(str)
    saved = Signal(object)

    def __init__(
        self, make_editor: Callable[[], CodeEditor], questions: Questions, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make_editor = make_editor
        self._questions = questions
        self._documents: list[Document] = []
        self._active: Document | None = None
        self._recently_active: list[Document] = []
        self._closed: deque[Path] = deque(maxlen=REMEMBERED)
        self._next_number = 1
        self.large = LargeFiles(self)
        self._writes: dict[Document, Callable[[], None]] = {}
        self.policy = FilePolicy()

    @property
    def all(self) -> Sequence[Document]:
        """In the order of the tabs."""
        return self._documents

    @property
    def active(self) -> Document | None:
        """The one in front."""
        return self._active

    @property
    def has_closed(self) -> bool:
        """Whether a file was closed that can be opened again."""
        return bool(self._closed)

    def of_path(self, path: Path) -> Document | None:
        """The open document of a file."""
        wanted = _real(path)
        return next((one for one in self._documents if one.path and _real(one.path) == wanted), None)

    def of_number(self, number: int) -> Document | None:
        """The document with a number."""
        return next((one for one in self._documents if one.number == number), None)

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
            file = self._load(path, create=create)
            if file is None:
                return None
            document = self._reusable() or self._make()
            document.show_file(file)
            if document not in self._documents:
                self._add(document)
        self.activate(document)
        if place is not None:
            target = document
            document.when_loaded(lambda: self._go(target, place))
        return document

    def activate(self, document: Document) -> None:
        """Bring a document to the front."""
        if document is not self._active:
            self._active = document
            self._recently_active = [document, *(one for one in self._recently_active if one is not document)]
            self.active_changed.emit(document)

    def step(self, steps: int) -> None:
        """Bring the next or previous tab to the front; after the last comes the first."""
        if self._active is not None:
            place = self._documents.index(self._active)
            self.activate(self._documents[(place + steps) % len(self._documents)])

    def move(self, start: int, end: int) -> None:
        """Give a tab another place."""
        self._documents.insert(end, self._documents.pop(start))
        self.order_changed.emit()

    def save_soon(self, document: Document) -> None:
        """Save a document as `save` does, a large one in the background: one can go on writing meanwhile."""
        if document.path is None or document.editor.length() < self.large.threshold:
            self.save(document)
        elif document not in self._writes and not document.is_loading:
            document.apply_style_on_save()
            self._write_large(document)

    def save(self, document: Document) -> bool:
        """Save a document; asks for a name where it has none. Returns whether it is saved."""
        self._finish_writing(document)
        if document.is_loading:
            return False
        if document.path is None:
            return self.save_as(document)
        document.apply_style_on_save()
        return self._write(document, document.content())

    def save_quietly(self, document: Document) -> bool:
        """Save a document that has a path, unless that needs an answer; nobody is asked and nothing is said.

        Lines are not trimmed: whoever is writing would lose the blanks before the caret.
        """
        if document.is_loading or document in self._writes:
            return False
        try:
            written = textfile.save(document.content())
        except FileError:
            return False
        document.mark_saved(written)
        self.saved.emit(document)
        return True

    def save_as(self, document: Document, path: Path | None = None) -> bool:
        """Save a document under another name."""
        self._finish_writing(document)
        target = None if document.is_loading else path or self._questions.path_to_save(document.path, document.title)
        if target is None:
            return False
        other = self.of_path(target)
        if other is not None and other is not document:
            self.failed.emit(f"{target.name} is open in another tab. Close that first, or choose another name.")
            return False
        document.apply_style_on_save()
        # The file dialog has asked already whether an existing file may be replaced.
        return self._write(document, document.content(target), overwrite=path is None and target != document.path)

    def save_all(self) -> bool:
        """Save everything that is unsaved; returns whether all went well."""
        unsaved = [document for document in self._documents if document.is_modified and not self.save(document)]
        return not unsaved

    def revert(self, document: Document) -> None:
        """Read a file anew, after asking if that loses something."""
        if document.path is None or document.is_loading:
            return
        if document.is_modified and not self._questions.may_discard(document.title):
            return
        self.reload(document)

    def reload(self, document: Document, encoding: str | None = None) -> bool:
        """Read a file anew; caret and scrolling stay where they were."""
        self._finish_writing(document)
        if document.path is None or document.is_loading:
            return False
        try:
            file = textfile.load(document.path, encoding=encoding, max_bytes=self.policy.max_bytes)
        except FileError as error:
            self._fail(error, document.path)
            return False
        document.show_file(file, keep_place=True)
        return True

    def take_in(self, document: Document) -> bool:
        """Take in what another program wrote, line by line, so that proposals over the other lines stay where they are.

        The text must be as it was last read or saved. Undo brings that back, unsaved.
        """
        if document.path is None:
            return False
        try:
            file = textfile.load(document.path, max_bytes=self.policy.max_bytes)
        except FileError as error:
            self._fail(error, document.path)
            return False
        document.take_in(file)
        return True

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
        return self._may_close(self._documents)

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
        if document not in self._documents:
            self._add(document)

        def on_read(result: ReadFile | FileError) -> None:
            if document not in self._documents:  # closed meanwhile
                return
            if isinstance(result, ReadFile):
                self.large.fill(self._filling(document, result))
            else:
                self._fail(result, path)
                self._remove(document)

        self.large.read(path, self.policy.max_bytes, on_read)
        return document

    def _filling(self, document: Document, read: ReadFile) -> Iterator[None]:
        steps = document.show_awaited(read.file, read.limits)
        while document in self._documents and next(steps, self) is not self:
            yield

    def _write_large(self, document: Document, *, overwrite: bool = False) -> None:
        file, revision = document.content(), document.editor.revision

        def on_written(result: TextFile | FileError) -> None:
            del self._writes[document]
            document.is_saving = False
            if isinstance(result, TextFile):
                document.mark_saved(result, is_current=document.editor.revision == revision)
                self.saved.emit(document)
                return
            self.changed.emit(document)
            if not isinstance(result, ChangedOnDisk):
                self._fail(result, file.path)
            elif self._questions.may_overwrite(file.path):
                self._write_large(document, overwrite=True)

        self._writes[document] = self.large.write(file, on_written, overwrite=overwrite)
        document.is_saving = True
        self.changed.emit(document)

    def _finish_writing(self, document: Document) -> None:
        """Wait for a document that is being written: what comes next must not get in its way."""
        while document in self._writes:
            self._writes[document]()

    def _load(self, path: Path, *, create: bool) -> TextFile | None:
        try:
            return textfile.load(path, max_bytes=self.policy.max_bytes)
        except FileMissing as error:
            if create and path.parent.is_dir():
                return TextFile(path, line_end=self.policy.line_end)
            self._fail(error, path)
        except FileError as error:
            self._fail(error, path)
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

    def _write(self, document: Document, file: TextFile, *, overwrite: bool = False) -> bool:
        try:
            written = textfile.save(file, overwrite=overwrite)
        except ChangedOnDisk:
            if not self._questions.may_overwrite(file.path):
                return False
            return self._write(document, file, overwrite=True)
        except FileError as error:
            self._fail(error, file.path)
            return False
        document.mark_saved(written)
        self.saved.emit(document)
        return True

    def _fail(self, error: FileError, path: Path) -> None:
        sentence = str(error)
        self.failed.emit(sentence if path.name in sentence else f"{path.name}: {sentence}")

    def _may_close(self, documents: Sequence[Document]) -> bool:
        for document in documents:
            self._finish_writing(document)
        unsaved = [document for document in documents if document.is_modified]
        pending = [document for document in documents if document.undecided or document.is_running]
        if pending and not self._questions.may_drop_proposals([document.title for document in pending]):
            return False
        if not unsaved:
            return True
        answer = self._questions.about_unsaved([document.title for document in unsaved])
        if answer is Answer.SAVE:
            return all(self.save(document) for document in unsaved)
        return answer is Answer.DISCARD

    def _make(self) -> Document:
        document = Document(self._next_number, self._make_editor(), self.policy, self)
        self._next_number += 1
        document.changed.connect(lambda: self.changed.emit(document))
        return document

    def _reusable(self) -> Document | None:
        """An untouched new text in front gives its place to the file that is opened."""
        return self._active if self._active is not None and self._active.is_empty_new else None

    def _add(self, document: Document) -> None:
        place = self._documents.index(self._active) + 1 if self._active in self._documents else len(self._documents)
        self._documents.insert(place, document)
        self.added.emit(document)
        self.activate(document)

    def _remove(self, document: Document) -> None:
        self._finish_writing(document)
        place = self._documents.index(document)
        self._documents.remove(document)
        self._recently_active = [one for one in self._recently_active if one is not document]
        if document.path is not None:
            self._closed.append(document.path)
        if document is self._active:
            self._active = None
            heir = self._recently_active[0] if self._recently_active else None
            if heir is None and self._documents:
                heir = self._documents[min(place, len(self._documents) - 1)]
            if heir is not None:
                self.activate(heir)
            else:
                self.active_changed.emit(None)
        self.removed.emit(document)
        document.deleteLater()

    def _free_title(self) -> str:
        taken = {document.title for document in self._documents}
        titles = (UNTITLED if number == 1 else f"{UNTITLED} {number}" for number in range(1, len(taken) + 2))
        return next(title for title in titles if title not in taken)

    def _go(self, document: Document, place: Position) -> None:
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
    except OSError:
        return path.absolute()
