"""Saves by itself, where the user wants that: after a pause, or when the window loses the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from redraft.qt.documents.document import Document
from redraft.qt.documents.store import Documents

DELAY = 1500
"""Milliseconds without a change until a file is saved."""

NEVER, ON_FOCUS_CHANGE, AFTER_DELAY = "never", "on_focus_change", "after_delay"


class AutoSave(QObject):
    """Writes modified files that have a path; whoever would have to be asked something is left alone.

    The buffer never holds a proposal, so none is ever written.
    """

    def __init__(self, documents: Documents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self._mode = NEVER
        self._timer = QTimer(self, singleShot=True, interval=DELAY)
        self._timer.timeout.connect(self.save_now)
        documents.added.connect(self._on_added)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_state_changed)

    def set_mode(self, mode: str) -> None:
        """When to save: `"never"`, `"on_focus_change"` or `"after_delay"`."""
        self._mode = mode
        self._timer.stop()

    def save_now(self) -> None:
        """Save what can be saved without a question."""
        for document in self._documents.all:
            if document.is_modified and document.path is not None and not document.editor.readOnly():
                self._documents.writer.save_quietly(document)

    def _on_added(self, document: Document) -> None:
        document.editor.text_changed.connect(self._on_text_changed)

    def _on_text_changed(self, _change: object) -> None:
        if self._mode == AFTER_DELAY:
            self._timer.start()

    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        if self._mode == ON_FOCUS_CHANGE and state != Qt.ApplicationState.ApplicationActive:
            self.save_now()
