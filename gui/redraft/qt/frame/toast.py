"""Toasts: one sentence and one action, above the status bar, for what has no place of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, QSize, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle, Tone
from redraft.qt.icons import draw_glyph
from redraft.qt.theme import Theme
from redraft.qt.widgets import IconButton, KeyButton, PlainLabel
from redraft.qt.widgets.painting import draw_box

STAYS = 6000
"""Milliseconds."""

STAYS_WITH_ERROR = 15_000
"""Milliseconds."""

MOST = 3
MARGIN = 16
ICONS = {
    Tone.PLAIN: ("info", "state.info"),
    Tone.ACCENT: ("info", "accent.text"),
    Tone.OK: ("ok", "state.ok"),
    Tone.WARN: ("problem", "state.warn"),
    Tone.ERROR: ("error", "state.error"),
}


@dataclass(frozen=True, slots=True)
class ToastModel:
    """One sentence, and what its button is called."""

    text: str
    action: str = ""
    tone: Tone = Tone.PLAIN


class Toast(QWidget):
    """One toast; it goes by itself, unless the pointer rests on it or it offers to mend something."""

    action_chosen = Signal()
    gone = Signal()

    def __init__(self, theme: Theme, model: ToastModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.model = model
        self._label = PlainLabel(theme, model.text, color="text.primary")
        self._close = IconButton(theme, "close", "Dismiss", side=24, icon_size=12)
        self._parts: list[PlainLabel | IconButton | KeyButton] = [self._label, self._close]
        self._close.clicked.connect(self.gone)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(36, 6, 6, 6)
        layout.setSpacing(8)
        layout.addWidget(self._label, 1)
        if model.action:
            button = KeyButton(theme, model.action, style=ActionStyle.DEFAULT)
            button.clicked.connect(self.action_chosen)
            layout.addWidget(button)
            self._parts.append(button)
        layout.addWidget(self._close)
        self._timer = QTimer(self, singleShot=True)
        self._timer.setInterval(STAYS_WITH_ERROR if model.tone is Tone.ERROR else STAYS)
        self._timer.timeout.connect(self.gone)
        # What offers to save someone's work waits for them.
        self._stays = bool(model.action) and model.tone in {Tone.WARN, Tone.ERROR}
        self._start()
        self.setAccessibleName(model.text)

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        for part in self._parts:
            part.set_theme(theme)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 36)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        edge = theme.color("border.default")
        draw_box(painter, self.rect(), theme.radius("medium"), fill=theme.color("surface.2"), edge=edge)
        icon, color = ICONS[self.model.tone]
        painter.setPen(theme.color(color))
        draw_glyph(painter, QRect(12, (self.height() - 16) // 2, 16, 16), theme.icon_char(icon))
        painter.end()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._start()
        super().leaveEvent(event)

    def _start(self) -> None:
        if not self._stays:
            self._timer.start()


class Toasts(QObject):
    """Places toasts at the lower right of a widget, the newest lowest; at most three at a time."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parent = parent
        self._toasts: list[Toast] = []
        parent.installEventFilter(self)

    @property
    def shown(self) -> list[Toast]:
        """The toasts on screen, the newest last."""
        return self._toasts

    def show(self, model: ToastModel, on_action: Callable[[], None] | None = None) -> None:
        """Say a sentence; the same one is not said twice at a time."""
        for toast in [toast for toast in self._toasts if toast.model == model]:
            self._drop(toast)
        while len(self._toasts) >= MOST:
            self._drop(self._toasts[0])
        toast = Toast(self._theme, model, self._parent)
        toast.gone.connect(lambda: self._drop(toast))
        toast.action_chosen.connect(lambda: self._on_action(toast, on_action))
        self._toasts.append(toast)
        self._place()
        toast.show()
        toast.raise_()

    def set_theme(self, theme: Theme) -> None:
        """Draw those on screen, and those to come, in another theme."""
        self._theme = theme
        for toast in self._toasts:
            toast.set_theme(theme)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _on_action(self, toast: Toast, on_action: Callable[[], None] | None) -> None:
        self._drop(toast)
        if on_action is not None:
            on_action()

    def _drop(self, toast: Toast) -> None:
        if toast in self._toasts:
            self._toasts.remove(toast)
            toast.hide()
            toast.deleteLater()
            self._place()

    def _place(self) -> None:
        bottom = self._parent.height() - self._theme.size("status_bar") - MARGIN
        for toast in reversed(self._toasts):
            size = toast.sizeHint()
            width = min(size.width(), self._parent.width() - 2 * MARGIN)
            toast.setGeometry(self._parent.width() - width - MARGIN, bottom - size.height(), width, size.height())
            bottom -= size.height() + 8
