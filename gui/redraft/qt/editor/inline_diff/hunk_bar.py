"""The joined buttons at the right of a hunk's first row: quiet, or filled with keys and place where it is current."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from redraft.api.inline_diff import DiffKeys
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import Pressable
from redraft.qt.widgets.painting import draw_focus_ring, set_plain_tooltip

PADDING: Final = 8
GAP: Final = 5
ICON: Final = 11
RADIUS: Final = 5


class Wish(Enum):
    """What a button of the bar is for."""

    PLACE = "place"
    PREVIOUS = "previous"
    NEXT = "next"
    ACCEPT = "accept"
    REJECT = "reject"


ICONS = {Wish.PREVIOUS: "previous_hunk", Wish.NEXT: "next_hunk", Wish.ACCEPT: "accept", Wish.REJECT: "reject"}
NAMES = {
    Wish.PREVIOUS: "Previous hunk",
    Wish.NEXT: "Next hunk",
    Wish.ACCEPT: "Accept hunk",
    Wish.REJECT: "Reject hunk",
}
LABELS = {Wish.ACCEPT: "Accept", Wish.REJECT: "Reject"}


class HunkButton(Pressable):
    """One part of the bar; the bar draws the box around all of them."""

    def __init__(self, theme: Theme, wish: Wish, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self.wish = wish
        self._label = LABELS.get(wish, "")
        self._key = ""
        self._is_current = False
        self._has_room = True
        if wish is Wish.PLACE:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.setEnabled(False)
        else:
            self.setAccessibleName(NAMES[wish])

    def show_state(self, *, label: str = "", key: str = "", current: bool = False) -> None:
        """Show another key, and how it looks."""
        self._label = label or LABELS.get(self.wish, "")
        self._key = key if current else ""
        self._is_current = current
        self._has_room = True
        if self.wish is not Wish.PLACE:
            set_plain_tooltip(self, f"{NAMES[self.wish]}  {key}" if key else NAMES[self.wish])
            self.setAccessibleDescription(key)
        self.update()

    def leave_out_key(self) -> None:
        """Draw no key: there is no room for it. The tooltip tells it."""
        self._has_room = False
        self.update()

    @property
    def _texts(self) -> tuple[str, str]:
        return self._label, self._key if self._has_room else ""

    @property
    def is_filled(self) -> bool:
        """Whether it is the one filled button of the bar."""
        return self._is_current and self.wish is Wish.ACCEPT and self.isEnabled()

    def fill(self) -> str:
        """The token of its ground."""
        if self.is_filled:
            return "accept.fill_hover" if self.is_hovered or self.isDown() else "accept.fill"
        if self.isDown():
            return "surface.4"
        return "surface.3" if self.is_hovered and self.wish is not Wish.PLACE else "surface.2"

    def draw(self, painter: QPainter) -> None:
        """Draw icon, label and key."""
        theme = self.theme
        label, key = self._colors()
        x = PADDING
        if self.wish in ICONS:
            painter.setPen(theme.color(label))
            draw_glyph(painter, QRect(x, (self.height() - ICON) // 2, ICON, ICON), theme.icon_char(ICONS[self.wish]))
            x += ICON + GAP
        for text, color in zip(self._texts, (label, key), strict=True):
            if text:
                painter.setFont(self._font())
                painter.setPen(theme.color(color))
                painter.drawText(QRect(x, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, text)
                x += self._text_width(text) + GAP
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), RADIUS - 1, theme)

    def sizeHint(self) -> QSize:
        parts = [self._text_width(text) for text in self._texts if text]
        if self.wish in ICONS:
            parts.append(ICON)
        return QSize(2 * PADDING + sum(parts) + GAP * (len(parts) - 1), self.theme.size("button_small"))

    def _colors(self) -> tuple[str, str]:
        if self.wish is Wish.PLACE:
            return "text.primary", "text.primary"
        if not self.isEnabled():
            return "text.disabled", "text.disabled"
        if self.is_filled:
            return "text.on_fill", "text.on_fill"
        if self.wish is Wish.ACCEPT:
            return "accept.text", "text.secondary"
        if self.wish is Wish.REJECT:
            return "reject.text", "text.secondary"
        return "text.secondary", "text.secondary"

    def _font(self) -> QFont:
        return self.theme.font("micro", tabular=True)

    def _text_width(self, text: str) -> int:
        return QFontMetrics(self.theme.font("micro", tabular=True)).horizontalAdvance(text)


class HunkBar(QWidget):
    """The buttons of one hunk."""

    pressed = Signal(object)
    entered = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_current = False
        self._shown: tuple[object, ...] = ()
        self.hunk_id = -1
        self.buttons = {wish: HunkButton(theme, wish, self) for wish in Wish}
        for wish, button in self.buttons.items():
            button.clicked.connect(lambda _checked=False, wish=wish: self.pressed.emit(wish))
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for button in self.buttons.values():
            button.set_theme(theme)
        self._shown = ()
        self.update()

    def show_hunk(
        self, hunk_id: int, keys: DiffKeys, *, place: str, current: bool, can_accept: bool, room: int | None = None
    ) -> None:
        """Show the buttons of a hunk; `place` (`"2/3"`) and the ways to its neighbours stand on the current one.

        Where they are wider than `room`, in px, keys are left out: first those of the ways.
        """
        state = (hunk_id, keys, place, current, can_accept, room)
        if state == self._shown:
            return
        self._shown = state
        self.hunk_id = hunk_id
        self._is_current = current
        labels = {
            Wish.PREVIOUS: keys.previous,
            Wish.NEXT: keys.next,
            Wish.ACCEPT: keys.accept,
            Wish.REJECT: keys.reject,
        }
        for wish, button in self.buttons.items():
            label = place if wish is Wish.PLACE else ""
            button.show_state(label=label, key=labels.get(wish, ""), current=current)
            button.setVisible(wish in LABELS or (current and bool(place)))
        self.buttons[Wish.ACCEPT].setEnabled(can_accept)
        self._arrange()
        for wishes in ((Wish.PREVIOUS, Wish.NEXT), LABELS):
            if room is not None and self.width() > room:
                for wish in wishes:
                    self.buttons[wish].leave_out_key()
                self._arrange()
        self.update()

    def set_description(self, words: str) -> None:
        """Tell screen readers what the hunk is."""
        self.setAccessibleName(words)
        for wish, button in self.buttons.items():
            if wish in LABELS:
                button.setAccessibleName(f"{NAMES[wish]}: {words}")

    def _arrange(self) -> None:
        x = 0
        for button in self.buttons.values():
            if button.isVisibleTo(self):
                width = button.sizeHint().width()
                button.setGeometry(x, 0, width, button.sizeHint().height())
                x += width + 1
        self.resize(max(x - 1, 1), self._theme.size("button_small"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no button wants end here: the text below never takes them for typing."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = self._theme
        edge = theme.color("border.strong" if self._is_current else "border.default")
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setClipPath(shape)
        painter.fillRect(self.rect(), theme.color("surface.2"))
        for button in self.buttons.values():
            if button.isVisibleTo(self):
                painter.fillRect(button.geometry(), theme.color(button.fill()))
                if button.x():
                    painter.fillRect(button.x() - 1, 0, 1, self.height(), edge)
        painter.setClipping(False)
        painter.setPen(QPen(edge, 1))
        painter.drawPath(shape)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """A hovered button changes the ground, which the bar draws."""
        if event.type() in {QEvent.Type.HoverMove, QEvent.Type.HoverEnter, QEvent.Type.HoverLeave}:
            self.update()
        return super().event(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.entered.emit()
        super().enterEvent(event)
