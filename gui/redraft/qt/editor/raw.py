"""Bytes to and from Scintilla by address: its Python methods take only `str` and cannot carry style bytes or NULs."""

from __future__ import annotations

import ctypes
from typing import Final

from PySide6.QtGui import QColor
from pyside6_scintilla import Scintilla, ScintillaEdit

Message: Final = Scintilla.Message


class _StyledRange(ctypes.Structure):
    _fields_ = (("start", ctypes.c_ssize_t), ("end", ctypes.c_ssize_t), ("buffer", ctypes.c_void_p))


def send_bytes(editor: ScintillaEdit, message: Scintilla.Message, parameter: int, data: bytes) -> int:
    """Send a message whose second parameter points to bytes; they are copied before this returns."""
    address = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
    return editor.send(message, parameter, address)


def read_text(editor: ScintillaEdit) -> bytes:
    """All bytes of the document."""
    length = editor.length()
    return ctypes.string_at(editor.characterPointer(), length) if length else b""


def read_styled(editor: ScintillaEdit, start: int, end: int) -> tuple[bytes, bytes]:
    """The bytes from `start` to `end`, and the style number of each."""
    buffer = ctypes.create_string_buffer(2 * (end - start) + 2)
    wanted = _StyledRange(start, end, ctypes.addressof(buffer))
    length = editor.send(Message.GetStyledTextFull, 0, ctypes.addressof(wanted))
    cells = buffer.raw[:length]
    return cells[0::2], cells[1::2]


def set_representation(
    editor: ScintillaEdit, character: str, shown: str, *, colour: QColor | None = None, is_blob: bool = False
) -> None:
    """Draw a character as other text, on a box of a colour where one is given."""
    # Both must stay alive until the last call has returned.
    encoded, text = ctypes.c_char_p(character.encode()), ctypes.c_char_p(shown.encode())
    place = ctypes.cast(encoded, ctypes.c_void_p).value
    look = Scintilla.RepresentationAppearance
    editor.send(Message.SetRepresentation, place, ctypes.cast(text, ctypes.c_void_p).value)
    appearance = (look.Blob if is_blob else look.Plain) | (look.Colour if colour else look.Plain)
    editor.send(Message.SetRepresentationAppearance, place, int(appearance))
    if colour:
        editor.send(Message.SetRepresentationColour, place, abgr(colour))


def bgr(colour: QColor) -> int:
    """A colour as Scintilla's styles and markers want it."""
    return colour.red() | colour.green() << 8 | colour.blue() << 16


def abgr(colour: QColor) -> int:
    """A colour as Scintilla's elements want it, with its alpha."""
    return bgr(colour) | colour.alpha() << 24
