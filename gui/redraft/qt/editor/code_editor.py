"""The code editor widget: one text, its language, its look; it says what changed and where rows are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget
from pyside6_scintilla import Scintilla, ScintillaEdit

from redraft.api.editor import Indentation, TextChange
from redraft.core.text import TextEdit, TextIndex, TextRange
from redraft.qt.editor import appearance
from redraft.qt.editor.buffer import Buffer, TrackedSpan
from redraft.qt.editor.highlight import Highlighter
from redraft.qt.editor.history import History
from redraft.qt.editor.lexers import colour_styles, set_lexer
from redraft.qt.editor.margins import Margins
from redraft.qt.editor.numbers import OVERLAY_MARKER_MASK, TEXT_AIR, Margin
from redraft.qt.editor.raw import Message
from redraft.qt.editor.refine import Refiner
from redraft.qt.editor.scroll_bar import MarkScrollBar, ScrollMark
from redraft.qt.editor.syntax import look_of, syntax_classes, syntax_of
from redraft.qt.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

_END_MODES: Final = {
    "\r\n": Scintilla.EndOfLine.CrLf,
    "\r": Scintilla.EndOfLine.Cr,
    "\n": Scintilla.EndOfLine.Lf,
}
_KEEP_SELECTION: Final = 3  # SC_UNDO_SELECTION_HISTORY_ENABLED and _SCROLL: undo brings back caret and scrolling


class CodeEditor(ScintillaEdit):
    """A Scintilla widget that speaks in offsets (code points), themes and languages."""

    text_changed = Signal(object)
    """A `TextChange`, after it happened; the text may be edited from here."""

    view_changed = Signal()
    """Something moved pixels: scrolling, zoom, size, folding, wrapping, rows."""

    selection_changed = Signal()
    """The caret or the selection moved, or the number of selections changed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._language_id = "plaintext"
        self._line_end = "\n"
        self._indentation = Indentation()
        self._classes: dict[int, str] = {}
        self._highlighter = Highlighter(self)
        self.gutter = Margins(self)
        self._geometry: tuple[int, ...] = ()
        self._selection: tuple[int, ...] = ()
        self.buffer = Buffer(self, self._on_text_changed)
        self.history = History()
        self._selection_timer = QTimer(self, singleShot=True, interval=0)
        self._selection_timer.timeout.connect(self._on_selection_settled)
        appearance.prepare(self)
        self.usePopUp(Scintilla.PopUp.Never)
        self.setMultipleSelection(True)
        self.setAdditionalSelectionTyping(True)
        self.setMultiPaste(Scintilla.MultiPaste.Each)
        self.setIMEInteraction(Scintilla.IMEInteraction.Inline)
        self.send(Message.SetUndoSelectionHistory, _KEEP_SELECTION)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._corner = QWidget(self)
        self._corner.setAutoFillBackground(True)
        self.setCornerWidget(self._corner)
        self._bars = self._make_bars(theme)
        self._connect()
        self.set_theme(theme)

    def _make_bars(self, theme: Theme) -> tuple[MarkScrollBar, MarkScrollBar]:
        vertical = MarkScrollBar(theme, Qt.Orientation.Vertical, self._row_of_mark, self)
        horizontal = MarkScrollBar(theme, Qt.Orientation.Horizontal, self._row_of_mark, self)
        self.setVerticalScrollBar(vertical)
        self.setHorizontalScrollBar(horizontal)
        # Scintilla connected itself to the bars it was made with.
        vertical.valueChanged.connect(self.scrollVertical)
        horizontal.valueChanged.connect(self.scrollHorizontal)
        return vertical, horizontal

    def _row_of_mark(self, mark: ScrollMark) -> int:
        row = self.visibleFromDocLine(mark.line)
        return row + self.wrapCount(mark.line) if mark.below else row

    def _connect(self) -> None:
        self.updateUi.connect(self._on_update_ui)
        self.painted.connect(self._on_painted)
        self.verticalScrolled.connect(self._on_view_moved)
        self.horizontalScrolled.connect(self._on_view_moved)
        self.resized.connect(self._on_view_moved)
        # Named like a method, this is the signal at run time.
        cast("SignalInstance", self.zoom).connect(self._on_zoomed)

    @property
    def language_id(self) -> str:
        """The language, by its LSP identifier."""
        return self._language_id

    @property
    def revision(self) -> int:
        """A number that grows with every change of the text."""
        return self.buffer.revision

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self._theme

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
        self.buffer.load(text)
        self.set_language(language_id)

    def set_language(self, language_id: str) -> None:
        """Colour the text as another language."""
        self._language_id = language_id
        self._classes = set_lexer(self, syntax_of(language_id))
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

    def replace_ranges(self, edits: Sequence[TextEdit]) -> None:
        """Apply edits, all in terms of the text as it is, as one undo step.

        Raises:
            UsageError: The text is read-only.
            ValueError: Two edits overlap, or one leaves the text.
        """
        self.buffer.replace(edits)

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

    def focus_text(self) -> None:
        """Take the keyboard."""
        # Scintilla's own `setFocus` hides Qt's.
        QWidget.setFocus(self)

    def row_height(self) -> int:
        """Height of a row in pixels, the same for all rows."""
        return self.textHeight(0)

    def font_pixels(self) -> int:
        """Size of the code's font as it is zoomed."""
        return round(appearance.zoomed_pixels(self, self._theme.code_font().pixelSize()))

    def line_y(self, line: int) -> int:
        """Where the first row of a line begins in the viewport, in pixels; outside of it when scrolled away."""
        return (self.visibleFromDocLine(line) - self.firstVisibleLine()) * self.row_height()

    def text_left(self) -> int:
        """Where the text column begins in the viewport while it is not scrolled sideways, in pixels."""
        return sum(self.marginWidthN(margin) for margin in Margin) + TEXT_AIR

    def visible_lines(self) -> Iterator[int]:
        """The lines that have a row in the viewport, folded ones left out."""
        first = self.firstVisibleLine()
        line = self.docLineFromVisible(first)
        height, rows = self.viewport().height(), self.row_height()
        while line < self.lineCount() and (self.visibleFromDocLine(line) - first) * rows < height:
            if self.lineVisible(line):
                yield line
            line += 1

    def set_theme(self, theme: Theme) -> None:
        """Show another theme."""
        self._theme = theme
        appearance.apply_theme(self, theme)
        self._colour()
        for bar in self._bars:
            bar.set_theme(theme)
        appearance.fill(self._corner, theme)
        self.gutter.fit()
        self.view_changed.emit()

    def _colour(self) -> None:
        theme = self._theme
        colour_styles(self, self._classes, theme)
        refiner = Refiner(syntax_of(self._language_id), self._classes) if self._classes else None
        self._highlighter.use(refiner, {name: look_of(name, theme).color for name in syntax_classes(theme)})
        self.viewport().update()

    def set_scroll_marks(self, owner: str, marks: Iterable[ScrollMark]) -> None:
        """Show an owner's marks beside the scroll bar in place of those it had, in order from the top."""
        self._bars[0].set_marks(owner, marks)

    def toggle_fold(self, line: int) -> None:
        """Fold or unfold what hangs under a line."""
        self.toggleFold(line)
        self.view_changed.emit()

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

    def refresh_current_line(self) -> None:
        """The caret's line is tinted unless a proposal tints it; call this after changing a proposal's markers."""
        line = self.lineFromPosition(self.currentPos())
        wanted = not self.markerGet(line) & OVERLAY_MARKER_MASK
        if self.caretLineVisible() != wanted:
            self.setCaretLineVisible(wanted)

    def _on_text_changed(self, change: TextChange) -> None:
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
            self.gutter.update()
            self.selection_changed.emit()

    def _on_zoomed(self, _level: int) -> None:
        appearance.set_row_height(self, self._theme.code_font().pixelSize())
        self.gutter.fit()
        self.view_changed.emit()

    def _on_view_moved(self, *_values: int) -> None:
        self.view_changed.emit()

    def _on_painted(self) -> None:
        viewport = self.viewport()
        geometry = (
            self.firstVisibleLine(),
            self.xOffset(),
            self.row_height(),
            self.visibleFromDocLine(self.lineCount()),
            viewport.width(),
            viewport.height(),
        )
        if geometry != self._geometry:
            self._geometry = geometry
            self.view_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand out what the key changed before anything else happens."""
        if event.matches(QKeySequence.StandardKey.Undo):
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
        self.buffer.begin_composition()
        super().inputMethodEvent(event)
        if not event.preeditString():
            self.buffer.end_composition()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, then what is ours in the margins."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self.gutter.paint(painter, event.rect())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold where a chevron is pressed."""
        line = self.gutter.foldable_line_at(event.position().x(), event.position().y())
        if line is not None and event.button() is Qt.MouseButton.LeftButton:
            self.toggle_fold(line)
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show chevrons while the pointer is in the margins."""
        self.gutter.hover(event.position().x())
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self.gutter.hover(-1)
        super().leaveEvent(event)


def usual_line_end(text: str) -> str:
    """The line end most lines of a text have; LF where there is none."""
    crlf = text.count("\r\n")
    counts = {"\n": text.count("\n") - crlf, "\r\n": crlf, "\r": text.count("\r") - crlf}
    return max(counts, key=lambda end: counts[end])
