"""One key with its modifiers, in one normal form whatever way it was written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_SEQUENCE: Final = re.compile(r"[^+\s]\s+[^+\s]|\w,\w")
_MODIFIERS: Final = {
    "ctrl": "Ctrl",
    "control": "Ctrl",
    "alt": "Alt",
    "option": "Alt",
    "shift": "Shift",
    "meta": "Meta",
    "win": "Meta",
    "super": "Meta",
}
_ORDER: Final = ("Ctrl", "Alt", "Shift", "Meta")

_NAMED: Final = {
    "enter": "Enter",
    "return": "Enter",
    "esc": "Esc",
    "escape": "Esc",
    "tab": "Tab",
    "space": "Space",
    "backspace": "Backspace",
    "delete": "Delete",
    "del": "Delete",
    "insert": "Insert",
    "ins": "Insert",
    "home": "Home",
    "end": "End",
    "pageup": "PageUp",
    "pgup": "PageUp",
    "pagedown": "PageDown",
    "pgdown": "PageDown",
    "pgdn": "PageDown",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "menu": "Menu",
    "plus": "+",
    "minus": "-",
    "comma": ",",
    "period": ".",
    "semicolon": ";",
    "slash": "/",
    "backslash": "\\",
    "backtick": "`",
}


@dataclass(frozen=True, slots=True)
class Key:
    """A key and the modifiers held with it; `str(key)` is its normal form and its label (`"Ctrl+Shift+;"`).

    Attributes:
        modifiers: Some of Ctrl, Alt, Shift and Meta, in this order.
        name: The key: an upper-case letter, a digit, a sign, `F1` to `F24`, or a name such as `Enter`.
    """

    modifiers: tuple[str, ...]
    name: str

    @classmethod
    def parse(cls, text: str) -> Key:
        """Read a key as people write it: any case, any order, common other names.

        Raises:
            ValueError: It is no single key; sequences of keys are not supported.
        """
        if _SEQUENCE.search(text):
            raise ValueError(f"{text!r} is a sequence of keys; a command takes a single key with modifiers")
        head, _, name = text.strip().rpartition("+")
        if not name and (not head or head.endswith("+")) and "+" in text:  # "Ctrl++": the plus sign is the key
            head, name = head.removesuffix("+"), "+"
        modifiers = _modifiers(head, text) if head else ()
        return cls(modifiers, _key_name(name.strip(), text))

    def __str__(self) -> str:
        return "+".join((*self.modifiers, self.name))


def _modifiers(head: str, text: str) -> tuple[str, ...]:
    held = {_modifier(part.strip(), text) for part in head.split("+")}
    return tuple(name for name in _ORDER if name in held)


def _modifier(part: str, text: str) -> str:
    try:
        return _MODIFIERS[part.lower()]
    except KeyError:
        raise ValueError(f"{text!r} is not a key: {part!r} is no modifier (Ctrl, Alt, Shift, Meta)") from None


def _key_name(name: str, text: str) -> str:
    lower = name.lower()
    if lower in _NAMED:
        return _NAMED[lower]
    if len(name) == 1 and name.isprintable() and not name.isspace():
        return name.upper()
    if lower[:1] == "f" and lower[1:].isdecimal() and 1 <= int(lower[1:]) <= 24:
        return f"F{int(lower[1:])}"
    raise ValueError(f"{text!r} is not a key: {name!r} is unknown")
