"""Keeps the line that is being written in view, as long as the user has not scrolled away from it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton

BELOW: Final = 4
"""Rows kept below the line being written."""
AIR: Final = 14
MOVES: Final = frozenset({
    QEvent.Type.Wheel, QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseMove,
})  # fmt: skip
"""What a user scrolls with."""


class StreamFollower(QObject):
    """Scrolls along with the frontier; once the user has scrolled it out of view, a chip offers to go back."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._frontier: int | None = None
        self._is_following = True
        self._has_begun = False
        self._top = 0
        self._moved = QTimer(self, singleShot=True, interval=0)
        self._moved.timeout.connect(self._on_user_moved)
        self.chip = KeyButton(editor.theme, "Follow", icon="next_hunk", parent=editor.viewport())
        self.chip.setAccessibleName("Follow the writing")
        self.chip.clicked.connect(self.follow)
        self.chip.hide()
        self._watched = (editor, editor.viewport(), editor.verticalScrollBar())
        for widget in self._watched:
            widget.installEventFilter(self)
        editor.view_changed.connect(self._place_chip)

    def show(self, frontier: int | None, key: str) -> None:
        """Follow to a line not reached yet; `None` is the end of the writing."""
        if self._moved.isActive():  # the user scrolled just now: that counts before what comes
            self._moved.stop()
            self._on_user_moved()
        self._frontier = frontier
        self.chip.set_key(key)
        if frontier is not None and not self._has_begun:
            self._has_begun = True
            self._is_following = self._is_in_view(frontier)
        if frontier is not None and self._is_following:
            self._scroll_to(frontier)
        self._place_chip()

    def follow(self) -> None:
        """Go to the line being written, and stay with it."""
        self._is_following = True
        if self._frontier is not None:
            self._scroll_to(self._frontier)
        self._place_chip()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self.chip.set_theme(theme)

    def close(self) -> None:
        """The proposal is gone."""
        self._editor.view_changed.disconnect(self._place_chip)
        self._moved.stop()
        for widget in self._watched:
            widget.removeEventFilter(self)
        self.chip.hide()
        self.chip.deleteLater()
        self.deleteLater()

    def _row_of(self, line: int) -> int:
        """The row right above a line: that is where the writing goes on."""
        return max(self._editor.visibleFromDocLine(line) - 1, 0)

    def _is_in_view(self, line: int) -> bool:
        row = self._row_of(line) - self._editor.firstVisibleLine()
        return 0 <= row < self._editor.linesOnScreen()

    def _scroll_to(self, line: int) -> None:
        editor = self._editor
        row, top, rows = self._row_of(line), editor.firstVisibleLine(), editor.linesOnScreen()
        if row < top or row + BELOW >= top + rows:
            editor.setFirstVisibleLine(max(row - rows + BELOW + 1, 0) if row >= top else max(row - BELOW, 0))

    def _on_user_moved(self) -> None:
        if self._frontier is not None and self._editor.firstVisibleLine() != self._top:
            self._is_following = self._is_in_view(self._frontier)
            self._place_chip()

    def _place_chip(self) -> None:
        frontier, viewport = self._frontier, self._editor.viewport()
        is_shown = frontier is not None and not self._is_following and not self._is_in_view(frontier)
        if is_shown and frontier is not None:
            is_above = self._row_of(frontier) < self._editor.firstVisibleLine()
            self.chip.set_icon("previous_hunk" if is_above else "next_hunk")
            size = self.chip.sizeHint()
            x, y = (viewport.width() - size.width()) // 2, viewport.height() - size.height() - AIR
            self.chip.setGeometry(x, y, size.width(), size.height())
            self.chip.raise_()
        self.chip.setVisible(is_shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What the user does may scroll; what is written may not be mistaken for it."""
        if event.type() in MOVES and not self._moved.isActive():
            self._top = self._editor.firstVisibleLine()
            self._moved.start()
        return False
