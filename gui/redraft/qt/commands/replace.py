"""The command that replaces words in all files of the folder: asked for, counted, and only then done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal

from redraft.api.ui import PickItem
from redraft.core import textfile
from redraft.core.errors import FileError, UsageError
from redraft.core.folder import path_below, walk_files
from redraft.core.folder_search import MOST_BYTES
from redraft.core.text import apply_edits
from redraft.core.textfile import TextFile
from redraft.core.wording import count_words
from redraft.qt.commands.search import query_of
from redraft.qt.editor.search import FindQuery, replacements
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.workbench import Workbench

ALL = ""
"""Id of the row that stands for every file."""

MOST_TOLD: Final = 3
"""Files that are named when they could not be written; of more, only the number is told."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A file that would change in so many places; `real` is where its path leads."""

    path: Path
    real: Path
    count: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be replaced by what."""

    query: FindQuery
    template: str

    def counts(self, files: Iterator[Path], unsaved: Mapping[Path, str]) -> Iterator[Hit]:
        """The files that would change; one that has several names counts once."""
        seen: set[Path] = set()
        for path in files:
            real = _real(path)
            if real in seen:
                continue
            seen.add(real)
            text = unsaved.get(real)
            if text is None:
                file = _read(path)
                text = file.text if file is not None else ""
            count = len(replacements(text, self.query, self.template, "\n"))
            if count:
                yield Hit(path, real, count)


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

    restored = Signal(object)
    """A worker's answer: what could not be taken back, and why."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="replace")
        self.restored.connect(self._say_faults, Qt.ConnectionType.QueuedConnection)
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
        documents = self._bench.documents.all
        unsaved = {_real(one.path): one.editor.plain_text() for one in documents if one.path}

        def count() -> None:
            # In the worker thread: only the signal leads back.
            try:
                self.counted.emit(wish, list(wish.counts(walk_files(folder, excluded=excluded), unsaved)))
            except UsageError as error:
                self.counted.emit(wish, error)

        self._pool.submit(count)

    def _on_counted(self, wish: Wish, found: Sequence[Hit] | UsageError) -> None:
        if isinstance(found, UsageError):
            self._bench.show_error(found)
            return
        words = f"Replace “{wish.query.text}” with “{wish.template}”"
        rows = [PickRow(PickItem(str(hit.path), self._name(hit.path), note=_places(hit.count))) for hit in found]
        if len(found) > 1:
            total = _places(sum(hit.count for hit in found))
            rows.insert(0, PickRow(PickItem(ALL, f"In all {len(found)} files", note=total, icon="check")))
        self._bench.window.picker.ask(
            Question(words, tuple(rows), empty="Nothing was found." if not rows else "No file of that name."),
            on_chosen=lambda chosen: self._replace(wish, [hit for hit in found if chosen in {ALL, str(hit.path)}]),
        )

    def _replace(self, wish: Wish, hits: Sequence[Hit]) -> None:
        opened = {_real(document.path): document for document in self._bench.documents.all if document.path}
        changed = 0
        for document in [opened[hit.real] for hit in hits if hit.real in opened]:
            editor = document.editor
            edits = replacements(editor.plain_text(), wish.query, wish.template, editor.line_end)
            if edits and editor.readOnly():
                self._bench.say(f"{document.title} is read-only, and stays as it is.")
            elif edits:
                editor.replace_ranges(edits)
                changed += 1
        closed = [hit.path for hit in hits if hit.real not in opened]
        self._pool.submit(lambda: self.written.emit(_write(wish, closed), changed))

    def _on_written(self, done: Written, changed: int) -> None:
        self._say_faults(done.faults)
        count = len(done.after) + changed
        words = f"Replaced in {count_words(count, 'file')}"
        words += f"; {changed} of them {'is' if changed == 1 else 'are'} open and not saved yet." if changed else "."
        if done.after:
            self._bench.say(words, action="Undo", on_action=lambda: self._take_back(done))
        elif changed:
            self._bench.say(words)

    def _take_back(self, done: Written) -> None:
        self._pool.submit(lambda: self.restored.emit(_restore(done)))

    def _say_faults(self, faults: Sequence[str]) -> None:
        for fault in faults[:MOST_TOLD]:
            self._bench.say(fault)
        if len(faults) > MOST_TOLD:
            self._bench.say(f"The same goes for {len(faults) - MOST_TOLD} more files.")

    def _name(self, path: Path) -> str:
        return path_below(path, self._bench.folder) or str(path)


def _write(wish: Wish, paths: Sequence[Path]) -> Written:
    before, after, faults = [], [], []
    for path in paths:
        try:
            file = textfile.load(path, max_bytes=MOST_BYTES)
            edits = replacements(file.text, wish.query, wish.template, file.line_end)
            if not edits:  # it was changed since they were counted
                continue
            saved = textfile.save(file.with_text(apply_edits(file.text, edits)))
        except FileError as error:
            faults.append(_with_name(path, error))
        else:
            before.append(file)
            after.append(saved)
    return Written(tuple(before), tuple(after), tuple(faults))


def _restore(done: Written) -> list[str]:
    """Write the former texts back, and tell where that cannot be: a file that was changed since stays as it is."""
    faults = []
    for file, saved in zip(done.before, done.after, strict=True):
        try:
            textfile.save(saved.with_text(file.text))
        except FileError as error:
            faults.append(f"Not taken back: {_with_name(file.path, error)}")
    return faults


def _with_name(path: Path, error: FileError) -> str:
    return str(error) if path.name in str(error) else f"{path.name}: {error}"


def _real(path: Path) -> Path:
    return Path(realpath(path))


def _read(path: Path) -> TextFile | None:
    """A file of text; files that are none, or cannot be read, were not meant."""
    try:
        return textfile.load(path, max_bytes=MOST_BYTES)
    except FileError:
        return None


def _places(count: int) -> str:
    return count_words(count, "place")
