"""The lines an edit is about, followed through all that is typed around them."""

from __future__ import annotations

from dataclasses import replace

from redraft.api.editor import TextEditor
from redraft.core.text import TextIndex, TextRange
from redraft_inline_edit.request import Target, target_for


class Place:
    """Where an edit's lines are now; what is typed elsewhere moves them."""

    def __init__(self, editor: TextEditor, target: Target) -> None:
        self._editor = editor
        self._target = target
        self._tracked = editor.track(target.lines)

    @property
    def lines(self) -> TextRange:
        """Where its lines are now."""
        return self._tracked.range

    @property
    def whole_lines(self) -> TextRange:
        """Its lines, whole again where the user has typed at their edges."""
        lines, text = self.lines, self._editor.text
        if not lines.is_empty:
            return target_for(text, lines).lines
        index = TextIndex(text)
        start = index.line_starts[index.line_at(lines.start)]
        return lines if lines.start == len(text) else TextRange(start, start)

    @property
    def target(self) -> Target:
        """Its lines as a target."""
        return replace(self._target, lines=self.whole_lines)

    @property
    def text(self) -> str:
        """What stands in its whole lines."""
        return self.whole_lines.of(self._editor.text)

    def meets(self, selection: TextRange) -> bool:
        """Whether a selection or caret touches its lines."""
        lines = self.lines
        return selection.start <= max(lines.end - 1, lines.start) and selection.end >= lines.start

    def unselect(self) -> None:
        """Take the selection off its lines, so that a proposal is seen in its own colours."""
        selection, lines = self._editor.selection, self.lines
        if not selection.is_empty and lines.start <= selection.start and selection.end <= lines.end:
            self._editor.select(TextRange(lines.start, lines.start), reveal=False)

    def dispose(self) -> None:
        """Follow the lines no longer."""
        self._tracked.dispose()
