"""Where the caret has been: the way back, and forward again, over all files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from redraft.api.editor import TextChange
from redraft.core.text import TextRange
from redraft.qt.documents.document import Document
from redraft.qt.documents.store import Documents
from redraft.qt.editor.tracked import TrackedSpan

NEAR: Final = 10
"""Lines within which a move of the caret is no journey."""

REMEMBERED: Final = 100


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file; while the file is open it moves along with its text."""

    number: int
    path: Path | None
    span: TrackedSpan

    @property
    def offset(self) -> int:
        """Where it is now."""
        return self.span.range.start


class PlaceHistory(QObject):
    """Watches the caret and remembers the places it left for others that are far away."""

    changed = Signal()

    def __init__(self, documents: Documents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self._back: list[Place] = []
        self._forward: list[Place] = []
        self._here: Place | None = None
        self._last_edit: Place | None = None
        # The caret of a file that comes to the front is often moved at once: only where it comes to rest counts.
        self._rest = QTimer(self, singleShot=True, interval=0)
        self._rest.timeout.connect(self._on_rest)
        documents.added.connect(self._on_added)
        documents.active_changed.connect(self._on_moved)

    @property
    def here(self) -> Place | None:
        """Where the caret came to rest last."""
        return self._here

    @property
    def can_go_back(self) -> bool:
        """Whether there is an earlier place."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a later place."""
        return bool(self._forward)

    def back(self) -> None:
        """Go to the place before this one."""
        self._travel(self._back, self._forward)

    def forward(self) -> None:
        """Go to the place that was left by going back."""
        self._travel(self._forward, self._back)

    def last_edit(self) -> None:
        """Go to where the text was changed last."""
        if self._last_edit is not None:
            self._go(self._last_edit)

    def _travel(self, source: list[Place], target: list[Place]) -> None:
        self._on_rest()
        while source:
            place = source.pop()
            left = self._here
            if self._go(place):
                if left is not None:
                    target.append(left)
                self._here = place
                break
        self.changed.emit()

    def _go(self, place: Place) -> bool:
        document = self._documents.of_number(place.number)
        if document is None and place.path is not None:
            document = self._documents.open(place.path)
        if document is None:
            return False
        self._documents.activate(document)
        document.when_loaded(lambda: self._show(document, place))
        return True

    def _show(self, document: Document, place: Place) -> None:
        offset = min(place.offset, len(document.editor.plain_text()))
        document.editor.select(TextRange(offset, offset))
        document.editor.focus_text()

    def _on_added(self, document: Document) -> None:
        document.editor.selection_changed.connect(self._on_moved)
        document.editor.text_changed.connect(self._edits_of(document))

    def _edits_of(self, document: Document) -> Callable[[TextChange], None]:
        def note(change: TextChange) -> None:
            if not change.is_from_disk:
                self._last_edit = _place(document, change.start + len(change.added))

        return note

    def _on_moved(self, *_: object) -> None:
        self._rest.start()

    def _on_rest(self) -> None:
        self._rest.stop()
        document = self._documents.active
        if document is None:
            return
        here, left = _place(document, document.editor.caret()), self._here
        self._here = here
        if left is not None and self._is_far(left, here, document):
            self._back.append(left)
            del self._back[:-REMEMBERED]
            self._forward.clear()
            self.changed.emit()

    def _is_far(self, left: Place, here: Place, document: Document) -> bool:
        if left.number != here.number:
            return left.path is not None or self._documents.of_number(left.number) is not None
        lines = [document.editor.lineFromPosition(document.editor.to_byte(place.offset)) for place in (left, here)]
        return abs(lines[0] - lines[1]) >= NEAR


def _place(document: Document, offset: int) -> Place:
    return Place(document.number, document.path, document.editor.track(TextRange(offset, offset)))
