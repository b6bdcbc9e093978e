"""Fields to type or choose in; each knows its value, and says when the user is done with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import Pressable
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

INSET = 11
SWITCH = QSize(34, 20)
MOST_ROWS = 8


class TextField(QLineEdit):
    """One line; `note` stands dimmed at its right, as a unit does. `committed` comes on Enter and on leaving it."""

    committed = Signal()

    def __init__(self, theme: Theme, text: str = "", *, note: str = "", code: bool = False) -> None:
        super().__init__(text)
        self._theme = theme
        self._note = note
        self._is_code = code
        self._known = text
        self.editingFinished.connect(self._on_finished)
        self.set_theme(theme)

    @property
    def note(self) -> str:
        """What stands at the right."""
        return self._note

    def value(self) -> str:
        """What is written."""
        return self.text()

    def set_value(self, value: object) -> None:
        """Write something else; that is no change of the user's."""
        self._known = str(value)
        if self.text() != self._known:
            self.setText(self._known)

    def set_note(self, note: str) -> None:
        """Show something else at the right."""
        self._note = note
        self._make_room()

    def set_invalid(self, invalid: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Whether what is written cannot be taken."""
        if bool(self.property("invalid")) != invalid:
            self.setProperty("invalid", invalid)
            self.style().unpolish(self)
            self.style().polish(self)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.setFont(code_font(theme) if self._is_code else theme.font("body", tabular=True))
        self._make_room()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._note:
            painter = QPainter(self)
            painter.setFont(self._theme.font("body"))
            painter.setPen(self._theme.color("text.muted"))
            box = self.rect().adjusted(INSET, 0, -INSET, 0)
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._note)
            painter.end()

    def _make_room(self) -> None:
        width = QFontMetrics(self._theme.font("body")).horizontalAdvance(self._note)
        self.setTextMargins(0, 0, width + 6 if self._note else 0, 0)
        self.update()

    def _on_finished(self) -> None:
        if self.text() != self._known:
            self._known = self.text()
            self.committed.emit()


class ChoiceField(QComboBox):
    """One of several values, each shown by its label. The wheel does nothing: it scrolls the page."""

    committed = Signal()

    def __init__(self, theme: Theme, choices: Sequence[tuple[str, str]] = (), *, icon: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_choices(choices)
        self.activated.connect(lambda _place: self.committed.emit())
        self.set_theme(theme)

    def value(self) -> str:
        """The value chosen."""
        return str(self.currentData() or "")

    def set_value(self, value: object) -> None:
        """Choose a value; one that is not offered is offered from now on."""
        place = self.findData(value)
        if place < 0:
            self.addItem(str(value), value)
            place = self.count() - 1
        self.setCurrentIndex(place)

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer other values, as value and label; what was chosen stays chosen."""
        before = self.value() if self.count() else None
        self.clear()
        for value, label in choices:
            self.addItem(label, value)
        if before is not None:
            self.set_value(before)

    def set_invalid(self, invalid: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """A choice always fits."""

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.setFont(theme.font("body"))
        if self._icon:
            self.setStyleSheet("QComboBox { padding-left: 30px; } QComboBox:focus { padding-left: 29px; }")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        draw_caret(painter, self, self._theme)
        if self._icon:
            painter.setPen(self._theme.color("text.muted"))
            draw_glyph(painter, QRect(11, (self.height() - 14) // 2, 14, 14), self._theme.icon_char(self._icon))
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class Switch(Pressable):
    """On or off."""

    committed = Signal()

    def __init__(self, theme: Theme, *, on: bool = False) -> None:
        super().__init__(theme)
        self.setCheckable(True)
        self.setChecked(on)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _on: self.committed.emit())

    def value(self) -> bool:
        """Whether it is on."""
        return self.isChecked()

    def set_value(self, value: object) -> None:
        """Switch it; that is no change of the user's."""
        self.setChecked(bool(value))

    def set_invalid(self, invalid: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """A switch always fits."""

    def draw(self, painter: QPainter) -> None:
        """Draw the track and the knob."""
        theme, on = self.theme, self.isChecked()
        fill = theme.color("accent.fill" if on else "surface.4")
        edge = None if on else theme.color("border.strong")
        draw_box(painter, self.rect(), self.height() / 2, fill=fill, edge=edge)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("text.on_fill" if on else "text.secondary"))
        knob = self.height() - 8
        painter.drawEllipse(self.width() - knob - 4 if on else 4, 4, knob, knob)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), self.height() / 2, theme)

    def sizeHint(self) -> QSize:
        return SWITCH


class ListField(QPlainTextEdit):
    """Texts, one a line. `committed` comes on leaving it and on Ctrl+Enter; Tab goes on to the next field."""

    committed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._known: tuple[str, ...] = ()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.textChanged.connect(self._fit)
        self.set_theme(theme)

    def value(self) -> tuple[str, ...]:
        """The texts; blank lines do not count."""
        return tuple(line.strip() for line in self.toPlainText().splitlines() if line.strip())

    def set_value(self, value: object) -> None:
        """Show other texts; that is no change of the user's."""
        self._known = tuple(value) if isinstance(value, (tuple, list)) else ()
        if self.value() != self._known:
            self.setPlainText("\n".join(self._known))

    def set_invalid(self, invalid: bool) -> None:  # noqa: FBT001 - a Qt-style setter of one fact
        """Any texts fit."""

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self.setFont(code_font(theme))
        self._fit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._commit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enters = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enters and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._commit()
            return
        super().keyPressEvent(event)

    def _commit(self) -> None:
        if self.value() != self._known:
            self._known = self.value()
            self.committed.emit()

    def _fit(self) -> None:
        rows = max(2, min(self.blockCount(), MOST_ROWS))
        self.setFixedHeight(rows * QFontMetrics(self.font()).lineSpacing() + 24)


Field = TextField | ChoiceField | Switch | ListField


def code_font(theme: Theme) -> QFont:
    """The font of code in a field: a step smaller than in the text, as fields are."""
    font = theme.code_font()
    font.setPixelSize(font.pixelSize() - 1)
    return font


def draw_caret(painter: QPainter, widget: QWidget, theme: Theme) -> None:
    """Draw the small arrow of a field that opens a list."""
    painter.setPen(theme.color("text.secondary" if widget.isEnabled() else "text.disabled"))
    box = QRect(widget.width() - 24, (widget.height() - 12) // 2, 12, 12)
    draw_glyph(painter, box, theme.icon_char("expanded"))
