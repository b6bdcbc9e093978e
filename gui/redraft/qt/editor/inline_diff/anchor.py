"""Keeps a proposal's lines and the document's together: follows edits, undo and redo, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from redraft.core.diff.proposal import LineReplacement, Proposal
from redraft.core.text import TextEdit, TextRange, split_lines
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.raw import Message

UTF32: Final = 1


class ProposalAnchor:
    """Where a proposal's region is in a document.

    A revision here is the place in Scintilla's undo history, which comes back when the text does.
    """

    def __init__(self, editor: CodeEditor, proposal: Proposal) -> None:
        self._editor = editor
        self._proposal = proposal
        self._span = editor.track(self._region_range())
        proposal.remember(self.revision)

    @property
    def revision(self) -> int:
        """The place in the undo history."""
        return int(self._editor.send(Message.GetUndoCurrent))

    @property
    def range(self) -> TextRange:
        """The lines of the region, in offsets."""
        return self._whole_lines(self._span.range)

    def edits_of(self, replacements: Sequence[LineReplacement]) -> list[TextEdit]:
        """Replacements of lines, given from the last to the first, as edits of offsets."""
        return [
            TextEdit(self._lines_range(item.start, item.start + item.removed), "".join(item.lines))
            for item in replacements
        ]

    def settle(self) -> None:
        """The proposal and the document are as one again: take up the region's new place."""
        self._span.dispose()
        self._span = self._editor.track(self._region_range())
        self._proposal.remember(self.revision)

    def recall(self) -> bool:
        """Be as at this place of the undo history; whether that was known."""
        if not self._proposal.recall(self.revision):
            return False
        self._span.dispose()
        self._span = self._editor.track(self._region_range())
        return True

    def follow(self, *, by_history: bool) -> bool:
        """Take in what changed in the document; whether that was inside the region."""
        proposal, span = self._proposal, self._span
        region = self.range
        first = self._line_at(region.start)
        moved = first - proposal.first_line
        if moved > 0:
            proposal.apply_change(proposal.first_line, 0, [""] * moved, by_history=by_history)
        elif moved < 0:
            proposal.apply_change(first, -moved, [], by_history=by_history)
        if not by_history and not span.is_touched and region == span.range:
            proposal.remember(self.revision)
            return False
        before, after = proposal.current_lines, tuple(split_lines(self._text_of(region)))
        if before != after:
            for start, removed, added in changes_between(before, after):
                proposal.apply_change(first + start, removed, added, by_history=by_history)
        self.settle()
        return before != after

    def _region_range(self) -> TextRange:
        first = self._proposal.first_line
        return self._lines_range(first, first + len(self._proposal.current_lines))

    def _lines_range(self, first: int, end: int) -> TextRange:
        return TextRange(self._line_start(first), max(self._line_start(end), self._line_start(first)))

    def _line_start(self, line: int) -> int:
        editor = self._editor
        if line >= editor.lineCount():
            return editor.to_offset(editor.length())
        return int(editor.indexPositionFromLine(line, UTF32))

    def _line_at(self, offset: int) -> int:
        return int(self._editor.lineFromIndexPosition(offset, UTF32))

    def _whole_lines(self, span: TextRange) -> TextRange:
        """A range grown to whole lines where text was typed at its edges."""
        start = self._line_start(self._line_at(span.start))
        line = self._line_at(span.end)
        if self._line_start(line) == span.end and (span.end > start or span.is_empty):
            return TextRange(start, span.end)
        return TextRange(start, self._line_start(line + 1))

    def _text_of(self, region: TextRange) -> str:
        editor = self._editor
        start, end = editor.to_byte(region.start), editor.to_byte(region.end)
        return bytes(editor.get_text_range(start, end).data())[: end - start].decode("utf-8", "replace")


def changes_between(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, list[str]]]:
    """Replacements that make `after` of `before`, the last one first: start, lines removed, lines added."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if not old or not new or len(old) + len(new) > 2000:
        return [(head, len(old), list(new))]
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(head + i, j - i, list(new[k:m])) for tag, i, j, k, m in reversed(steps) if tag != "equal"]
