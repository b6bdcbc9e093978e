"""The command that replaces words in all files of the folder: asked for, counted, and only then done."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from redraft.api.ui import PickItem
from redraft.core import textfile
from redraft.core.errors import FileError, UsageError
from redraft.core.folder import path_below, walk_files
from redraft.core.folder_search import MOST_BYTES
from redraft.core.text import apply_edits
from redraft.core.textfile import TextFile
from redraft.qt.commands.search import query_of
from redraft.qt.editor.search import FindQuery, replacements
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.workbench import Workbench

ALL = ""
"""Id of the row that stands for every file."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be replaced by what."""

    query: FindQuery
    template: str

    def counts(self, files: Iterator[Path], unsaved: Mapping[Path, str]) -> Iterator[tuple[Path, int]]:
        """The files that would change, each with its number of places."""
        for path in files:
            text = unsaved.get(path)
            if text is None:
                file = _read(path)
                text = file.text if file is not None else ""
            count = len(replacements(text, self.query, self.template, "\n"))
            if count:
                yield path, count


@dataclass(frozen=True, slots=True)
class Written:
    """What was done to files that are not open; `before` and `after` go together."""

    before: tuple[TextFile, ...] = ()
    after: tuple[TextFile, ...] = ()
    faults: tuple[str, ...] = ()


class ReplaceCommands(QObject):
    """The handler of `edit.replace_in_files`.

    Files that are open change in their tabs, as one step to undo, and are not saved; the others are written, each
    whole, and one click takes that back. Reading and writing happen in a worker thread.
    """

    counted = Signal(object, object)
    """A worker's answer: the wish, and the files with their numbers of places, or what is wrong with it."""

    written = Signal(object, int)
    """A worker's answer: `Written`, and how many open files changed besides."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="replace")
        self.counted.connect(self._on_counted, Qt.ConnectionType.QueuedConnection)
        self.written.connect(self._on_written, Qt.ConnectionType.QueuedConnection)

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        return {"edit.replace_in_files": self.replace_in_files}

    def replace_in_files(self) -> None:
        """Ask for the words and for what takes their place, and tell how much that would change."""
        document = self._bench.documents.active
        words = document.editor.selection().of(document.editor.plain_text()) if document else ""
        text = "" if "\n" in words or "\r" in words else words
        words = "Replace in files: what? A capital letter minds the case, /…/ is a regular expression"
        question = Question(words, text=text, answer_text=True)
        self._bench.window.picker.ask(question, on_text=self._ask_replacement)

    def stop(self) -> None:
        """End the worker; what is being written is written."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _ask_replacement(self, words: str) -> None:
        if not words:
            return
        query = query_of(words)
        try:
            query.compiled()
        except UsageError as error:
            self._bench.show_error(error)
            return
        self._bench.window.picker.ask(
            Question(f"Replace “{words}” with", answer_text=True), on_text=lambda new: self._count(Wish(query, new))
        )

    def _count(self, wish: Wish) -> None:
        folder, excluded = self._bench.folder, self._bench.folder_model.excluded
        if folder is None:
            return
        unsaved = {one.path: one.editor.plain_text() for one in self._bench.documents.all if one.path}

        def count() -> None:
            # In the worker thread: only the signal leads back.
            try:
                self.counted.emit(wish, list(wish.counts(walk_files(folder, excluded=excluded), unsaved)))
            except UsageError as error:
                self.counted.emit(wish, error)

        self._pool.submit(count)

    def _on_counted(self, wish: Wish, found: Sequence[tuple[Path, int]] | UsageError) -> None:
        if isinstance(found, UsageError):
            self._bench.show_error(found)
            return
        words = f"Replace “{wish.query.text}” with “{wish.template}”"
        rows = [PickRow(PickItem(str(path), self._name(path), note=_places(count))) for path, count in found]
        if len(found) > 1:
            total = _places(sum(count for _, count in found))
            rows.insert(0, PickRow(PickItem(ALL, f"In all {len(found)} files", note=total, icon="check")))
        self._bench.window.picker.ask(
            Question(words, tuple(rows), empty="Nothing was found." if not rows else "No file of that name."),
            on_chosen=lambda chosen: self._replace(wish, [path for path, _ in found if chosen in {ALL, str(path)}]),
        )

    def _replace(self, wish: Wish, paths: Collection[Path]) -> None:
        opened = {document.path: document for document in self._bench.documents.all if document.path in paths}
        changed = 0
        for document in opened.values():
            editor = document.editor
            edits = replacements(editor.plain_text(), wish.query, wish.template, editor.line_end)
            if edits and not editor.readOnly():
                editor.replace_ranges(edits)
                changed += 1
        closed = [path for path in paths if path not in opened]
        self._pool.submit(lambda: self.written.emit(_write(wish, closed), changed))

    def _on_written(self, done: Written, changed: int) -> None:
        for fault in done.faults:
            self._bench.say(fault)
        count = len(done.after) + changed
        words = f"Replaced in {count} {'file' if count == 1 else 'files'}"
        words += f"; {changed} of them {'is' if changed == 1 else 'are'} open and not saved yet." if changed else "."
        if done.after:
            self._bench.say(words, action="Undo", on_action=lambda: self._take_back(done))
        elif changed:
            self._bench.say(words)

    def _take_back(self, done: Written) -> None:
        self._pool.submit(_restore, done)

    def _name(self, path: Path) -> str:
        return path_below(path, self._bench.folder) or str(path)


def _write(wish: Wish, paths: Sequence[Path]) -> Written:
    before, after, faults = [], [], []
    for path in paths:
        try:
            file = textfile.load(path, max_bytes=MOST_BYTES)
            edits = replacements(file.text, wish.query, wish.template, file.line_end)
            saved = textfile.save(file.with_text(apply_edits(file.text, edits)))
        except FileError as error:
            faults.append(str(error))
        else:
            before.append(file)
            after.append(saved)
    return Written(tuple(before), tuple(after), tuple(faults))


def _restore(done: Written) -> None:
    """Write the former texts back; a file that was changed since stays as it is."""
    for file, saved in zip(done.before, done.after, strict=True):
        try:
            textfile.save(saved.with_text(file.text))
        except FileError:
            continue


def _read(path: Path) -> TextFile | None:
    """A file of text; files that are none, or cannot be read, were not meant."""
    try:
        return textfile.load(path, max_bytes=MOST_BYTES)
    except FileError:
        return None


def _places(count: int) -> str:
    return f"{count} {'place' if count == 1 else 'places'}"
