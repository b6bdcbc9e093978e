"""Commands that look for something: the symbols of a file, and words in all files of the folder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from redraft.api.ui import PickItem
from redraft.core.errors import UsageError
from redraft.core.folder import path_below, walk_files
from redraft.core.folder_search import FileMatch, search_files
from redraft.core.symbols import Symbol, symbols_of
from redraft.core.text import TextRange
from redraft.qt.documents.document import Document
from redraft.qt.editor.search import FindQuery
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.workbench import Workbench

MOST: Final = 500
"""Matches after which a search in files ends."""

AT_ONCE: Final = 40
"""Matches that are handed over together."""

PAUSE: Final = 180
"""Milliseconds without a key before the folder is searched."""


class SearchCommands(QObject):
    """Handlers of `go.symbol` and `edit.find_in_files`; reading and searching happen in a worker thread."""

    parsed = Signal(int, object)
    """A worker's answer: the document's number, and its symbols."""

    found = Signal(int, object)
    """A worker's answer: which search, and some more matches; `None` at its end."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="search")
        self._cancelled = threading.Event()
        self._search = 0
        self._words = ""
        self._matches: list[FileMatch] = []
        self._is_fresh = False
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._on_pause)
        self.parsed.connect(self._on_parsed, Qt.ConnectionType.QueuedConnection)
        self.found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)
        workbench.window.picker.closed.connect(self._cancel)

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        return {"go.symbol": self.symbol, "edit.find_in_files": self.find_in_files}

    def symbol(self) -> None:
        """List the functions, classes or headings of the file in front; the one around the caret is highlighted."""
        document = self._bench.documents.active
        if document is not None:
            self._pool.submit(self._parse, document.number, document.editor.plain_text(), document.editor.language_id)

    def find_in_files(self) -> None:
        """Look for words in all files of the folder while they are typed; a capital letter minds the case."""
        selected = self._selected_words()
        if selected:
            self._words = selected
        self._bench.window.picker.ask(
            Question("Find in files", text=self._words, is_live=True, empty=self._empty_words()),
            on_chosen=self._open_match,
            on_typed=self._on_typed,
        )
        self._on_typed(self._words)

    def stop(self) -> None:
        """End the worker."""
        self._cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _parse(self, number: int, text: str, language_id: str) -> None:
        # In the worker thread: only the signal leads back.
        self.parsed.emit(number, symbols_of(text, language_id))

    def _on_parsed(self, number: int, symbols: Sequence[Symbol]) -> None:
        document = self._bench.documents.active
        if document is None or document.number != number:
            return
        editor = document.editor
        index, caret = editor.text_index(), editor.caret()
        end = len(index.text)
        rows = tuple(
            PickRow(
                PickItem(
                    f"{min(symbol.range.start, end)}",
                    symbol.name,
                    symbol.container,
                    note=f"{symbol.kind}  {index.line_at(min(symbol.range.start, end)) + 1}",
                )
            )
            for symbol in symbols
        )
        around = [symbol for symbol in symbols if symbol.range.start <= caret < symbol.range.end]
        current = f"{around[-1].range.start}" if around else ""
        empty = "No symbol of that name." if symbols else "This file has no symbols that are known."
        self._bench.window.picker.ask(
            Question("Go to symbol", rows, current=current, empty=empty),
            on_chosen=lambda start: self._show(document, TextRange(int(start), int(start))),
        )

    def _selected_words(self) -> str:
        document = self._bench.documents.active
        selected = document.editor.selection().of(document.editor.plain_text()) if document else ""
        return "" if "\n" in selected or "\r" in selected else selected

    def _empty_words(self) -> str:
        return "Type what to look for; a capital letter minds the case, /…/ is a regular expression."

    def _on_typed(self, words: str) -> None:
        self._cancel()
        self._words = words
        if words.strip():
            self._pause.start()
        else:
            self._matches = []
            self._bench.window.picker.set_rows((), empty=self._empty_words())

    def _cancel(self) -> None:
        self._pause.stop()
        self._cancelled.set()
        self._search += 1

    def _on_pause(self) -> None:
        folder, picker = self._bench.folder, self._bench.window.picker
        if folder is None:
            return
        try:
            pattern = query_of(self._words).compiled()
        except UsageError as error:
            picker.set_rows((), empty=str(error))
            return
        if not picker.shown_ids:
            picker.set_rows((), empty="Searching …")
        unsaved = {
            document.path: document.editor.plain_text()
            for document in self._bench.documents.all
            if document.path and document.is_modified
        }
        self._is_fresh = True
        excluded, number = self._bench.folder_model.excluded, self._search
        cancelled = self._cancelled = threading.Event()

        def search() -> None:
            # In the worker thread: only the signal leads back.
            matches = search_files(walk_files(folder, excluded=excluded), pattern, unsaved, limit=MOST)
            while not cancelled.is_set() and (some := list(islice(matches, AT_ONCE))):
                self.found.emit(number, some)
            self.found.emit(number, None)

        self._pool.submit(search)

    def _on_found(self, number: int, matches: list[FileMatch] | None) -> None:
        if number != self._search:
            return
        if self._is_fresh:  # until now, what the words before had found was still on screen
            self._matches, self._is_fresh = [], False
        self._matches += matches or []
        if matches is not None or not self._matches:
            rows = [_row(place, match, self._bench.folder) for place, match in enumerate(self._matches)]
            self._bench.window.picker.set_rows(rows, empty="Nothing was found.")

    def _open_match(self, place: str) -> None:
        match = self._matches[int(place)]
        document = self._bench.documents.open(match.path)
        if document is not None:
            document.when_loaded(lambda: self._show(document, match.span))

    def _show(self, document: Document, span: TextRange) -> None:
        # What was found may have been cut off since.
        end = len(document.editor.plain_text())
        document.editor.select(TextRange(min(span.start, end), min(span.end, end)))
        document.editor.focus_text()


def query_of(words: str) -> FindQuery:
    """What is looked for by words typed into one line; between slashes they are an expression."""
    is_expression = len(words) > 2 and words[0] == words[-1] == "/"
    text = words[1:-1] if is_expression else words
    return FindQuery(text, matches_case=text != text.lower(), is_expression=is_expression)


def _row(place: int, match: FileMatch, folder: Path | None) -> PickRow:
    path = path_below(match.path, folder) or match.path
    item = PickItem(str(place), match.line, note=f"{path}:{match.row + 1}")
    return PickRow(item, matched=tuple(match.marked), is_code=True)
