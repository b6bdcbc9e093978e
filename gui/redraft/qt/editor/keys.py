"""Takes away the keys Scintilla would bind by itself, where the application's key map is to decide."""

from __future__ import annotations

from typing import Final

from pyside6_scintilla import ScintillaEdit

_SHIFT, _CTRL = 1 << 16, 2 << 16
_LETTERS: Final = "BDEFGHIJKLMNOPQRSTUW[]/\\"
"""All but the universal ones: select all, copy, cut, paste, undo, redo."""


def release_keys(editor: ScintillaEdit) -> None:
    """Leave movement, deletion, plain typing and the universal keys to Scintilla."""
    for letter in _LETTERS:
        editor.clearCmdKey(ord(letter) | _CTRL)
        editor.clearCmdKey(ord(letter) | _CTRL | _SHIFT)
