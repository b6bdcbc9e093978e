"""Syntax colours of a proposal: its lines are lexed once, in order, as if they stood in the document."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from redraft.core.text import split_lines, without_end
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.looks import Ink
from redraft.qt.editor.inline_diff.rows import Inks
from redraft.qt.editor.limits import LONG_LINE
from redraft.qt.editor.scratch import ScratchLexer

CONTEXT: Final = 400
"""Lines before the proposal that the lexer is given."""
TAIL: Final = 40
"""Lines before an unfinished line that its lexer is given."""
LARGEST: Final = 2_000_000
"""Characters above which a proposal stays plain."""


class ProposalSyntax:
    """Inks of the lines of a new side that only grows at its end."""

    def __init__(self, editor: CodeEditor, first_line: int) -> None:
        self._editor = editor
        self._lexer = ScratchLexer(editor)
        self._partial_lexer = ScratchLexer(editor)
        start = editor.positionFromLine(max(first_line - CONTEXT, 0))
        end = editor.positionFromLine(first_line)
        self._before = bytes(editor.get_text_range(start, end).data())[: end - start].decode("utf-8", "replace")
        self._lines: list[str] = []
        self._styles: list[bytes] = []
        self._inks: dict[int, Inks] = {}
        self._partial: tuple[str, Inks] = ("", ())

    def feed(self, lines: Sequence[str]) -> None:
        """Take the new side as far as it is known."""
        known = len(self._lines)
        if list(lines[:known]) != self._lines:
            # The last line may have been unfinished, or the answer was replaced.
            known = next((i for i, (a, b) in enumerate(zip(self._lines, lines, strict=False)) if a != b), len(lines))
            del self._lines[known:], self._styles[known:]
            self._inks = {index: inks for index, inks in self._inks.items() if index < known}
        added = list(lines[known:])
        if not added:
            return
        before = self._before + "".join(self._lines)
        text = "".join(added)
        self._lines += added
        if len(before) + len(text) > LARGEST or max(map(len, added)) > LONG_LINE:
            self._styles += [b""] * len(added)
            return
        styles, place = self._lexer.style(before, text), 0
        for line in added:
            length = len(line.encode("utf-8", "replace"))
            self._styles.append(styles[place : place + length])
            place += length

    def inks(self, index: int, text: str) -> Inks:
        """The inks of a line; none where the line is not the one that was fed."""
        if index >= len(self._lines) or self._lines[index] != text:
            return ()
        found = self._inks.get(index)
        if found is None:
            found = self._inks[index] = inks_of(self._lexer, without_end(text), self._styles[index])
        return found

    def partial_inks(self, text: str) -> Inks:
        """The inks of the line that is being written."""
        if len(text) > LONG_LINE:
            return ()
        if self._partial[0] != text:
            before = "".join(self._lines[-TAIL:]) or "".join(split_lines(self._before)[-TAIL:])
            styles = self._partial_lexer.style(before, text) if text else b""
            self._partial = (text, inks_of(self._partial_lexer, text, styles))
        return self._partial[1]

    def restyle(self) -> None:
        """The theme changed."""
        self._inks.clear()
        self._partial = ("", ())

    def dispose(self) -> None:
        """Let the hidden documents go."""
        self._lexer.dispose()
        self._partial_lexer.dispose()


def inks_of(lexer: ScratchLexer, text: str, styles: bytes) -> Inks:
    """Runs of characters from styles of bytes."""
    if len(text) != len(text.encode("utf-8", "replace")):
        place, chars = 0, bytearray()
        for character in text:
            chars += styles[place : place + 1]
            place += len(character.encode("utf-8", "replace"))
        styles = bytes(chars)
    runs: list[tuple[int, Ink]] = []
    for style, group in groupby(styles[: len(text)]):
        color, _, italic = lexer.style_look(style)
        ink = Ink(color.name(), italic)
        length = sum(1 for _ in group)
        if runs and runs[-1][1] == ink:
            runs[-1] = (runs[-1][0] + length, ink)
        else:
            runs.append((length, ink))
    return tuple(runs)
