"""How far a text can be scrolled sideways: to the end of its longest line, and a little further."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from redraft.api.editor import TextChange
from redraft.qt.editor.limits import longest_line

if TYPE_CHECKING:
    from redraft.qt.editor.code_editor import CodeEditor

_RIGHT_AIR: Final = 48
"""Pixels one can scroll past the end of the longest line."""

_FIT_PAUSE: Final = 400
"""Milliseconds without a change before the view is fitted to a longest line that has become shorter."""

_MEASURED: Final = 2000
"""Characters of the longest line that are measured; the rest is taken to be as wide."""

_UNKNOWN: Final = -1


class ScrollExtent(QObject):
    """Follows the longest line of an editor; Scintilla's own tracking measures every row of annotations."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._longest = _UNKNOWN
        self._fit = QTimer(self, singleShot=True, interval=_FIT_PAUSE)
        self._fit.timeout.connect(self._on_fit)

    def reset(self, longest: str) -> None:
        """Another text is shown, of which this is the longest line."""
        self._longest = _UNKNOWN
        self._make_room(longest)

    def follow(self, change: TextChange, *, is_known: bool) -> None:
        """Take in a change; `is_known` where the longest line of what was added is told by `reset`."""
        editor = self._editor
        if len(change.removed) + editor.lineLength(self._line_at(change.start)) >= self._longest:
            self._fit.start()  # perhaps the longest line has become shorter
        if not is_known:
            self._make_room(longest_line(change.added))
        for line in {self._line_at(change.start), self._line_at(change.start + len(change.added))}:
            if editor.lineLength(line) > self._longest:  # what was put in may lengthen the lines at its ends
                self._make_room(bytes(editor.getLine(line).data()).decode("utf-8", "replace").rstrip("\r\n\0"))

    def _line_at(self, offset: int) -> int:
        return self._editor.lineFromPosition(self._editor.to_byte(offset))

    def _make_room(self, line: str) -> None:
        if len(line) > self._longest and not self._editor.limits.wraps:
            self._longest = len(line)
            measured = line[:_MEASURED].replace("\0", " ").expandtabs(8)
            width = self._editor.textWidth(0, measured) * len(line) // max(1, min(len(line), _MEASURED))
            self._editor.setScrollWidth(max(1, width + _RIGHT_AIR))

    def _on_fit(self) -> None:
        longest = longest_line(self._editor.plain_text())
        if len(longest) < self._longest:
            self.reset(longest)
