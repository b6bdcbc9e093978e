"""A predicted edit on screen: it follows the text, and shows itself as the caret and the view allow.

    ghost   an insertion at the caret: its text, where it would stand
    diff    any other edit in view: what goes and what comes
    away    an edit out of view or in another file: a pill that says where
    hidden  while text is selected, an input method composes, or Alt is not held for a subtle one

Nothing enters the buffer but by `accept`, `accept_word` and `accept_line`, each of which is one undo step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from typing import Final

from PySide6.QtCore import QPoint

from redraft.api.editor import TextChange
from redraft.api.prediction import (
    PredictionClosed,
    PredictionEnd,
    PredictionEvent,
    PredictionKeys,
    PredictionModel,
    PredictionTaken,
)
from redraft.core.diff.graphemes import boundary_after
from redraft.core.diff.predicted import PredictedEdit, at_caret, follow
from redraft.core.text import TextEdit, TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.prediction.alt_watch import AltWatch
from redraft.qt.editor.prediction.ghost import GhostDrawing
from redraft.qt.editor.prediction.hint import KeyHint
from redraft.qt.editor.prediction.pill import FarEditPill, PillModel
from redraft.qt.editor.prediction.small_diff import SmallDiff, placed_hunk

WORD: Final = re.compile(r"\s*(?:\w+|[^\w\s]+|$)")
LETTERS: Final = re.compile(r"\w+")
LINE: Final = re.compile(r"(?:\r\n|\n|\r)?[^\r\n]*")
SUMMARY: Final = 60
"""Characters of the changed line that a pill shows."""


class Shape(Enum):
    """How a prediction is on screen."""

    GHOST = "ghost"
    DIFF = "diff"
    AWAY = "away"
    HIDDEN = "hidden"


class PredictionView:
    """Implements `api.PredictionHandle` over a code editor."""

    def __init__(
        self,
        editor: CodeEditor,
        model: PredictionModel,
        on_event: Callable[[PredictionEvent], None],
        on_gone: Callable[[PredictionView], None],
    ) -> None:
        self._editor = editor
        self._model = model
        self._edits = tuple(model.edits)
        self._on_event = on_event
        self._on_gone = on_gone
        self._theme = editor.theme
        self._shape = Shape.HIDDEN
        self._is_busy = False
        self._is_taking = False
        self._is_gone = False
        self._ghost = GhostDrawing(editor)
        self._diff = SmallDiff(editor)
        self.hint = KeyHint(editor)
        self.pill = FarEditPill(editor)
        self.pill.clicked.connect(self.accept)
        self._alt = AltWatch(editor, self._on_alt) if model.subtle else None
        editor.text_changed.connect(self._on_text_changed)
        editor.view_changed.connect(self._on_view_changed)
        editor.selection_changed.connect(self._refresh)
        editor.composition_changed.connect(self._refresh)
        self._refresh()

    @property
    def edits(self) -> Sequence[PredictedEdit]:
        """What is left of it, in terms of the text as it is now."""
        return self._edits

    @property
    def shape(self) -> Shape:
        """How it is on screen."""
        return self._shape

    @property
    def is_visible(self) -> bool:
        """Whether it is on screen now."""
        return self._shape is not Shape.HIDDEN

    @property
    def is_at_caret(self) -> bool:
        """Whether it is an insertion at the caret, of which parts can be taken."""
        return self._shape is Shape.GHOST

    @property
    def takes_tab(self) -> bool:
        """Whether Tab is for it: in a line's indentation that key indents, but where the prediction goes on there."""
        if not self.is_visible:
            return False
        _, before, _ = self._editor.line_around(self._editor.caret())
        if before.strip():
            return True
        edit = self._current()
        return self._shape is Shape.GHOST and edit is not None and not edit.added[:1].isspace()

    def replace(self, edits: Sequence[PredictedEdit]) -> None:
        """Show other edits in its place."""
        self._edits = tuple(edits)
        self._refresh()

    def show_keys(self, keys: PredictionKeys) -> None:
        """Name other keys beside it."""
        self._model = replace(self._model, keys=keys)
        self._refresh()

    def accept(self) -> None:
        """Put the edit that is shown into the buffer as one undo step; go to it first where it is out of view."""
        edit = self._current()
        if self._is_gone or not self.is_visible:
            return
        if edit is None:
            self._close(PredictionEnd.FOLLOWED)
        elif self._shape is Shape.AWAY:
            self._editor.select(TextRange(edit.start, edit.start))
            self._refresh()
        else:
            self._take(edit.edit)

    def accept_word(self) -> None:
        """Take the next word of an insertion at the caret."""
        self._accept_part(WORD)

    def accept_line(self) -> None:
        """Take the next line of an insertion at the caret."""
        self._accept_part(LINE)

    def hide(self) -> None:
        """The user does not want it."""
        self._close(PredictionEnd.HIDDEN)

    def dispose(self) -> None:
        """Take it off the screen, without a word."""
        if self._is_gone:
            return
        self._is_gone = True
        editor = self._editor
        editor.text_changed.disconnect(self._on_text_changed)
        editor.view_changed.disconnect(self._on_view_changed)
        editor.selection_changed.disconnect(self._refresh)
        editor.composition_changed.disconnect(self._refresh)
        if self._alt is not None:
            self._alt.stop()
        self._shape = Shape.HIDDEN
        self._is_busy = True
        with self._caret_row_kept(None):
            self._ghost.close()
            self._diff.close()
        for widget in (self.hint, self.pill):
            widget.hide()
            widget.deleteLater()
        self._on_gone(self)

    def _close(self, end: PredictionEnd) -> None:
        if not self._is_gone:
            self.dispose()
            self._on_event(PredictionClosed(end))

    def _accept_part(self, pattern: re.Pattern[str]) -> None:
        edit = self._current()
        if edit is None or self._shape is not Shape.GHOST:
            return
        part = edit.added[: part_end(edit.added, pattern)]
        self._take(TextEdit(TextRange(edit.start, edit.start), part))

    def _take(self, taken: TextEdit) -> None:
        if self._editor.readOnly():
            self._close(PredictionEnd.OUTDATED)
            return
        self._is_taking = True
        try:
            # Taken means typed: what follows hears of the change like any other.
            self._editor.replace_ranges([taken])
        finally:
            self._is_taking = False
        caret = taken.range.start + len(taken.text)
        self._editor.select(TextRange(caret, caret))
        self._refresh()

    def _on_text_changed(self, change: TextChange) -> None:
        left = follow(self._edits, change.start, change.removed, change.added)
        if left is None or change.is_from_disk or not self._edits:  # one in another file says nothing of this text
            self._close(PredictionEnd.OUTDATED)
        elif not left:
            self._close(PredictionEnd.ACCEPTED if self._is_taking else PredictionEnd.TYPED)
        else:
            self._edits = left
            self._refresh()
            if self._is_taking:
                self._on_event(PredictionTaken())

    def _on_view_changed(self) -> None:
        if self._is_gone or self._is_busy or not self._editor.buffer.is_told:
            return
        if self._theme is not self._editor.theme:
            self._theme = self._editor.theme
            self.pill.set_theme(self._theme)
            self._refresh()
        elif self._wanted_shape(self._current()) is not self._shape or self._shape is Shape.AWAY:
            self._refresh()
        else:
            self._ghost.place()
            self._diff.place()
            self._place_hint()

    def _on_alt(self, _held: bool) -> None:  # noqa: FBT001 - as the watch calls it
        self._refresh()

    def _refresh(self) -> None:
        """Show the edit that is nearest to the caret, as it can be shown now."""
        if self._is_gone or self._is_busy or not self._editor.buffer.is_told:
            return  # it is where the text was: the last change brings it on
        self._is_busy = True
        edit = self._slide_to_caret()
        self._shape = self._wanted_shape(edit)
        with self._caret_row_kept(edit):
            self._draw(edit)
        self._show_pill(edit)
        self._place_hint()
        self._is_busy = False

    def _draw(self, edit: PredictedEdit | None) -> None:
        if self._shape is not Shape.GHOST:
            self._ghost.clear()
        if self._shape is not Shape.DIFF:
            self._diff.clear()
        if edit is not None and self._shape is Shape.GHOST:
            self._ghost.show(edit.start, edit.added)
        elif edit is not None and self._shape is Shape.DIFF:
            self._diff.show(edit)

    @contextmanager
    def _caret_row_kept(self, edit: PredictedEdit | None) -> Iterator[None]:
        """Scroll by the rows that come or go above the caret, so that who types sees their line stand still."""
        editor = self._editor
        line = editor.lineFromPosition(editor.currentPos())
        before = editor.visibleFromDocLine(line) - editor.firstVisibleLine()
        yield
        top = editor.firstVisibleLine()
        moved = editor.visibleFromDocLine(line) - top - before
        is_seen = 0 <= before < editor.linesOnScreen()
        # What is predicted must stay in view, too.
        has_room = edit is None or moved < 0 or editor.visibleFromDocLine(self._line_of(edit)) - top >= moved
        if moved and is_seen and has_room:
            editor.setFirstVisibleLine(max(top + moved, 0))

    def _slide_to_caret(self) -> PredictedEdit | None:
        """The current edit; an insertion that may as well stand at the caret is taken to stand there from now on."""
        edit = self._current()
        caret = self._editor.caret()
        if edit is None or self._editor.buffer.is_composing or edit.start == caret:
            return edit
        slid = at_caret(edit, self._editor.plain_text(), caret)
        if slid != edit:
            self._edits = tuple(slid if other is edit else other for other in self._edits)
        return slid

    def _current(self) -> PredictedEdit | None:
        """The edit that is nearest to the caret."""
        caret = self._editor.caret()
        return min(
            self._edits, key=lambda edit: (max(edit.start - caret, caret - edit.end, 0), edit.start), default=None
        )

    def _wanted_shape(self, edit: PredictedEdit | None) -> Shape:
        editor = self._editor
        is_let = self._alt is None or self._alt.is_held
        if not is_let or editor.buffer.is_composing or editor.selections() != 1 or not editor.selectionEmpty():
            return Shape.HIDDEN
        if edit is None:
            return Shape.AWAY if self._model.elsewhere else Shape.HIDDEN
        if not self._is_in_view(self._line_of(edit)):
            return Shape.AWAY
        return Shape.GHOST if edit.is_insertion and edit.start == editor.caret() else Shape.DIFF

    def _line_of(self, edit: PredictedEdit) -> int:
        return self._editor.lineFromPosition(self._editor.to_byte(edit.start))

    def _is_in_view(self, line: int) -> bool:
        y = self._editor.line_y(line)
        return self._editor.lineVisible(line) and 0 <= y <= self._editor.viewport().height() - self._editor.row_height()

    def _show_pill(self, edit: PredictedEdit | None) -> None:
        if self._shape is not Shape.AWAY:
            self.pill.hide()
            return
        model = self._model
        if edit is None:
            self.pill.show_model(PillModel(model.elsewhere, model.summary, self._accept_key()))
            return
        line = self._line_of(edit)
        self.pill.show_model(
            PillModel(
                f"Line {line + 1}",
                summary_of(placed_hunk(self._editor.text_index(), edit).hunk.new_lines),
                self._accept_key(),
                is_above=self._editor.line_y(line) < 0,
            )
        )

    def _place_hint(self) -> None:
        keys = self._model.keys
        if self._shape is Shape.GHOST:
            words = ((self._accept_key(), "accept"), (keys.word, "word"))
            self.hint.show_at(self._ghost.end_point(), words)
        elif self._shape is Shape.DIFF:
            self.hint.show_at(self._diff.end_point(), ((self._accept_key(), "accept"),))
        else:
            self.hint.show_at(QPoint(), ())

    def _accept_key(self) -> str:
        keys = self._model.keys
        return keys.tab if keys.tab and self.takes_tab else keys.accept


def part_end(text: str, pattern: re.Pattern[str]) -> int:
    """Where the first part of a text ends; letters and the marks on them are not torn apart."""
    match = pattern.match(text)
    matched = match.end() if match and match[0] else len(text)
    end = boundary_after(text, matched)
    while end > matched and (more := LETTERS.match(text, end)):
        matched = more.end()
        end = boundary_after(text, matched)
    return end


def summary_of(new_lines: Sequence[str]) -> str:
    """What a far edit makes of its place, in a few words."""
    first = next((line.strip() for line in new_lines if line.strip()), "")
    if not first:
        return "deletes lines"
    return first if len(first) <= SUMMARY else f"{first[: SUMMARY - 1]}…"
