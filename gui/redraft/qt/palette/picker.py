"""The picker: a field and a list at the top of the window, for commands, files and all other choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import shiboken6
from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from redraft.qt.palette.matching import rank
from redraft.qt.palette.rows import PickDelegate, PickModel, PickRow
from redraft.qt.theme import Theme
from redraft.qt.widgets.painting import draw_box
from redraft.qt.widgets.plain_label import PlainLabel

WIDTH = 640
MOST_ROWS = 12
TOP = 56


@dataclass(frozen=True, slots=True)
class Question:
    """What the picker asks.

    Attributes:
        placeholder: Shown in the empty field; also the accessible name.
        rows: The choices.
        text: Put into the field at first.
        current: Id of the choice that is highlighted at first.
        answer_text: Whether the text itself is the answer (`on_text` hears it) and the rows are only hints.
        empty: Said when nothing matches.
        is_live: Whether the rows are answers to what is typed, brought from outside by `set_rows`.
    """

    placeholder: str
    rows: tuple[PickRow, ...] = ()
    text: str = ""
    current: str = ""
    answer_text: bool = False
    empty: str = "Nothing matches."
    is_live: bool = False


class Picker(QFrame):
    """Asks one question at a time; Enter chooses, Esc or a click elsewhere leaves everything as it is."""

    closed = Signal()
    keyboard_free = Signal()
    """It was closed, and the keyboard is not anywhere it should stay."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._window = parent
        self._question = Question("")
        self._on_chosen: Callable[[str], None] | None = None
        self._on_text: Callable[[str], None] | None = None
        self._on_typed_text: Callable[[str], None] | None = None
        self._home: QWidget | None = None
        self._is_closing = False
        self._field = QLineEdit(self)
        self._field.setObjectName("paletteField")
        self._field.setFixedHeight(30)
        self._field.textEdited.connect(self._on_typed)
        self._field.installEventFilter(self)
        self._model = PickModel(self)
        self._list = QListView(self)
        self._delegate = PickDelegate(theme, self._list)
        self._dress_list()
        self._empty = PlainLabel(theme, color="text.muted")
        self._empty.setFixedHeight(30)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 5, 1, 6)
        layout.setSpacing(5)
        layout.addWidget(self._field)
        layout.addWidget(self._list)
        layout.addWidget(self._empty)
        self._field.setTextMargins(13, 0, 13, 0)
        self._empty.setContentsMargins(14, 0, 14, 0)
        parent.installEventFilter(self)
        self.hide()

    @property
    def field(self) -> QLineEdit:
        """Where one types."""
        return self._field

    @property
    def shown_ids(self) -> list[str]:
        """The choices listed now, the best first."""
        return [row.item.id for row in self._model.rows]

    @property
    def rows(self) -> list[PickRow]:
        """The choices listed now, whole."""
        return self._model.rows

    @property
    def said(self) -> str:
        """What stands in place of choices; empty while there are some."""
        return "" if self._empty.isHidden() else self._empty.text()

    def ask(
        self,
        question: Question,
        *,
        on_chosen: Callable[[str], None] | None = None,
        on_text: Callable[[str], None] | None = None,
        on_typed: Callable[[str], None] | None = None,
    ) -> None:
        """Show a question; a former one is dropped. `on_typed` hears every change of the text."""
        home = self._home if self.isVisible() else QApplication.focusWidget()
        self.close_question()
        self._home = home
        self._question, self._on_chosen, self._on_text = question, on_chosen, on_text
        self._on_typed_text = on_typed
        self._field.setPlaceholderText(question.placeholder)
        self._field.setAccessibleName(question.placeholder)
        self._field.setText(question.text)
        self._field.selectAll()
        self._fill()
        self._select_current()
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.PopupFocusReason)

    def set_rows(self, rows: Sequence[PickRow], *, empty: str = "Nothing matches.") -> None:
        """List other choices under the same question, as when a folder has been read."""
        row = self._list.currentIndex().row()
        self._question = replace(self._question, rows=tuple(rows), empty=empty)
        self._fill()
        if self._question.is_live and 0 < row < len(self._model.rows):  # more rows came: the choice stays
            self._list.setCurrentIndex(self._model.index(row))

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self._delegate.set_theme(theme)
        self._empty.set_theme(theme)
        self.update()

    def close_question(self) -> None:
        """Leave everything as it is; the keyboard goes back to where it was."""
        if not self.isVisible() or self._is_closing:
            return
        self._is_closing = True
        focused, home, self._home = QApplication.focusWidget(), self._home, None
        if focused is None or self.isAncestorOf(focused):
            # Before it hides: Qt would give the keyboard to whatever comes next in the window.
            self._give_keyboard(home)
        self.hide()
        self._is_closing = False
        self.closed.emit()

    def _give_keyboard(self, home: QWidget | None) -> None:
        if home is not None and shiboken6.isValid(home) and home.isVisible():
            # A text view has a `setFocus` of its own that means something else.
            QWidget.setFocus(home, Qt.FocusReason.OtherFocusReason)
        else:
            self.keyboard_free.emit()

    def _answer(self, hear: Callable[[str], None] | None, answer: str) -> None:
        """Close with an answer: the keyboard is for whoever hears it; a question after this one gives it back."""
        home, self._home = self._home, None
        self.close_question()
        if hear is not None:
            hear(answer)
        if self.isVisible():
            self._home = home

    def _dress_list(self) -> None:
        self._list.setModel(self._model)
        self._list.setItemDelegate(self._delegate)
        self._list.setUniformItemSizes(True)
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setMouseTracking(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._list.entered.connect(self._list.setCurrentIndex)
        self._list.clicked.connect(self._choose)

    def _on_typed(self, text: str) -> None:
        if not self._question.is_live:
            self._fill()
        if self._on_typed_text is not None:
            self._on_typed_text(text)

    def _fill(self) -> None:
        question, typed = self._question, self._field.text()
        if question.answer_text or question.is_live:
            rows = list(question.rows)
        else:
            labels = [row.item.label for row in question.rows]
            rows = [replace(question.rows[m.place], matched=m.positions) for m in rank(typed, labels)]
            if not rows:  # perhaps the words stand in the details
                details = [f"{row.item.label} {row.item.detail} {row.item.note}" for row in question.rows]
                rows = [question.rows[m.place] for m in rank(typed, details)]
            rows.sort(key=lambda row: not row.is_enabled)  # however well it matches, it cannot be chosen
        self._model.set_rows(rows)
        if rows:
            self._list.setCurrentIndex(self._model.index(0))
        self._list.setVisible(bool(rows))
        self._empty.set_text(question.empty)
        self._empty.setVisible(not rows and not question.answer_text)
        self._place()

    def _select_current(self) -> None:
        ids = self.shown_ids
        if self._question.current in ids:
            index = self._model.index(ids.index(self._question.current))
            self._list.setCurrentIndex(index)
            self._list.scrollTo(index)

    def _place(self) -> None:
        parent = self._window
        rows = min(len(self._model.rows), MOST_ROWS)
        self._list.setFixedHeight(rows * self._theme.size("list_row"))
        width = min(WIDTH, parent.width() - 32)
        height = 5 + 30 + 6
        if rows:
            height += 5 + rows * self._theme.size("list_row")
        elif not self._empty.isHidden():
            height += 35
        self.setGeometry((parent.width() - width) // 2, TOP, width, height)

    def _choose(self, index: QModelIndex) -> None:
        row = self._model.rows[index.row()]
        if not row.is_enabled:
            return
        self._answer(self._on_chosen, row.item.id)

    def accept(self) -> None:
        """Choose what is highlighted, or answer with the text."""
        if self._question.answer_text:
            self._answer(self._on_text, self._field.text())
        elif self._list.currentIndex().isValid():
            self._choose(self._list.currentIndex())

    def _move(self, step: int) -> None:
        count = len(self._model.rows)
        if count:
            row = (self._list.currentIndex().row() + step) % count
            self._list.setCurrentIndex(self._model.index(row))
            self._list.scrollTo(self._model.index(row))

    def _on_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: MOST_ROWS, Qt.Key.Key_PageUp: -MOST_ROWS}
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.accept()
        elif key == Qt.Key.Key_Escape:
            self.close_question()
        elif key in steps:
            self._move(steps[Qt.Key(key)])
        else:
            return key in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._on_key(event)
            if event.type() == QEvent.Type.FocusOut:
                self.close_question()
        elif event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        edge = theme.color("border.default")
        draw_box(painter, self.rect(), theme.radius("large"), fill=theme.color("surface.2"), edge=edge)
        if not self._list.isHidden() or not self._empty.isHidden():
            painter.fillRect(QRect(1, 38, self.width() - 2, 1), theme.color("border.soft"))
        painter.end()
