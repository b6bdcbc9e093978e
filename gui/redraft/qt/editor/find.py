"""The find bar: a small panel at the top right of the text, with a second row to replace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QWidget

from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.finder import Finder
from redraft.qt.editor.search import FindQuery
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, KeyButton, PlainLabel
from redraft.qt.widgets.nesting import nest_in_grid
from redraft.qt.widgets.painting import draw_box, draw_focus_ring, set_plain_tooltip
from redraft.qt.widgets.pressable import Pressable

FIELD_WIDTH: Final = 180
NARROW_FIELD: Final = 60
COUNT_WIDTH: Final = 92


class GlyphToggle(Pressable):
    """A switch drawn as one to three letters, as they stand for a way of searching."""

    def __init__(self, theme: Theme, glyph: str, label: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._glyph = glyph
        self.setCheckable(True)
        self.setAccessibleName(label)
        set_plain_tooltip(self, label)

    def draw(self, painter: QPainter) -> None:
        """Draw the letters, on a tint where it is on."""
        theme, radius = self.theme, self.theme.radius("small")
        if self.isChecked():
            draw_box(painter, self.rect(), radius, fill=theme.color("accent.tint"), edge=theme.color("accent.bar"))
        elif self.is_hovered:
            draw_box(painter, self.rect(), radius, fill=theme.color("surface.3"))
        painter.setFont(theme.font("small", weight=500))
        painter.setPen(theme.color("accent.text" if self.isChecked() else "text.muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._glyph)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), radius, theme)

    def sizeHint(self) -> QSize:
        """A little wider than high."""
        width = QFontMetrics(self.theme.font("small", weight=500)).horizontalAdvance(self._glyph)
        return QSize(max(26, width + 10), 24)


class FindBar(QWidget):
    """Finds and replaces in one editor; lies over its top right corner and places itself there."""

    closed = Signal()

    def __init__(self, theme: Theme, editor: CodeEditor) -> None:
        super().__init__(editor)
        self._theme = theme
        self._editor = editor
        self._origin = 0
        self.finder = Finder(editor)
        self.setAccessibleName("Find")
        self.field = self._make_field("Find")
        self.replacement = self._make_field("Replace with")
        self.case = GlyphToggle(theme, "Aa", "Match case", self)
        self.word = GlyphToggle(theme, "W", "Whole words", self)
        self.expression = GlyphToggle(theme, ".*", "Regular expression", self)
        self.count = PlainLabel(theme, font="small", color="text.muted", parent=self)
        self.count.setFixedWidth(COUNT_WIDTH)
        self.previous_button = IconButton(theme, "previous_hunk", "Previous match", key="Shift+Enter", side=24)
        self.next_button = IconButton(theme, "next_hunk", "Next match", key="Enter", side=24)
        self.expand_button = IconButton(theme, "collapsed", "Show replace", side=24)
        self.close_button = IconButton(theme, "close", "Close", key="Esc", side=24)
        self.replace_button = KeyButton(theme, "Replace", key="Enter")
        self.all_button = KeyButton(theme, "Replace all", key="Ctrl+Enter")
        self._lay_out()
        self._connect()
        self.set_replacing(shown=False)
        self.hide()
        editor.installEventFilter(self)

    def open(self, *, replace: bool = False) -> None:
        """Show the bar, with the selected words in it, and take the keyboard."""
        selection = self._editor.selection()
        self._origin = selection.start
        words = selection.of(self._editor.plain_text())
        if words and "\n" not in words and "\r" not in words:
            self.field.setText(words)
        if replace or self.isHidden():
            self.set_replacing(shown=replace)
        self.show()
        self.raise_()
        self.place()
        self.field.setFocus()
        self.field.selectAll()
        self._on_query_changed()

    def close_bar(self) -> None:
        """Hide the bar and give the keyboard back to the text, whose caret is at the current match."""
        if not self.isHidden():
            self.hide()
            self.finder.stop()
            self._editor.focus_text()
            self.closed.emit()

    def find_next(self) -> None:
        """Go to the next match, also while the bar is closed."""
        self._step(self.finder.next)

    def find_previous(self) -> None:
        """Go to the match before, also while the bar is closed."""
        self._step(self.finder.previous)

    def set_replacing(self, *, shown: bool) -> None:
        """Show or hide the second row."""
        for widget in (self.replacement, self.replace_button, self.all_button):
            widget.setVisible(shown)
        self.expand_button.set_icon("expanded" if shown else "collapsed")
        self.expand_button.set_label("Hide replace" if shown else "Show replace")
        self.adjustSize()
        self.place()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.count.set_theme(theme)
        for part in self.findChildren(Pressable):
            part.set_theme(theme)
        self.update()

    def place(self) -> None:
        """Stand at the top right of the text, as wide as fits."""
        editor = self._editor
        room = editor.width() - self._theme.size("scroll_bar") - 2 * self._theme.space("m")
        self._set_narrow(is_narrow=False)
        if room < self.minimumSizeHint().width():
            self._set_narrow(is_narrow=True)
        width = min(self.sizeHint().width(), max(room, self.minimumSizeHint().width()))
        right = editor.width() - self._theme.size("scroll_bar") - self._theme.space("m")
        self.setGeometry(max(0, right - width), self._theme.space("s"), width, self.sizeHint().height())

    def _set_narrow(self, *, is_narrow: bool) -> None:
        """Do without the count, the keys and long fields, or not."""
        self.count.setVisible(not is_narrow)
        for field in (self.field, self.replacement):
            field.setMinimumWidth(NARROW_FIELD if is_narrow else FIELD_WIDTH)
        for button in (self.replace_button, self.all_button):
            button.set_room(has_room=not is_narrow)

    def _make_field(self, label: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setPlaceholderText(label)
        field.setAccessibleName(label)
        field.setMinimumWidth(FIELD_WIDTH)
        field.installEventFilter(self)
        return field

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(6, 6, 6, 6)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.expand_button, 0, 0)
        grid.addWidget(self.field, 0, 1)
        nest_in_grid(grid, _row(2, self.case, self.word, self.expression), 0, 2)
        grid.addWidget(self.count, 0, 3)
        nest_in_grid(grid, _row(0, self.previous_button, self.next_button, self.close_button), 0, 4)
        grid.addWidget(self.replacement, 1, 1)
        nest_in_grid(
            grid, _row(6, self.replace_button, self.all_button), 1, 2, columns=3, align=Qt.AlignmentFlag.AlignLeft
        )

    def _connect(self) -> None:
        self.field.textChanged.connect(self._on_query_changed)
        for toggle in (self.case, self.word, self.expression):
            toggle.toggled.connect(self._on_query_changed)
        self.previous_button.clicked.connect(self.finder.previous)
        self.next_button.clicked.connect(self.finder.next)
        self.close_button.clicked.connect(self.close_bar)
        self.expand_button.clicked.connect(self._on_expand)
        self.replace_button.clicked.connect(self._on_replace)
        self.all_button.clicked.connect(self._on_replace_all)
        self.finder.changed.connect(self._on_found)
        self.finder.gone.connect(self._uncover)

    def _query(self) -> FindQuery:
        return FindQuery(
            self.field.text(),
            matches_case=self.case.isChecked(),
            whole_word=self.word.isChecked(),
            is_expression=self.expression.isChecked(),
        )

    def _step(self, step: Callable[[], None]) -> None:
        if not self.isHidden():
            step()
            return
        self.finder.set_query(self._query())
        step()
        self.finder.stop()

    def _on_query_changed(self) -> None:
        if not self.isHidden():
            self.finder.set_query(self._query(), origin=self._origin)

    def _on_found(self) -> None:
        is_wrong = bool(self.finder.error)
        is_empty = bool(self.field.text()) and not self.finder.found.matches
        self.count.set_text("Not valid" if is_wrong else self.finder.label)
        self.count.set_color("state.error" if is_wrong or is_empty else "text.muted")
        set_plain_tooltip(self.field, self.finder.error)
        if bool(self.field.property("invalid")) != is_wrong:
            self.field.setProperty("invalid", is_wrong)
            self.field.style().unpolish(self.field)
            self.field.style().polish(self.field)
        for button in (self.previous_button, self.next_button, self.replace_button, self.all_button):
            button.setEnabled(bool(self.finder.found.matches))
        self._origin = self._editor.selection().start

    def _uncover(self) -> None:
        """Scroll the current match out from under the bar."""
        editor, bar = self._editor, self.geometry()
        start, end = editor.selectionStart(), editor.selectionEnd()
        corner = editor.viewport().mapTo(
            editor, QPoint(editor.pointXFromPosition(start), editor.pointYFromPosition(start))
        )
        right = editor.viewport().mapTo(editor, QPoint(editor.pointXFromPosition(end), 0)).x()
        row = editor.row_height()
        match = QRect(corner.x(), corner.y(), max(right - corner.x(), 1), row)
        if not self.isHidden() and match.intersects(bar):
            rows = -(-(bar.bottom() - match.top()) // row)
            editor.setFirstVisibleLine(max(editor.firstVisibleLine() - rows, 0))

    def _on_expand(self) -> None:
        self.set_replacing(shown=self.replacement.isHidden())
        self._uncover()

    def _on_replace(self) -> None:
        self.finder.replace(self.replacement.text())

    def _on_replace_all(self) -> None:
        count = self.finder.replace_all(self.replacement.text())
        if count:
            self.count.set_text(f"{count:,} replaced")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the raised box."""
        painter = QPainter(self)
        theme = self._theme
        draw_box(
            painter,
            self.rect(),
            theme.radius("large"),
            fill=theme.color("surface.2"),
            edge=theme.color("border.default"),
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the editor's size, and answer keys in the fields."""
        if watched is self._editor and event.type() == QEvent.Type.Resize:
            self.place()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if watched is not self._editor:
                return self._on_key(watched is self.replacement, event)
            if event.key() == Qt.Key.Key_Escape and not self.isHidden():
                self.close_bar()
                return True
        return super().eventFilter(watched, event)

    def _on_key(self, is_replacement: bool, event: QKeyEvent) -> bool:  # noqa: FBT001 - which of two fields
        if event.key() not in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape}:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if not self.replacement.isHidden():
                self._on_replace_all()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.finder.previous()
        elif is_replacement:
            self._on_replace()
        else:
            self.finder.next()
        return True


def _row(spacing: int, *widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(spacing)
    for widget in widgets:
        row.addWidget(widget)
    return row
