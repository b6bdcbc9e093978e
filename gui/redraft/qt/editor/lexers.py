"""Gives an editor the lexer of a language, and its styles their colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lexilla import create_lexer
from pyside6_scintilla import Scintilla, ScintillaEdit

from redraft.qt.editor.raw import Message, bgr
from redraft.qt.editor.syntax import Syntax, indexed_classes, look_of
from redraft.qt.theme import Theme

_FIXED_STYLES: Final = range(Scintilla.StylesCommon.Default, Scintilla.StylesCommon.LastPredefined + 1)
_FOLDING: Final = {"fold": "1", "fold.compact": "0", "fold.comment": "1"}


def set_lexer(editor: ScintillaEdit, syntax: Syntax) -> dict[int, str]:
    """Have a document lexed as a language; return the syntax class of each of its style numbers."""
    lexer = create_lexer(syntax.lexer) if syntax.lexer else None
    if lexer is None:
        clear_lexer(editor)
        return {}
    # What the lexer says of itself must be read before the editor owns it.
    names = [
        (number, lexer.name_of_style(number), lexer.tags_of_style(number)) for number in range(lexer.named_styles())
    ]
    editor.setILexer(lexer.detach())
    for number, words in enumerate(syntax.keywords):
        editor.setKeyWords(number, words)
    for name, value in {**_FOLDING, **syntax.properties}.items():
        editor.setProperty(name, value)
    return indexed_classes(names, syntax)


def clear_lexer(editor: ScintillaEdit) -> None:
    """Show plain text."""
    editor.send(Message.SetILexer, 0, 0)
    editor.clearDocumentStyle()


def colour_styles(editor: ScintillaEdit, classes: Mapping[int, str], theme: Theme) -> None:
    """Give the styles of a lexer their looks; background and font stay as they are."""
    for number, name in classes.items():
        if number in _FIXED_STYLES:
            continue
        look = look_of(name, theme)
        editor.styleSetFore(number, bgr(look.color))
        editor.styleSetItalic(number, look.italic)
        editor.styleSetBold(number, look.bold)
