"""The code editor widget: one text and its language, typed into by people and changed by offsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QDropEvent, QGuiApplication, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget
from pyside6_scintilla import Scintilla

from redraft.api.editor import Indentation, TextChange
from redraft.core.text import TextEdit, TextIndex, TextRange
from redraft.qt.editor.buffer import Buffer
from redraft.qt.editor.editor_view import EditorView
from redraft.qt.editor.extent import ScrollExtent
from redraft.qt.editor.growth import Growth
from redraft.qt.editor.highlight import Highlighter
from redraft.qt.editor.history import History
from redraft.qt.editor.keys import release_keys
from redraft.qt.editor.lexers import clear_lexer, colour_styles, set_lexer
from redraft.qt.editor.limits import Limits, limits_of
from redraft.qt.editor.raw import Message
from redraft.qt.editor.refine import Refiner
from redraft.qt.editor.syntax import TEXT, look_of, syntax_classes, syntax_of
from redraft.qt.editor.tracked import TrackedSpan
from redraft.qt.editor.typing_help import TypingHelp
from redraft.qt.theme import Theme

_END_MODES: Final = {
    "\r\n": Scintilla.EndOfLine.CrLf,
    "\r": Scintilla.EndOfLine.Cr,
    "\n": Scintilla.EndOfLine.Lf,
}
_KEEP_SELECTION: Final = 3  # SC_UNDO_SELECTION_HISTORY_ENABLED and _SCROLL: undo brings back caret and scrolling


class CodeEditor(EditorView):
    """A Scintilla widget that speaks in offsets (code points), themes and languages."""

    text_changed = Signal(object)
    """A `TextChange`, after it happened; the text may be edited from here."""

    selection_changed = Signal()
    """The caret or the selection moved, or the number of selections changed."""

    composition_changed = Signal()
    """An input method began to compose text, or has ended."""

    limits_changed = Signal(object)
    """`Limits`: something is left out because the text is too large, or no longer."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._language_id = "plaintext"
        self._line_end = "\n"
        self._indentation = Indentation()
        self._limits = Limits()
        self._is_loading = False
        self._classes: dict[int, str] = {}
        self._highlighter = Highlighter(self)
        self._selection: tuple[int, ...] = ()
        self._extent = ScrollExtent(self)
        self.buffer = Buffer(self, self._on_text_changed)
        self.history = History()
        self.typing = TypingHelp(self)
        self.growth = Growth(self)
        self._selection_timer = QTimer(self, singleShot=True, interval=0)
        self._selection_timer.timeout.connect(self._on_selection_settled)
        self._prepare_typing()
        self.updateUi.connect(self._on_update_ui)
        self.set_theme(theme)

    def _prepare_typing(self) -> None:
        self.usePopUp(Scintilla.PopUp.Never)
        self.setMultipleSelection(True)
        self.setAdditionalSelectionTyping(True)
        self.setMultiPaste(Scintilla.MultiPaste.Each)
        self.setIMEInteraction(Scintilla.IMEInteraction.Inline)
        self.setBackSpaceUnIndents(True)
        self.setTabIndents(True)
        self.send(Message.SetUndoSelectionHistory, _KEEP_SELECTION)
        release_keys(self)
        self.indentation = self._indentation

    @property
    def language_id(self) -> str:
        """The language, by its LSP identifier."""
        return self._language_id

    @property
    def revision(self) -> int:
        """A number that grows with every change of the text."""
        return self.buffer.revision

    @property
    def limits(self) -> Limits:
        """What is left out because the text is too large."""
        return self._limits

    @property
    def indentation(self) -> Indentation:
        """How the file is indented."""
        return self._indentation

    @indentation.setter
    def indentation(self, indentation: Indentation) -> None:
        self._indentation = indentation
        self.setUseTabs(indentation.use_tabs)
        self.setIndent(indentation.width)
        self.setTabWidth(indentation.tab_width)

    @property
    def line_end(self) -> str:
        """What Enter puts in: LF, CRLF or CR."""
        return self._line_end

    @line_end.setter
    def line_end(self, line_end: str) -> None:
        self._line_end = line_end
        self.setEOLMode(_END_MODES[line_end])

    def set_document(self, text: str, language_id: str = "plaintext") -> None:
        """Show another text, saved and without an undo history.

        Raises:
            ValueError: The text holds half a surrogate pair.
        """
        self.line_end = usual_line_end(text)
        for _ in self.load_in_steps(text, language_id, limits_of(text)):
            pass

    def load_in_steps(self, text: str, language_id: str, limits: Limits) -> Iterator[None]:
        """Show another text a piece at a time; what is too large in it is known, its line end set by who asks.

        Raises:
            ValueError: The text holds half a surrogate pair.
        """
        clear_lexer(self)
        self._is_loading = True
        try:
            yield from self.buffer.load_in_steps(text)
        finally:
            self._is_loading = False
        self._set_limits(limits)
        self.set_language(language_id)

    def set_language(self, language_id: str) -> None:
        """Colour the text as another language."""
        self._language_id = language_id
        syntax = syntax_of("plaintext" if self._limits.is_plain else language_id)
        self._classes = set_lexer(self, syntax)
        self._colour()

    def plain_text(self) -> str:
        """The whole text, with its own line ends; made once per revision."""
        return self.buffer.text

    def text_index(self) -> TextIndex:
        """Lines and conversions of the text; made once per revision."""
        return self.buffer.index

    def to_byte(self, offset: int) -> int:
        """An offset as Scintilla's byte position."""
        return self.buffer.to_byte(offset)

    def to_offset(self, byte: int) -> int:
        """Scintilla's byte position as an offset."""
        return self.buffer.to_offset(byte)

    def line_around(self, offset: int) -> tuple[int, str, str]:
        """The line of an offset, its text up to there, and from there on without its end; no other line is read."""
        byte = self.to_byte(offset)
        line = self.lineFromPosition(byte)
        start, end = self.positionFromLine(line), self.lineEndPosition(line)
        before, after = (
            bytes(self.get_text_range(first, last).data()).decode("utf-8", "replace")
            for first, last in ((start, byte), (byte, end))
        )
        return line, before, after

    def replace_ranges(self, edits: Sequence[TextEdit], *, from_disk: bool = False) -> None:
        """Apply edits, all in terms of the text as it is, as one undo step; `from_disk` if another program made them.

        Raises:
            UsageError: The text is read-only.
            ValueError: Two edits overlap, or one leaves the text.
        """
        self._finish_composing()
        self.buffer.replace(edits, from_disk=from_disk)

    def track(self, tracked: TextRange) -> TrackedSpan:
        """Follow a range through later edits."""
        return self.buffer.track(tracked)

    def selection(self) -> TextRange:
        """The main selection; a caret is an empty range."""
        return TextRange(self.to_offset(self.selectionStart()), self.to_offset(self.selectionEnd()))

    def caret(self) -> int:
        """The offset of the main caret."""
        return self.to_offset(self.currentPos())

    def select(self, selection: TextRange, *, reveal: bool = True) -> None:
        """Select a range, opening folds and scrolling to it where `reveal` says so."""
        start, end = self.to_byte(selection.start), self.to_byte(selection.end)
        if reveal:
            self.ensureVisible(self.lineFromPosition(start))
            self.setSel(start, end)
            self.scrollRange(start, end)
        else:
            self.setSelection(end, start)

    def undo(self) -> None:
        """Take back the last change, or the last decision about a proposal."""
        if not self.history.undo():
            super().undo()
            self.buffer.flush()

    def redo(self) -> None:
        """Do again what was taken back."""
        if not self.history.redo():
            super().redo()
            self.buffer.flush()

    def focus_text(self) -> None:
        """Take the keyboard."""
        # Scintilla's own `setFocus` hides Qt's.
        QWidget.setFocus(self)

    def syntax_class_at(self, byte: int) -> str:
        """The syntax class the lexer gives a byte position."""
        if self.endStyled() <= byte and self._classes:
            self.colourise(self.endStyled(), self.lineEndPosition(self.lineFromPosition(byte)))
        return self._classes.get(self.styleAt(byte), TEXT)

    def set_theme(self, theme: Theme) -> None:
        """Show another theme."""
        super().set_theme(theme)
        self._colour()

    def _colour(self) -> None:
        theme = self.theme
        colour_styles(self, self._classes, theme)
        refiner = Refiner(syntax_of(self._language_id), self._classes) if self._classes else None
        self._highlighter.use(refiner, {name: look_of(name, theme).color for name in syntax_classes(theme)})
        self.viewport().update()

    def _set_limits(self, limits: Limits) -> None:
        if limits.wraps != self._limits.wraps:
            self.set_wrap(wraps=limits.wraps)
        is_new = limits.reason != self._limits.reason
        self._limits = limits
        self._extent.reset(limits.longest)
        if is_new:
            self.limits_changed.emit(limits)

    def _finish_composing(self) -> None:
        """Have an input method commit its draft, whose text is in no offset; what cannot commit is dropped."""
        if self.buffer.is_composing:
            QGuiApplication.inputMethod().commit()
        if self.buffer.is_composing:
            self.inputMethodEvent(QInputMethodEvent())

    def _on_text_changed(self, change: TextChange) -> None:
        self.right_to_left.note(change.added)
        self._extent.follow(change, is_known=self._is_loading)
        self.text_changed.emit(change)

    def _on_update_ui(self, flags: int) -> None:
        self._highlight()
        if flags & (Scintilla.Update.Content | Scintilla.Update.Selection):
            # This comes in the middle of painting: nothing may be edited or moved by who listens.
            self._selection_timer.start()

    def _highlight(self) -> None:
        first = self.docLineFromVisible(self.firstVisibleLine())
        last = self.docLineFromVisible(self.firstVisibleLine() + self.linesOnScreen() + 1)
        self._highlighter.refresh(first, max(first, last), self.revision)

    def _on_selection_settled(self) -> None:
        self.refresh_current_line()
        self.gutter.fit()
        main = self.mainSelection()
        selection = (main, self.selections(), self.anchor(), self.currentPos(), self.revision)
        if selection != self._selection:
            self._selection = selection
            self._show_matching_bracket()
            self.gutter.update()
            self.selection_changed.emit()

    def _show_matching_bracket(self) -> None:
        caret = self.currentPos()
        for place in (caret - 1, caret):
            match = self.braceMatch(place, 0) if place >= 0 and chr(self.charAt(place) & 0x7F) in "()[]{}" else -1
            if match >= 0:
                self.braceHighlight(place, match)
                return
        self.braceHighlight(-1, -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type, then hand out what changed before anything else happens."""
        if self.typing.handle(event):
            event.accept()
        elif event.matches(QKeySequence.StandardKey.Undo):
            event.accept()
            self.undo()
        elif event.matches(QKeySequence.StandardKey.Redo):
            event.accept()
            self.redo()
        else:
            super().keyPressEvent(event)
        self.buffer.flush()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Keep text that is still being composed from counting as an edit."""
        was_composing = self.buffer.is_composing
        self.buffer.begin_composition()
        if not was_composing:
            self.composition_changed.emit()
        super().inputMethodEvent(event)
        if not event.preeditString():
            self.buffer.end_composition()
            self.composition_changed.emit()

    def dropEvent(self, event: QDropEvent) -> None:
        """Take dropped text."""
        super().dropEvent(event)
        self.buffer.flush()


def usual_line_end(text: str) -> str:
    """The line end most lines of a text have; LF where there is none."""
    crlf = text.count("\r\n")
    counts = {"\n": text.count("\n") - crlf, "\r\n": crlf, "\r": text.count("\r") - crlf}
    return max(counts, key=lambda end: counts[end])
