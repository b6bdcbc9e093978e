"""The visible half of a code editor: its look, its margins and bars, and where its rows are in pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget
from pyside6_scintilla import Scintilla, ScintillaEdit

from redraft.qt.editor import appearance
from redraft.qt.editor.guides import IndentGuides
from redraft.qt.editor.hidden_text import show_hidden_text
from redraft.qt.editor.margins import Margins
from redraft.qt.editor.numbers import OVERLAY_MARKER_MASK, TEXT_AIR, Margin
from redraft.qt.editor.raw import abgr
from redraft.qt.editor.right_to_left import RightToLeft
from redraft.qt.editor.scroll_bar import MarkScrollBar, ScrollMark
from redraft.qt.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

BLOCK_NAME: Final = "prompt-block"
"""By this name children of the viewport find a prompt block, which they must not stand under."""


class EditorView(ScintillaEdit):
    """A Scintilla widget in the design's dress, that can tell and keep the places of its rows."""

    view_changed = Signal()
    """Something moved pixels: scrolling, zoom, size, folding, wrapping, rows."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._geometry: tuple[int, ...] = ()
        self.gutter = Margins(self)
        self.right_to_left = RightToLeft(self)
        self.guides = IndentGuides(self)
        self.row_painters: list[Callable[[QPainter, QRect], None]] = []
        """Called at the end of every paint, for rows that stand between lines."""
        appearance.prepare(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._bars = self._make_bars(theme)
        self.painted.connect(self._on_painted)
        self.verticalScrolled.connect(self._on_view_moved)
        self.horizontalScrolled.connect(self._on_view_moved)
        self.resized.connect(self._on_view_moved)
        # Named like a method, this is the signal at run time.
        cast("SignalInstance", self.zoom).connect(self._on_zoomed)

    def _make_bars(self, theme: Theme) -> tuple[MarkScrollBar, MarkScrollBar]:
        vertical = MarkScrollBar(theme, Qt.Orientation.Vertical, self._row_of_mark, self)
        horizontal = MarkScrollBar(theme, Qt.Orientation.Horizontal, self._row_of_mark, self)
        self.setVerticalScrollBar(vertical)
        self.setHorizontalScrollBar(horizontal)
        # Scintilla connected itself to the bars it was made with.
        vertical.valueChanged.connect(self.scrollVertical)
        horizontal.valueChanged.connect(self.scrollHorizontal)
        return vertical, horizontal

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self._theme

    def set_theme(self, theme: Theme) -> None:
        """Show another theme."""
        self._theme = theme
        appearance.apply_theme(self, theme)
        show_hidden_text(self, theme)
        for bar in self._bars:
            bar.set_theme(theme)
        appearance.fill(self, theme)
        self.gutter.fit()
        self.view_changed.emit()

    def row_height(self) -> int:
        """Height of a row in pixels, the same for all rows."""
        return self.textHeight(0)

    def font_pixels(self) -> int:
        """Size of the code's font as it is zoomed."""
        return round(appearance.zoomed_pixels(self, self._theme.code_font().pixelSize()))

    def row_count(self, line: int) -> int:
        """Rows a line takes as it is wrapped; Scintilla would lay the line out to tell that there is one."""
        return self.wrapCount(line) if self.wrapMode() else 1

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

    def set_scroll_marks(self, owner: str, marks: Iterable[ScrollMark]) -> None:
        """Show an owner's marks beside the scroll bar in place of those it had, in order from the top."""
        self._bars[0].set_marks(owner, marks)

    def toggle_fold(self, line: int) -> None:
        """Fold or unfold what hangs under a line."""
        self.toggleFold(line)
        self.view_changed.emit()

    def fold_all(self, *, folded: bool) -> None:
        """Fold or unfold everything."""
        action = Scintilla.FoldAction.Contract if folded else Scintilla.FoldAction.Expand
        self.colourise(0, -1)
        self.foldAll(action | Scintilla.FoldAction.ContractEveryLevel if folded else action)
        self.scrollCaret()
        self.view_changed.emit()

    def set_wrap(self, *, wraps: bool) -> None:
        """Break long lines at the edge of the view, or not."""
        self.setWrapMode(Scintilla.Wrap.WhiteSpace if wraps else Scintilla.Wrap.None_)
        self.setWrapIndentMode(Scintilla.WrapIndentMode.Same)
        self.view_changed.emit()

    def set_guides_shown(self, *, shown: bool) -> None:
        """Draw indent guides, or not."""
        self.guides.is_shown = shown
        self.viewport().update()

    def refresh_current_line(self) -> None:
        """The caret's line is tinted unless a proposal tints it; call this after changing a proposal's markers."""
        line = self.lineFromPosition(self.currentPos())
        wanted = not self.markerGet(line) & OVERLAY_MARKER_MASK
        if self.caretLineVisible() != wanted:
            self.setCaretLineVisible(wanted)
            if wanted:
                # Hiding it makes Scintilla forget its colour, and take a yellow of its own.
                color = abgr(self._theme.color("editor.current_line"))
                self.setElementColour(Scintilla.Element.CaretLineBack, color)

    def _row_of_mark(self, mark: ScrollMark) -> int:
        row = self.visibleFromDocLine(mark.line)
        return row + self.row_count(mark.line) if mark.below else row

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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, then what Scintilla leaves out: the margins, and text that runs from right to left."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        self.guides.paint(painter, event.rect())
        self.right_to_left.paint(painter, event.rect())
        for paint in self.row_painters:
            paint(painter, event.rect())
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

    def viewportEvent(self, event: QEvent) -> bool:
        """Hide the chevrons when the pointer goes."""
        if event.type() == QEvent.Type.Leave:
            self.gutter.hover(-1)
        return super().viewportEvent(event)
