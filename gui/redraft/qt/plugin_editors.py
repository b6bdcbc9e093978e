"""The open files as plugins see them: adapters over documents, and who comes to the front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject

from redraft.api.disposable import Disposable, OnDispose
from redraft.api.editor import ScratchTab, TextEditor
from redraft.api.inline_diff import KeptProposal
from redraft.host.listeners import Listeners
from redraft.qt.documents.document import Document
from redraft.qt.workbench import Workbench


class ClosableEditor(TextEditor, Protocol):
    """A text editor that hears when its tab goes."""

    def close(self) -> None:
        """The tab goes."""
        ...


AdapterFactory = Callable[[Document], ClosableEditor]


class ScratchPlace:
    """A tab of a plugin (an `api.ScratchTab`)."""

    def __init__(self, workbench: Workbench, number: int, editor: TextEditor) -> None:
        self._bench = workbench
        self._number = number
        self._editor: TextEditor | None = editor
        editor.on_did_close(self._on_closed)

    @property
    def editor(self) -> TextEditor:
        """What is written in it.

        Raises:
            RuntimeError: The tab is closed.
        """
        if self._editor is None:
            raise RuntimeError("this tab is closed")
        return self._editor

    def dispose(self) -> None:
        """Close the tab."""
        document = self._bench.documents.of_number(self._number)
        if document is not None:
            self._bench.documents.close(document, ask=False)

    def _on_closed(self) -> None:
        # Plugins keep what they opened; a closed editor must not live as long as they do.
        self._editor = None


class EditorsService(QObject):
    """Implements `api.Editors`; one adapter per document, made on first use and kept while the document is open."""

    def __init__(self, workbench: Workbench, make_adapter: AdapterFactory) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._make_adapter = make_adapter
        self._adapters: dict[int, ClosableEditor] = {}
        self._listeners: Listeners[TextEditor | None] = Listeners()
        self._recoveries: Listeners[tuple[TextEditor, KeptProposal]] = Listeners()
        workbench.documents.active_changed.connect(self._on_active_changed)
        workbench.documents.removed.connect(self._on_removed)

    @property
    def active(self) -> TextEditor | None:
        """The one in front."""
        document = self._bench.documents.active
        return self.of(document) if document else None

    @property
    def all(self) -> Sequence[TextEditor]:
        """All of them, in the order of their tabs."""
        return [self.of(document) for document in self._bench.documents.all]

    @property
    def folder(self) -> Path | None:
        """The open folder, if there is one."""
        return self._bench.folder

    def of(self, document: Document) -> ClosableEditor:
        """The adapter of a document."""
        if document.number not in self._adapters:
            self._adapters[document.number] = self._make_adapter(document)
        return self._adapters[document.number]

    def open_scratch(self, title: str, text: str, language_id: str = "plaintext") -> ScratchTab:
        """Open a text in a tab beside the one in front."""
        document = self._bench.documents.new(text, title, language_id, is_scratch=True)
        return ScratchPlace(self._bench, document.number, self.of(document))

    def on_did_recover(self, callback: Callable[[TextEditor, KeptProposal], None]) -> Disposable:
        """Hear of proposals that outlived a crash."""
        return OnDispose(self._recoveries.add(lambda found: callback(*found)))

    def recover(self, document: Document, kept: KeptProposal) -> bool:
        """Hand a proposal to whoever takes such up; whether anybody does."""
        if self._recoveries.is_empty:
            return False
        self._recoveries.notify((self.of(document), kept))
        return True

    def on_did_change_active(self, callback: Callable[[TextEditor | None], None]) -> Disposable:
        """Hear that another file came to the front."""
        return OnDispose(self._listeners.add(callback))

    def _on_active_changed(self, document: Document | None) -> None:
        self._listeners.notify(self.of(document) if document else None)

    def _on_removed(self, document: Document) -> None:
        adapter = self._adapters.pop(document.number, None)
        if adapter is not None:
            adapter.close()
