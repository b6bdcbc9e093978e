"""A pane over a code editor that shows a proposal in another way, with the buttons for all of it at the top."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle
from redraft.core.wording import count_words
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.review.state import ReviewState
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, KeyButton, PlainLabel

HEIGHT: Final = 40


class PaneHeader(QWidget):
    """What the pane is, how much there is to decide, and the buttons for all of it."""

    accept_all = Signal()
    reject_all = Signal()
    close_wanted = Signal()

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._title = PlainLabel(theme, title, font="small", color="text.primary", weight=500)
        self._summary = PlainLabel(theme, font="small", color="text.secondary")
        self._added = PlainLabel(theme, font="small", color="diff.added.bar", weight=500)
        self._removed = PlainLabel(theme, font="small", color="diff.removed.bar", weight=500)
        self._reject = KeyButton(theme, "Reject all", style=ActionStyle.REJECT)
        self._accept = KeyButton(theme, "Accept all", style=ActionStyle.ACCEPT)
        self._close = IconButton(theme, "close", "Back to the text", key="Esc", side=24)
        self._reject.clicked.connect(self.reject_all)
        self._accept.clicked.connect(self.accept_all)
        self._close.clicked.connect(self.close_wanted)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 10, 0)
        layout.setSpacing(8)
        for label in (self._title, self._summary, self._added, self._removed):
            layout.addWidget(label)
        layout.addStretch(1)
        for button in (self._reject, self._accept, self._close):
            layout.addWidget(button)
        self.setFixedHeight(HEIGHT)

    def show_review(self, state: ReviewState) -> None:
        """Show what there is to decide."""
        added, removed = state.counts
        hunks = len(state.hunks)
        self._summary.set_text(count_words(hunks, "hunk"))
        self._added.set_text(f"+{added}")
        self._removed.set_text(f"−{removed}")
        fitting = sum(placed.can_accept for placed in state.hunks)
        self._accept.set_label(f"Accept all ({fitting})")
        self._accept.setEnabled(fitting > 0)
        self._accept.set_key(state.keys.accept_all)
        self._reject.set_key(state.keys.reject_all)
        self.setAccessibleName(f"{self._title.text()}, {state.summary}")

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        labels = (self._title, self._summary, self._added, self._removed)
        for part in (*labels, self._reject, self._accept, self._close):
            part.set_theme(theme)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("surface.2"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), self._theme.color("border.soft"))
        painter.end()


class ReviewPane(QWidget):
    """Covers an editor as long as it is shown; Esc closes it."""

    accept_wanted = Signal(int)
    reject_wanted = Signal(int)
    next_wanted = Signal()
    previous_wanted = Signal()
    accept_all = Signal()
    reject_all = Signal()
    close_wanted = Signal()

    def __init__(self, editor: CodeEditor, title: str) -> None:
        # Beside the editor, not in it: a scroll area raises its bars over whatever else is in it.
        super().__init__(editor.parentWidget() or editor)
        self.editor = editor
        self.header = PaneHeader(editor.theme, title, self)
        self.header.accept_all.connect(self.accept_all)
        self.header.reject_all.connect(self.reject_all)
        self.header.close_wanted.connect(self.close_wanted)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)
        self.body.addWidget(self.header)
        self.setAccessibleName(title)
        self.setAutoFillBackground(True)
        editor.installEventFilter(self)
        self._cover()

    def show_review(self, state: ReviewState) -> None:
        """Show a proposal as it is now."""
        self.header.show_review(state)

    def selected_part(self, _hunk_id: int) -> tuple[range, range] | None:
        """Old and new lines of the part of a hunk that is selected in the pane; `None` for all of it, or nothing."""
        return None

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self.header.set_theme(theme)
        self.update()

    def take_keyboard(self) -> None:
        """Give the keyboard to what there is to read."""
        self.setFocus()

    def watch_escape(self, widget: QWidget) -> None:
        """Let Esc in a part of the pane close it."""
        widget.installEventFilter(self)

    def _cover(self) -> None:
        self.setGeometry(self.editor.rect() if self.parentWidget() is self.editor else self.editor.geometry())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.editor:
            if event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
                self._cover()
            return False
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.close_wanted.emit()
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes back to the text; no other key reaches the editor below."""
        if event.key() == Qt.Key.Key_Escape:
            self.close_wanted.emit()
        event.accept()
