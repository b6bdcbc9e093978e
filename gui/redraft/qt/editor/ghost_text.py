"""Predicted text drawn where it would stand, in nobody's buffer: a label at the caret, then rows of annotations."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from redraft.api.editor import TextChange
from redraft.core.text import LINE_END, TextEdit, TextRange
from redraft.qt.editor.annotation_rows import Look, StyledRow
from redraft.qt.editor.annotations import AnnotationRegistry, RowOrder
from redraft.qt.editor.code_editor import CodeEditor

_numbers = count(1)


class GhostLabel(QWidget):
    """The part of a prediction that stands in the caret's own row."""

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor.viewport())
        self._editor = editor
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Predicted text")
        self.hide()

    @property
    def text(self) -> str:
        """What it shows."""
        return self._text

    def show_at(self, byte: int, text: str) -> None:
        """Show text at a byte position of the editor; none hides the label."""
        self._text = text
        editor = self._editor
        x, y = editor.pointXFromPosition(byte), editor.pointYFromPosition(byte)
        is_in_view = 0 <= x < editor.viewport().width() and editor.lineVisible(editor.lineFromPosition(byte))
        if not text or not is_in_view:
            self.hide()
            return
        width = QFontMetricsF(self._ghost_font()).horizontalAdvance(text) + 2
        self.setGeometry(x, y, min(round(width), editor.viewport().width() - x), editor.row_height())
        self.show()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text on the background of its row."""
        editor = self._editor
        line = editor.lineFromPosition(editor.currentPos())
        is_current = editor.hasFocus() and editor.caretLineVisible() and editor.line_y(line) == self.y()
        painter = QPainter(self)
        painter.fillRect(self.rect(), editor.theme.color("editor.current_line" if is_current else "surface.0"))
        painter.setFont(self._ghost_font())
        painter.setPen(editor.theme.color("editor.ghost"))
        painter.drawText(QPointF(0, editor.gutter.baseline()), self._text)

    def _ghost_font(self) -> QFont:
        font = self._editor.theme.code_font()
        font.setPixelSize(self._editor.font_pixels())
        font.setItalic(True)
        return font


class GhostText:
    """A prediction on screen (an `api.GhostTextHandle`).

    Typing what it predicts uses it up; typing anything else at its place takes it away.
    """

    def __init__(self, editor: CodeEditor, offset: int, text: str, on_gone: Callable[[GhostText], None]) -> None:
        self._editor = editor
        self._text = text
        self._offset = offset
        self._on_gone = on_gone
        self._owner = f"ghost-{next(_numbers)}"
        self._registry = AnnotationRegistry.of(editor)
        self._line = -1
        self._own_row = ""
        self._theme = editor.theme
        self._is_gone = False
        self.label = GhostLabel(editor)
        editor.text_changed.connect(self._on_text_changed)
        editor.view_changed.connect(self._on_view_changed)
        self._show()

    @property
    def text(self) -> str:
        """What is still predicted."""
        return self._text

    def accept(self, length: int | None = None) -> None:
        """Put the first code points (all by default) into the buffer, as one undo step; the rest stays shown."""
        if self._is_gone:
            return
        taken = self._text if length is None else self._text[:length]
        place = self._offset
        # Taken means typed: what follows hears of the change like any other.
        self._editor.replace_ranges([TextEdit(TextRange(place, place), taken)])
        caret = place + len(taken)
        self._editor.select(TextRange(caret, caret))

    def dispose(self) -> None:
        """Take it off the screen."""
        if self._is_gone:
            return
        self._is_gone = True
        self._editor.text_changed.disconnect(self._on_text_changed)
        self._editor.view_changed.disconnect(self._on_view_changed)
        self._registry.clear(self._owner)
        self._registry.flush()
        self.label.hide()
        self.label.deleteLater()
        self._on_gone(self)

    def _on_text_changed(self, change: TextChange) -> None:
        end = change.start + len(change.removed)
        if end < self._offset or (end == self._offset and change.removed and not change.added):
            self._offset += len(change.added) - len(change.removed)
        elif change.start == self._offset:
            if change.removed or not self._text.startswith(change.added) or change.added == self._text:
                self.dispose()
                return
            self._text = self._text[len(change.added) :]
            self._offset += len(change.added)
        elif change.start < self._offset:
            self.dispose()
            return
        self._show()

    def _on_view_changed(self) -> None:
        if self._theme is not self._editor.theme:
            self._theme = self._editor.theme
            self._show()
        elif not self._is_gone:
            self._place_label()

    def _show(self) -> None:
        editor = self._editor
        index = editor.text_index()
        line = index.line_at(self._offset)
        span = index.line_range(line, with_end=False)
        before, after = index.text[span.start : self._offset], index.text[self._offset : span.end]
        parts = LINE_END.split(self._text)
        if after.strip():
            # Text in the middle cannot be pushed aside, so the whole line as it would be goes below.
            parts[0] = before + parts[0]
            parts[-1] += after
            rows, own_row = parts, ""
        else:
            rows, own_row = parts[1:], parts[0]
        if self._line not in {line, -1}:
            self._registry.clear(self._owner)
        self._line = line
        self._registry.set_rows(self._owner, line, [self._row(part) for part in rows], RowOrder.GHOST)
        self._registry.flush()
        self._own_row = self._expanded(own_row, editor.column(editor.to_byte(self._offset)))
        self._place_label()

    def _place_label(self) -> None:
        self.label.show_at(self._editor.to_byte(self._offset), self._own_row)

    def _row(self, text: str) -> StyledRow:
        theme = self._editor.theme
        look = Look(theme.hex("editor.ghost"), theme.hex("surface.0"), italic=True)
        shown = self._expanded(text, 0)
        return StyledRow(shown, ((len(shown), look),))

    def _expanded(self, text: str, column: int) -> str:
        """Tabs as blanks: annotations and labels know no tab stops."""
        return (" " * column + text).expandtabs(self._editor.indentation.tab_width)[column:]
