"""What the editor adds while one types: indentation after Enter, closing brackets and quotes, and their removal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from redraft.core.text import TextEdit, TextRange
from redraft.qt.editor.syntax import syntax_of
from redraft.qt.editor.tracked import TrackedSpan

if TYPE_CHECKING:
    from redraft.qt.editor.code_editor import CodeEditor

BRACKETS: Final = {"(": ")", "[": "]", "{": "}"}
QUOTES: Final = {'"': '"', "'": "'", "`": "`"}
_PROSE: Final = frozenset({"plaintext", "markdown", "latex", "restructuredtext"})
_COMMANDS: Final = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_MAY_FOLLOW: Final = frozenset(" \t\r\n)]},;:.")
"""A closing half is added only where one of these, or nothing, comes next."""


class TypingHelp:
    """Answers keys of one editor before Scintilla does; with several selections it stands back."""

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._added: list[TrackedSpan] = []
        self.closes_brackets = True
        self.indents = True

    def handle(self, event: QKeyEvent) -> bool:
        """Do what a key means; false leaves it to Scintilla."""
        editor = self._editor
        if editor.selections() != 1 or editor.readOnly() or event.modifiers() & _COMMANDS:
            return False
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                return self.indents and self._break_line()
            case Qt.Key.Key_Backspace:
                return self._delete_pair()
            case _:
                return len(event.text()) == 1 and self._type(event.text())

    def _break_line(self) -> bool:
        editor = self._editor
        selection = editor.selection()
        before = self._line_text(selection.start, is_before=True)
        after = self._line_text(selection.end, is_before=False)
        syntax = syntax_of(editor.language_id)
        indent = before[: len(before) - len(before.lstrip(" \t"))]
        deeper = indent + self._step() if before.rstrip().endswith(syntax.indent) else indent
        start = selection.start
        if indent and not before.strip() and not after.strip():
            start -= len(before)  # a line of blanks alone leaves none behind
        end = editor.line_end
        closes = after.lstrip(" \t").startswith(tuple(BRACKETS.values())) and self._is_pair(before, after)
        added = f"{end}{deeper}{end}{indent}" if closes and deeper != indent else end + deeper
        skipped = len(after) - len(after.lstrip(" \t"))
        editor.replace_ranges([TextEdit(TextRange(start, selection.end + skipped), added)])
        caret = start + len(end) + len(deeper)
        editor.select(TextRange(caret, caret))
        return True

    def _delete_pair(self) -> bool:
        editor = self._editor
        caret = editor.caret()
        span = self._added_at(caret)
        if span is None or not editor.selectionEmpty():
            return False
        opening = {closing: one for one, closing in (BRACKETS | QUOTES).items()}[self._text_at(span.range)]
        if caret == 0 or self._text_at(TextRange(caret - 1, caret)) != opening:
            return False
        editor.replace_ranges([TextEdit(TextRange(caret - 1, caret + 1), "")])
        return True

    def _type(self, character: str) -> bool:
        if not self.closes_brackets:
            return False
        if self._step_over(character):
            return True
        if character in BRACKETS.values():
            return self._align_closing(character)
        closing = (BRACKETS | QUOTES).get(character)
        if closing is None:
            return False
        selection = self._editor.selection()
        if not selection.is_empty:
            return self._surround(selection, character, closing)
        return self._wants_closing(character) and self._add_pair(selection.start, character, closing)

    def _step_over(self, character: str) -> bool:
        caret = self._editor.caret()
        span = self._added_at(caret)
        if span is None or self._text_at(span.range) != character or not self._editor.selectionEmpty():
            return False
        self._added.remove(span)
        self._editor.select(TextRange(caret + 1, caret + 1))
        return True

    def _surround(self, selection: TextRange, opening: str, closing: str) -> bool:
        self._editor.replace_ranges(
            [
                TextEdit(TextRange(selection.start, selection.start), opening),
                TextEdit(TextRange(selection.end, selection.end), closing),
            ]
        )
        self._editor.select(TextRange(selection.start + 1, selection.end + 1))
        return True

    def _add_pair(self, caret: int, opening: str, closing: str) -> bool:
        self._editor.replace_ranges([TextEdit(TextRange(caret, caret), opening + closing)])
        self._editor.select(TextRange(caret + 1, caret + 1))
        self._added.append(self._editor.track(TextRange(caret + 1, caret + 2)))
        return True

    def _wants_closing(self, character: str) -> bool:
        caret = self._editor.caret()
        after = self._line_text(caret, is_before=False)
        if after and after[0] not in _MAY_FOLLOW:
            return False
        if character not in QUOTES:
            return True
        before = self._line_text(caret, is_before=True)
        is_after_word = bool(before) and (before[-1].isalnum() or before[-1] in "_\\" or before[-1] in QUOTES)
        is_prose = self._editor.language_id in _PROSE and character != '"'
        return not is_after_word and not is_prose and not self._is_in_text(caret)

    def _is_in_text(self, caret: int) -> bool:
        """Whether a caret stands inside a string or comment, where a quote is just a quote."""
        byte = self._editor.to_byte(caret)
        kind = self._editor.syntax_class_at(max(byte - 1, 0))
        return kind == "comment" or (kind in {"string", "docstring"} and self._editor.syntax_class_at(byte) == kind)

    def _align_closing(self, character: str) -> bool:
        """A closing bracket typed first on its line goes under the line of its opening one."""
        editor = self._editor
        selection = editor.selection()
        before = self._line_text(selection.start, is_before=True)
        if not selection.is_empty or not before or before.strip():
            return False
        with editor.buffer.undo_step():
            editor.replaceSel(character)
            match = editor.braceMatch(editor.currentPos() - 1, 0)
            if match >= 0:
                line = editor.lineFromPosition(editor.currentPos())
                editor.setLineIndentation(line, editor.lineIndentation(editor.lineFromPosition(match)))
        return True

    def _added_at(self, caret: int) -> TrackedSpan | None:
        """The closing half at a caret that this class put there; halves on other lines are forgotten."""
        editor = self._editor
        line = editor.lineFromPosition(editor.currentPos())
        self._added = [
            span
            for span in self._added
            if len(span.range) == 1 and editor.lineFromPosition(editor.to_byte(span.range.start)) == line
        ]
        return next((span for span in self._added if span.range.start == caret), None)

    def _line_text(self, offset: int, *, is_before: bool) -> str:
        editor = self._editor
        byte = editor.to_byte(offset)
        line = editor.lineFromPosition(byte)
        start, end = (editor.positionFromLine(line), byte) if is_before else (byte, editor.lineEndPosition(line))
        return bytes(editor.get_text_range(start, end).data()).decode("utf-8", "replace")

    def _text_at(self, span: TextRange) -> str:
        editor = self._editor
        content = editor.get_text_range(editor.to_byte(span.start), editor.to_byte(span.end))
        return bytes(content.data()).decode("utf-8", "replace")

    def _is_pair(self, before: str, after: str) -> bool:
        return BRACKETS.get(before.rstrip()[-1:]) == after.lstrip(" \t")[:1]

    def _step(self) -> str:
        style = self._editor.indentation
        return "\t" if style.use_tabs else " " * style.width
