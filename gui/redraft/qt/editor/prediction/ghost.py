"""Text drawn where it would stand: a label in the caret's own row, then rows below it."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from redraft.core.text import LINE_END
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
        """Draw the text; its row has nothing there, and the caret must be seen through it."""
        painter = QPainter(self)
        painter.setFont(self._ghost_font())
        painter.setPen(self._editor.theme.color("editor.ghost"))
        painter.drawText(QPointF(0, self._editor.gutter.baseline()), self._text)
        painter.end()

    def _ghost_font(self) -> QFont:
        font = self._editor.theme.code_font()
        font.setPixelSize(self._editor.font_pixels())
        font.setItalic(True)
        return font


class GhostDrawing:
    """Draws an insertion into an editor's text; text that follows on its line is drawn again behind it."""

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._owner = f"ghost-{next(_numbers)}"
        self._registry = AnnotationRegistry.of(editor)
        self._offset = 0
        self._line = -1
        self._own_row = ""
        self.label = GhostLabel(editor)

    def show(self, offset: int, text: str) -> None:
        """Draw text at an offset, in place of what was drawn before."""
        editor = self._editor
        self._offset = offset
        line, before, after = editor.line_around(offset)
        parts = LINE_END.split(text)
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
        self._own_row = self._expanded(own_row, editor.column(editor.to_byte(offset)))
        self.place()

    def place(self) -> None:
        """Put the label where its place in the text is now."""
        if self._line >= 0:
            self.label.show_at(self._editor.to_byte(self._offset), self._own_row)

    def end_point(self) -> QPoint:
        """Where the first row of what is drawn ends, in the viewport: there a hint may begin."""
        editor = self._editor
        if self.label.isVisible():
            return QPoint(self.label.geometry().right() + 1, self.label.y())
        end = editor.lineEndPosition(editor.lineFromPosition(editor.to_byte(self._offset)))
        return QPoint(editor.pointXFromPosition(end), editor.pointYFromPosition(end))

    def clear(self) -> None:
        """Draw nothing."""
        if self._line >= 0:
            self._line = -1
            self._registry.clear(self._owner)
            self._registry.flush()
        self.label.hide()

    def close(self) -> None:
        """Draw nothing any more."""
        self.clear()
        self.label.deleteLater()

    def _row(self, text: str) -> StyledRow:
        theme = self._editor.theme
        look = Look(theme.hex("editor.ghost"), theme.hex("surface.0"), italic=True)
        shown = self._expanded(text, 0)
        return StyledRow(shown, ((len(shown), look),))

    def _expanded(self, text: str, column: int) -> str:
        """Tabs as blanks: annotations and labels know no tab stops."""
        return (" " * column + text).expandtabs(self._editor.indentation.tab_width)[column:]
