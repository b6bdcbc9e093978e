"""Keeps unsaved texts safe from a crash, and offers those a crash left behind."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer

from redraft.core.errors import FileError
from redraft.core.recovery import Recovered, RecoveryJournal, UnsavedText
from redraft.core.text import TextEdit, TextRange
from redraft.qt.documents.document import Document
from redraft.qt.documents.store import Documents

DELAY = 1200
"""Milliseconds after a change until it is on disk; at most two seconds may be lost."""

LOG = logging.getLogger(__name__)
Proposals = Callable[[Document], Sequence[dict[str, Any]]]


class RecoveryKeeper(QObject):
    """Writes the journal a moment after each change of an unsaved text; `proposals` tells what is undecided."""

    def __init__(
        self,
        documents: Documents,
        journal: RecoveryJournal,
        proposals: Proposals = lambda _document: (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._documents = documents
        self._journal = journal
        self._proposals = proposals
        self._written: dict[int, tuple[int, Sequence[dict[str, Any]]]] = {}
        self._timer = QTimer(self, singleShot=True, interval=DELAY)
        self._timer.timeout.connect(self.write_now)
        documents.added.connect(self._on_added)
        documents.changed.connect(self._on_changed)
        documents.removed.connect(self._on_removed)

    def write_now(self) -> None:
        """Bring the journal up to date."""
        for document in self._documents.all:
            self._write(document)

    def stop(self) -> None:
        """The end, as it should be: everything was saved or given up."""
        self._timer.stop()
        self._journal.close()

    def recoverable(self) -> tuple[Recovered, ...]:
        """What a crash left behind."""
        return self._journal.recoverable()

    def discard(self, found: Sequence[Recovered]) -> None:
        """It is not wanted."""
        for recovered in found:
            self._journal.discard(recovered)

    def restore(self, found: Sequence[Recovered]) -> list[tuple[Document, Sequence[dict[str, Any]]]]:
        """Open what was left behind, unsaved as it was, and keep it in this journal from now on.

        Returns:
            Each document with the proposals that were undecided in it.
        """
        opened: list[tuple[Document, Sequence[dict[str, Any]]]] = []
        for recovered in found:
            document = self._open(recovered.unsaved)
            self._write(document)
            self._journal.discard(recovered)
            opened.append((document, recovered.unsaved.proposals))
        return opened

    def _open(self, unsaved: UnsavedText) -> Document:
        text = unsaved.text or ""
        if unsaved.path is None:
            return self._documents.new(text, unsaved.title, unsaved.language_id)
        document = self._documents.open(unsaved.path, create=True, wait=True)
        if document is None:  # its file cannot be read any more: the text comes back as a new one
            return self._documents.new(text, unsaved.title, unsaved.language_id)
        if unsaved.text is not None and unsaved.text != document.editor.plain_text():
            whole = TextRange(0, len(document.editor.plain_text()))
            document.editor.replace_ranges([TextEdit(whole, unsaved.text)])
            caret = min(unsaved.caret, len(unsaved.text))
            document.editor.select(TextRange(caret, caret))
        return document

    def _write(self, document: Document) -> None:
        proposals = self._proposals(document)
        if not document.is_modified and not proposals:
            if self._written.pop(document.number, None) is not None:
                self._journal.forget(str(document.number))
            return
        state = (document.editor.revision, proposals)
        if self._written.get(document.number) == state:
            return
        try:
            self._journal.write(_unsaved(document, proposals))
        except FileError as error:
            LOG.warning("unsaved text could not be kept for recovery: %s", error)
            return
        self._written[document.number] = state

    def _on_added(self, document: Document) -> None:
        document.editor.text_changed.connect(self._on_text_changed)

    def _on_changed(self, _document: Document) -> None:
        self._start()

    def _on_text_changed(self, _change: object) -> None:
        self._start()

    def _on_removed(self, document: Document) -> None:
        self._written.pop(document.number, None)
        self._journal.forget(str(document.number))

    def _start(self) -> None:
        # Not restarted by every key: a text that never rests must be kept too.
        if not self._timer.isActive():
            self._timer.start()


def _unsaved(document: Document, proposals: Sequence[dict[str, Any]]) -> UnsavedText:
    file = document.file
    return UnsavedText(
        buffer_id=str(document.number),
        title=document.title,
        path=document.path,
        text=document.editor.plain_text() if document.is_modified else None,
        disk_digest=file.stamp.digest if file is not None and file.stamp is not None else None,
        encoding=file.encoding if file else "utf-8",
        has_bom=file is not None and file.has_bom,
        language_id=document.editor.language_id,
        caret=document.editor.caret(),
        proposals=tuple(proposals),
    )


def has_changed_since(unsaved: UnsavedText, document: Document) -> bool:
    """Whether a document's file is another one than the text that was kept of it was based on."""
    stamp = document.file.stamp if document.file is not None else None
    is_other = unsaved.disk_digest is not None and (stamp is None or stamp.digest != unsaved.disk_digest)
    return is_other and unsaved.text is not None
