"""Lexes text that is not in the buffer, as if it stood there: for proposals and predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtGui import QColor
from pyside6_scintilla import ScintillaEdit

from redraft.qt.editor.highlight import first_line_outside_docstring
from redraft.qt.editor.lexers import set_lexer
from redraft.qt.editor.raw import Message, read_styled, send_bytes
from redraft.qt.editor.refine import Refiner
from redraft.qt.editor.syntax import TEXT, look_of, syntax_classes, syntax_of

if TYPE_CHECKING:
    from redraft.qt.editor.code_editor import CodeEditor

_FIRST_FINE: Final = 160
"""Style numbers from here on are the classes a lexer does not tell."""


class ScratchLexer:
    """A hidden document in the language of an editor; made when first needed.

    Style numbers have a meaning for `style_look` of the same object only.
    """

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._scratch: ScintillaEdit | None = None
        self._language_id = ""
        self._classes: dict[int, str] = {}
        self._refiner: Refiner | None = None
        self._content = b""

    def style(self, text_before: str, text: str) -> bytes:
        """The style number of each UTF-8 byte of `text`, standing after `text_before`.

        Text that goes on where the last call ended costs only what is new.
        """
        before, after = text_before.encode("utf-8", "replace"), text.encode("utf-8", "replace")
        scratch = self._prepared()
        self._fill(scratch, before + after)
        start = scratch.positionFromLine(self._first_line(scratch, len(before)))
        content, styles = read_styled(scratch, start, len(self._content))
        refined = self._refined(content, styles)
        return refined[len(before) - start :]

    def style_look(self, style: int) -> tuple[QColor, bool, bool]:
        """Colour, bold and italic of a style number."""
        theme = self._editor.theme
        if style >= _FIRST_FINE:
            look = look_of(syntax_classes(theme)[style - _FIRST_FINE], theme)
        else:
            look = look_of(self._classes.get(style, TEXT), theme)
        return look.color, look.bold, look.italic

    def dispose(self) -> None:
        """Let the hidden document go."""
        if self._scratch is not None:
            self._scratch.deleteLater()
            self._scratch = None

    def _prepared(self) -> ScintillaEdit:
        scratch = self._scratch
        if scratch is None:
            scratch = self._scratch = ScintillaEdit(self._editor)
            scratch.hide()
            scratch.setCodePage(65001)
            scratch.setUndoCollection(False)
            scratch.setModEventMask(0)
            self._language_id = ""
        if self._language_id != self._editor.language_id:
            self._language_id = self._editor.language_id
            syntax = syntax_of(self._language_id)
            self._classes = set_lexer(scratch, syntax)
            self._refiner = Refiner(syntax, self._classes)
            self._content = b""
            scratch.clearAll()
        return scratch

    def _fill(self, scratch: ScintillaEdit, content: bytes) -> None:
        known = len(self._content)
        if not content.startswith(self._content):
            scratch.clearAll()
            known = 0
        if len(content) > known:
            added = content[known:]
            send_bytes(scratch, Message.AppendText, len(added), added)
        if self._classes:
            scratch.colourise(min(scratch.endStyled(), known), -1)
        self._content = content

    def _first_line(self, scratch: ScintillaEdit, position: int) -> int:
        line = scratch.lineFromPosition(position)
        return first_line_outside_docstring(scratch, line, self._refiner) if self._refiner else line

    def _refined(self, content: bytes, styles: bytes) -> bytes:
        if self._refiner is None or not self._refiner.is_active:
            return styles
        numbers = {name: _FIRST_FINE + place for place, name in enumerate(syntax_classes(self._editor.theme))}
        refined = bytearray(styles)
        for span in self._refiner.spans(content, styles):
            refined[span.start : span.end] = bytes([numbers[span.name]]) * (span.end - span.start)
        return bytes(refined)
