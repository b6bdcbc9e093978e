"""Tells whether Alt is held while the keyboard is in an editor."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

from redraft.qt.editor.code_editor import CodeEditor

_LEAVING = frozenset({QEvent.Type.FocusOut, QEvent.Type.WindowDeactivate, QEvent.Type.Hide})


class AltWatch(QObject):
    """Calls back when Alt goes down or up; leaving the editor counts as letting go."""

    def __init__(self, editor: CodeEditor, on_change: Callable[[bool], None]) -> None:
        super().__init__(editor)
        self._editor = editor
        self._on_change = on_change
        self.is_held = False
        editor.installEventFilter(self)

    def stop(self) -> None:
        """Watch no more."""
        self._editor.removeEventFilter(self)
        self.deleteLater()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Look at what the editor is about to see; it sees all of it."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Alt and not event.isAutoRepeat():
            if kind in {QEvent.Type.KeyPress, QEvent.Type.KeyRelease}:
                self._set(held=kind == QEvent.Type.KeyPress)
        elif kind in _LEAVING:
            self._set(held=False)
        return False

    def _set(self, *, held: bool) -> None:
        if held != self.is_held:
            self.is_held = held
            self._on_change(held)
