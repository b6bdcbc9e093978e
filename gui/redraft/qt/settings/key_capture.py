"""The strip in which a key is given to a command by pressing it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle
from redraft.host.keybindings import Keybinding, Keymap
from redraft.host.keys import Key
from redraft.host.registries import Registries
from redraft.qt.keys import keys_of
from redraft.qt.settings.surfaces import Strip, Words
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton, PlainLabel
from redraft.qt.widgets.nesting import nest
from redraft.qt.widgets.painting import draw_box, draw_focus_ring

ASKED = "Press a key, then Enter to take it; Esc leaves all as it is."


class KeyPad(QWidget):
    """Takes every key press while it has the keyboard, and shows the last one."""

    pressed = Signal(object)
    taken = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._label = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedSize(200, theme.size("button_large"))
        self.setAccessibleName("Press a key")

    def show_key(self, label: str) -> None:
        """Show a key."""
        self._label = label
        self.setAccessibleDescription(label)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self._theme = theme
        self.update()

    def event(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._press(event)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, radius = self._theme, self._theme.radius("medium")
        painter = QPainter(self)
        draw_box(painter, self.rect(), radius, fill=theme.color("surface.0"), edge=theme.color("border.strong"))
        painter.setFont(theme.font("body"))
        painter.setPen(theme.color("text.primary" if self._label else "text.muted"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._label or "Press a key")
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), radius, theme)
        painter.end()

    def _press(self, event: QKeyEvent) -> None:
        keys = keys_of(event)
        if not keys:
            return
        if str(keys[0]) == "Esc":
            self.left.emit()
        elif str(keys[0]) == "Enter" and self._label:
            self.taken.emit()
        else:
            self.pressed.emit(keys[0])


class KeyCapture(Strip):
    """Asks for the key of one command; `taken` hands it over, `cleared` wants it to have none."""

    taken = Signal(str, object)
    left = Signal()

    def __init__(self, theme: Theme, registries: Registries) -> None:
        super().__init__(theme)
        self._registries = registries
        self._command = ""
        self._key: Key | None = None
        self._title = PlainLabel(theme, color="text.primary", weight=500)
        self.words = Words(theme, ASKED, color="text.secondary")
        self.pad = KeyPad(theme)
        self.take = KeyButton(theme, "Take this key", key="Enter", style=ActionStyle.PRIMARY)
        self.leave = KeyButton(theme, "Cancel", key="Esc", style=ActionStyle.FLAT)
        self._lay_out()
        self.pad.pressed.connect(self._on_pressed)
        self.pad.taken.connect(self._on_taken)
        self.pad.left.connect(self._on_left)
        self.take.clicked.connect(lambda _=False: self._on_taken())
        self.leave.clicked.connect(lambda _=False: self._on_left())
        self.hide()

    @property
    def command(self) -> str:
        """The command a key is wanted for; empty while none is."""
        return self._command

    def ask(self, command: str) -> None:
        """Ask for the key of a command."""
        self._command, self._key = command, None
        self._title.set_text(f"New key for “{self._registries.commands.get(command).title}”")
        self.pad.show_key("")
        self.words.setText(ASKED)
        self.take.setEnabled(False)
        self.show()
        self.pad.setFocus()

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 76)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self.words)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(15, 12, 12, 12)
        layout.setSpacing(8)
        nest(layout, words, 1)
        for widget in (self.pad, self.leave, self.take):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def _on_pressed(self, key: Key) -> None:
        self._key = key
        self.pad.show_key(str(key))
        self.take.setEnabled(True)
        rivals = rivals_of(self._registries.keymap, self._command, key)
        self.words.setText(describe(rivals, self._registries) if rivals else "This key is free.")

    def _on_taken(self) -> None:
        if self._key is not None:
            command, key = self._command, self._key
            self._on_left()
            self.taken.emit(command, key)

    def _on_left(self) -> None:
        self._command = ""
        self.hide()
        self.left.emit()


def rivals_of(keymap: Keymap, command: str, key: Key) -> list[Keybinding]:
    """What else a key does now."""
    return [binding for binding in keymap.using(key) if binding.command != command]


def describe(rivals: Sequence[Keybinding], registries: Registries) -> str:
    """What a key does already, as one sentence."""
    known = {command.id: command.title for command in registries.commands.all()}
    names = " and ".join(dict.fromkeys(f"“{known.get(rival.command, rival.command)}”" for rival in rivals))
    when = rivals[0].when.text
    return f"It already runs {names}{f' while {when}' if when else ''}; the key you give here goes first."
