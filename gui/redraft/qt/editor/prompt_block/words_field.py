"""The field in which an instruction is written: grows with its text, reports intents as signals."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlockFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from redraft.qt.theme import Theme

ENTER = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
NO_MODIFIERS = Qt.KeyboardModifier.NoModifier


class WordsField(QTextEdit):
    """A field for plain text of one to `max_rows` rows.

    While an input method composes, every key is the input method's.
    """

    typed = Signal()
    submitted = Signal()
    moved = Signal(int, bool)
    completed = Signal()
    escaped = Signal()
    focus_changed = Signal()

    def __init__(self, theme: Theme, *, font: str = "prompt", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font_name = font
        self._is_composing = False
        self._completes = False
        self._is_quiet = False
        self._hint = ""
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.setCursorWidth(theme.space("hair"))
        self.textChanged.connect(self._on_text_changed)
        self.set_theme(theme)

    @property
    def is_composing(self) -> bool:
        """Whether an input method shows text that is not committed yet."""
        return self._is_composing

    def set_completes(self, completes: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Whether Tab completes a row instead of going to the next part."""
        self._completes = completes

    def set_hint(self, hint: str) -> None:
        """What is shown while the field is empty; drawn here, because Qt's own stands off the line."""
        self._hint = hint
        self.setAccessibleName(hint)
        self.viewport().update()

    def set_words(self, words: str) -> None:
        """Replace the text; the caret goes to its end."""
        self._is_quiet = True
        self.setPlainText(words)
        self._set_line_height()
        self._is_quiet = False
        self.moveCursor(QTextCursor.MoveOperation.End)

    def words(self) -> str:
        """What stands in the field."""
        return self.toPlainText()

    def caret(self) -> int:
        """Where the caret stands, in code points."""
        before = self.textCursor()
        before.movePosition(QTextCursor.MoveOperation.Start, QTextCursor.MoveMode.KeepAnchor)
        return len(before.selectedText())

    def height_for(self, width: int, max_rows: int) -> int:
        """How high it is at a width, in px."""
        line = self._theme.line_height(self._font_name)
        self.document().setTextWidth(max(width, 1))
        rows = round(self.document().size().height() / line)
        return min(max(rows, 1), max_rows) * line

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.setFont(theme.font(self._font_name))
        palette = self.palette()
        for role, color in (
            (QPalette.ColorRole.Text, "text.primary"),
            (QPalette.ColorRole.Highlight, "editor.selection"),
            (QPalette.ColorRole.HighlightedText, "text.primary"),
            (QPalette.ColorRole.Base, "surface.0"),
        ):
            palette.setColor(role, theme.color(color))
        self.setPalette(palette)
        self._set_line_height()

    def _set_line_height(self) -> None:
        was_quiet, self._is_quiet = self._is_quiet, True
        height = QTextBlockFormat()
        fixed = QTextBlockFormat.LineHeightTypes.FixedHeight.value
        height.setLineHeight(self._theme.line_height(self._font_name), fixed)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(height)
        self.document().clearUndoRedoStacks()
        self._is_quiet = was_quiet

    def _on_text_changed(self) -> None:
        if not self._is_quiet:
            self.typed.emit()

    def _is_at_edge(self, step: int) -> bool:
        cursor = self.textCursor()
        move = QTextCursor.MoveOperation.Up if step < 0 else QTextCursor.MoveOperation.Down
        return not cursor.movePosition(move)

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+Backspace for the word before the caret, as long as there is one."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            deletes_word = event.matches(QKeySequence.StandardKey.DeleteStartOfWord)
            if self._is_composing or (deletes_word and not self.document().isEmpty()):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_composing or not self._handle(event):
            super().keyPressEvent(event)

    def _handle(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in ENTER:
            return self._handle_enter(event, modifiers)
        if modifiers != NO_MODIFIERS:
            return False
        if key == Qt.Key.Key_Escape:
            self.escaped.emit()
            return True
        if key == Qt.Key.Key_Tab and self._completes:
            self.completed.emit()
            return True
        if key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
            step = -1 if key == Qt.Key.Key_Up else 1
            at_edge = self._is_at_edge(step)
            self.moved.emit(step, at_edge)
            return at_edge
        return False

    def _handle_enter(self, event: QKeyEvent, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers == NO_MODIFIERS:
            self.submitted.emit()
            return True
        if modifiers == Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
            return True
        event.ignore()  # Alt+Enter and its like are commands
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._hint and self.document().isEmpty() and not self._is_composing:
            painter = QPainter(self.viewport())
            painter.setFont(self.font())
            painter.setPen(self._theme.color("text.muted"))
            box = QRect(self.cursorWidth(), 0, self.viewport().width(), self._theme.line_height(self._font_name))
            shown = QFontMetrics(self.font()).elidedText(self._hint, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)
            painter.end()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._is_composing = False
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: FBT001 - as Qt calls it
        """Tab leaves the field, unless it completes a row: then it comes as a key."""
        if forward and self._completes:
            return False
        return QWidget.focusNextPrevChild(self, forward)
