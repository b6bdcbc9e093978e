"""Turns key presses into commands, before the widget in focus sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from redraft.core.errors import RedraftError
from redraft.host.keybindings import Keybinding
from redraft.host.keys import Key
from redraft.host.registries import Registries

UNSHIFTED: Final = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))
"""Which key gives a sign with Shift on the usual layout: keys are written as the key, not as the sign."""

MODIFIER_KEYS: Final = frozenset({
    Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta,
    Qt.Key.Key_Super_L, Qt.Key.Key_Super_R, Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_unknown,
})  # fmt: skip


def keys_of(event: QKeyEvent) -> tuple[Key, ...]:
    """The keys that a press may mean, the likeliest first."""
    if event.key() in MODIFIER_KEYS:
        return ()
    keypad = Qt.KeyboardModifier.KeypadModifier
    modifiers = event.modifiers() & ~keypad
    return tuple(dict.fromkeys(_keys(event.key(), modifiers)))


def _keys(code: int, modifiers: Qt.KeyboardModifier) -> Iterator[Key]:
    if code == Qt.Key.Key_Backtab:
        code, modifiers = Qt.Key.Key_Tab, modifiers | Qt.KeyboardModifier.ShiftModifier
    names = [QKeySequence(code).toString(QKeySequence.SequenceFormat.PortableText)]
    shift = Qt.KeyboardModifier.ShiftModifier
    spelled = _spelled(modifiers)
    if modifiers & shift and names[0] in UNSHIFTED:
        yield from _parsed(f"{spelled}{UNSHIFTED[names[0]]}")
        # "Ctrl++" is pressed with Shift, but nobody says so.
        yield from _parsed(f"{_spelled(modifiers & ~shift)}{names[0]}")
    yield from _parsed(f"{spelled}{names[0]}")


def _spelled(modifiers: Qt.KeyboardModifier) -> str:
    held = (
        (Qt.KeyboardModifier.ControlModifier, "Ctrl+"),
        (Qt.KeyboardModifier.AltModifier, "Alt+"),
        (Qt.KeyboardModifier.ShiftModifier, "Shift+"),
        (Qt.KeyboardModifier.MetaModifier, "Meta+"),
    )
    return "".join(name for modifier, name in held if modifiers & modifier)


def _parsed(text: str) -> Iterator[Key]:
    try:
        yield Key.parse(text)
    except ValueError:
        return


class KeyDispatcher(QObject):
    """Watches the keys pressed in one window and runs what the key map says.

    A command that cannot run now leaves the key to the next one, and at last to the widget. Not so a second press right
    after the one that ran it, or a key that is held down: Ctrl+Enter that accepts all must not go on to begin a line.
    `before` is called first, to bring context keys up to date that change without a word, such as who has the keyboard.
    """

    def __init__(
        self,
        registries: Registries,
        window: QWidget,
        before: Callable[[], None],
        on_error: Callable[[RedraftError], None],
    ) -> None:
        super().__init__(window)
        self._registries = registries
        self._window = window
        self._before = before
        self._on_error = on_error
        self._last: tuple[Key, ...] = ()
        self._ran = ""
        self._since = QElapsedTimer()
        application = QApplication.instance()
        if application is not None:
            application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind not in {QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride} or not isinstance(event, QKeyEvent):
            return False
        if not isinstance(watched, QWidget) or watched.window() is not self._window:
            return False
        if QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None:
            return False
        if kind == QEvent.Type.ShortcutOverride:
            return False
        return self.press(event)

    def press(self, event: QKeyEvent) -> bool:
        """Run the command of a key; return whether there was one that could run."""
        self._before()
        keys = keys_of(event)
        if not keys:
            return False
        is_again = keys == self._last and self._is_soon(event)
        binding = self._binding_of(keys)
        if is_again and (binding is None or binding.command != self._ran):
            return True
        self._last, self._ran = (keys, binding.command) if binding is not None else ((), "")
        if binding is None:
            return False
        try:
            self._registries.commands.execute(binding.command, *binding.args)
        except RedraftError as error:
            self._on_error(error)
        finally:
            self._since.start()
        return True

    def _binding_of(self, keys: tuple[Key, ...]) -> Keybinding | None:
        context, commands = self._registries.context, self._registries.commands
        for key in keys:
            for binding in self._registries.keymap.candidates(key):
                if binding.when.holds(context) and commands.is_enabled(binding.command):
                    return binding
        return None

    def _is_soon(self, event: QKeyEvent) -> bool:
        """Whether a press belongs to the one before: held down, or as quick as a double click; plain keys never do."""
        held = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        is_quick = self._since.elapsed() < QApplication.doubleClickInterval()
        return bool(held) and (event.isAutoRepeat() or is_quick)
