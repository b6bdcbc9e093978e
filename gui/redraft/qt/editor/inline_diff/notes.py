"""The quiet row under a decided hunk, for as long as the theme says: how to bring it back."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer

from redraft.api.inline_diff import HunkState
from redraft.qt.editor.annotation_rows import StyledRow
from redraft.qt.editor.annotations import AnnotationRegistry, RowOrder
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.looks import DiffLooks, Tint

NOTES: Final = {
    HunkState.ACCEPTED: ("accepted", "takes it back"),
    HunkState.REJECTED: ("rejected", "brings it back"),
}


def note_of(state: HunkState, undo: str) -> str:
    """What became of a hunk, and which key undoes that, if there is one."""
    done, undone = NOTES[state]
    return f"{done} · {undo} {undone}" if undo else done


class DecisionNotes(QObject):
    """Notes of one overlay; each goes by itself, or when its decision is undone."""

    def __init__(self, editor: CodeEditor, registry: AnnotationRegistry, owner: str) -> None:
        super().__init__(editor)
        self._editor = editor
        self._registry = registry
        self._owner = f"{owner}-note"
        self._timers: dict[int, QTimer] = {}
        self._texts: dict[int, str] = {}

    @property
    def is_empty(self) -> bool:
        """Whether no note is on screen."""
        return not self._timers

    def show(self, hunk_id: int, line: int, note: str, looks: DiffLooks) -> None:
        """Stand below a line for a while."""
        self.take_back(hunk_id)
        indent = " " * self._editor.lineIndentation(line)
        text = self._texts[hunk_id] = f"{indent}{note}"
        self._registry.set_rows(self._name(hunk_id), line, (note_row(text, looks),), RowOrder.NOTE)
        timer = QTimer(self, singleShot=True, interval=looks.theme.motion("stub"))
        timer.timeout.connect(lambda: self.take_back(hunk_id))
        timer.start()
        self._timers[hunk_id] = timer

    def restyle(self, looks: DiffLooks) -> None:
        """Draw in another theme."""
        for hunk_id, text in self._texts.items():
            for line in self._registry.lines_of(self._name(hunk_id)):
                self._registry.set_rows(self._name(hunk_id), line, (note_row(text, looks),), RowOrder.NOTE)

    def take_back(self, hunk_id: int) -> None:
        """Remove a note."""
        self._texts.pop(hunk_id, None)
        timer = self._timers.pop(hunk_id, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()
            self._registry.clear(self._name(hunk_id))

    def clear(self) -> None:
        """Remove all notes."""
        for hunk_id in list(self._timers):
            self.take_back(hunk_id)

    def _name(self, hunk_id: int) -> str:
        return f"{self._owner}-{hunk_id}"


def note_row(text: str, looks: DiffLooks) -> StyledRow:
    """A quiet row of text."""
    return StyledRow(text, ((len(text), looks.look(looks.note, Tint.PLAIN)),))
