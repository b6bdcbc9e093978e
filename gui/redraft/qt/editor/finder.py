"""Find and replace in one editor: keeps the matches, marks those on screen, moves from one to the next."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from redraft.core.errors import UsageError
from redraft.core.text import TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.numbers import Indicator
from redraft.qt.editor.scroll_bar import ScrollMark
from redraft.qt.editor.search import FindQuery, Found, count_label, find_matches, replacements, visible_part

_OWNER: Final = "find"
_MOST_MARKS: Final = 1000
"""Matches that have a mark in the scroll bar."""

_SETTLE_MS: Final = 60
"""Pause after a change before matches are looked for anew."""


class Finder(QObject):
    """Searches while it is active; the text stays as it is but for `replace` and `replace_all`."""

    changed = Signal()
    """Matches, the current one or the error changed."""
    gone = Signal()
    """A match was selected and scrolled to."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._editor = editor
        self._query = FindQuery("")
        self._found = Found()
        self._error = ""
        self._is_active = False
        self._timer = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._timer.timeout.connect(self._search)
        editor.text_changed.connect(self._on_text_changed)
        editor.view_changed.connect(self._mark)
        editor.selection_changed.connect(self._on_selection_changed)

    @property
    def found(self) -> Found:
        """The matches."""
        return self._found

    @property
    def error(self) -> str:
        """What is wrong with the expression; empty if nothing is."""
        return self._error

    @property
    def label(self) -> str:
        """How many matches there are, or what is wrong, in words."""
        return self._error or count_label(self._found, self._current(), self._query)

    def set_query(self, query: FindQuery, *, origin: int | None = None) -> None:
        """Look for something else; with an origin, go to the first match from there."""
        self._is_active = True
        self._query = query
        self._search()
        if origin is not None:
            self._go(self._found.at_or_after(origin))

    def stop(self) -> None:
        """Take the marks away."""
        self._is_active = False
        self._timer.stop()
        self._found = Found()
        self._mark()
        self._editor.set_scroll_marks(_OWNER, ())

    def next(self) -> None:
        """Go to the next match; after the last comes the first."""
        self._refresh()
        selection = self._editor.selection()
        here = self._found.index_of(selection)
        self._go(
            (here + 1) % len(self._found.matches) if here is not None else self._found.at_or_after(selection.start)
        )

    def previous(self) -> None:
        """Go to the match before; before the first comes the last."""
        self._refresh()
        self._go(self._found.before(self._editor.selection().start))

    def replace(self, template: str) -> None:
        """Replace the current match and go to the next one; without a current match, go to one."""
        self._refresh()
        current = self._current()
        if current is None:
            self.next()
            return
        match = self._found.matches[current]
        if self._apply(template, only=match):
            self._search()
            self._go(self._found.at_or_after(self._editor.selection().end))

    def replace_all(self, template: str) -> int:
        """Replace every match as one undo step; return how many there were."""
        count = self._apply(template, only=None)
        if count:
            self._search()
        return count

    def _apply(self, template: str, only: TextRange | None) -> int:
        editor = self._editor
        try:
            edits = replacements(editor.plain_text(), self._query, template, editor.line_end, only)
            editor.replace_ranges(edits)
        except UsageError as error:
            self._error = str(error)
            self.changed.emit()
            return 0
        if only is not None and edits:
            end = only.start + len(edits[0].text)
            editor.select(TextRange(end, end))
        return len(edits)

    def _refresh(self) -> None:
        """Search now if the text changed since the last time."""
        if self._timer.isActive():
            self._search()

    def _search(self) -> None:
        self._timer.stop()
        self._error = ""
        try:
            self._found = find_matches(self._editor.plain_text(), self._query)
        except UsageError as error:
            self._found, self._error = Found(), str(error)
        index = self._editor.text_index()
        lines = dict.fromkeys(index.line_at(match.start) for match in self._found.matches[:_MOST_MARKS])
        self._editor.set_scroll_marks(_OWNER, [ScrollMark(line, 1, "editor.find_edge") for line in lines])
        self._mark()
        self.changed.emit()

    def _go(self, index: int | None) -> None:
        if index is not None:
            self._editor.select(self._found.matches[index])
            self.gone.emit()
        self._mark()
        self.changed.emit()

    def _current(self) -> int | None:
        return self._found.index_of(self._editor.selection())

    def _mark(self) -> None:
        editor = self._editor
        for indicator in (Indicator.FIND, Indicator.FIND_CURRENT):
            editor.setIndicatorCurrent(indicator)
            editor.indicatorClearRange(0, editor.length())
        if not self._found.matches or self._timer.isActive():
            return
        first = editor.docLineFromVisible(editor.firstVisibleLine())
        last = editor.docLineFromVisible(editor.firstVisibleLine() + editor.linesOnScreen() + 1)
        start = editor.to_offset(editor.positionFromLine(first))
        end = editor.to_offset(editor.lineEndPosition(max(first, last)))
        selection = editor.selection()
        for match in visible_part(self._found, start, end):
            self._fill(Indicator.FIND, match)
            if match == selection:
                self._fill(Indicator.FIND_CURRENT, match)

    def _fill(self, indicator: Indicator, match: TextRange) -> None:
        start, end = self._editor.to_byte(match.start), self._editor.to_byte(match.end)
        self._editor.setIndicatorCurrent(indicator)
        self._editor.indicatorFillRange(start, end - start)

    def _on_text_changed(self) -> None:
        if self._is_active:
            self._timer.start()

    def _on_selection_changed(self) -> None:
        if self._is_active:
            self._mark()
            self.changed.emit()
