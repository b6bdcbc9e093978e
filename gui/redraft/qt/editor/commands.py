"""What can be done to the text of one editor by a command, by its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pyside6_scintilla import Scintilla

from redraft.core.languages import language
from redraft.core.text import Position, TextEdit, TextIndex, TextRange, line_end
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.comments import block_comment_edits, line_comment_edits
from redraft.qt.editor.syntax import syntax_of


def selected_lines(editor: CodeEditor) -> range:
    """The lines a selection touches; one that ends at the start of a line leaves that line out."""
    selection, index = editor.selection(), editor.text_index()
    first, last = index.line_at(selection.start), index.line_at(selection.end)
    if last > first and index.line_range(last).start == selection.end:
        last -= 1
    return range(first, last + 1)


def toggle_line_comment(editor: CodeEditor) -> None:
    """Make comments of the selected lines, or take the comments away; a language without them gets a block."""
    token = language(editor.language_id).line_comment
    lines = selected_lines(editor)
    index = editor.text_index()
    if token:
        caret = editor.track(editor.selection())
        editor.replace_ranges(line_comment_edits(index, lines, token))
        if caret.range.is_empty:
            editor.select(caret.range)
        return
    first, last = index.line_range(lines[0]), index.line_range(lines[-1], with_end=False)
    content = index.text[first.start : last.end]
    start = first.start + len(content) - len(content.lstrip())
    _toggle_block(editor, TextRange(start, max(start, last.end)))


def toggle_block_comment(editor: CodeEditor) -> None:
    """Put the selection between comment tokens, or take them away; a language without them gets line comments."""
    if syntax_of(editor.language_id).block is None:
        if language(editor.language_id).line_comment:
            toggle_line_comment(editor)
    else:
        _toggle_block(editor, editor.selection())


def _toggle_block(editor: CodeEditor, span: TextRange) -> None:
    block = syntax_of(editor.language_id).block
    if block is not None:
        editor.replace_ranges(block_comment_edits(editor.text_index(), span, block))


def duplicate(editor: CodeEditor) -> None:
    """Repeat the selection behind itself, or the line of the caret below itself."""
    selection, index = editor.selection(), editor.text_index()
    if not selection.is_empty:
        text = selection.of(index.text)
        editor.replace_ranges([TextEdit(TextRange(selection.end, selection.end), text)])
        editor.select(TextRange(selection.end, selection.end + len(text)))
        return
    line = index.line_range(index.line_at(selection.start))
    content = line.of(index.text)
    ended = content if line_end(content) else editor.line_end + content
    editor.replace_ranges([TextEdit(TextRange(line.end, line.end), ended)])
    caret = selection.start + len(ended)
    editor.select(TextRange(caret, caret))


def copy_lines_up(editor: CodeEditor) -> None:
    """Repeat the selected lines below themselves; the selection stays with the upper ones."""
    index, lines = editor.text_index(), selected_lines(editor)
    span = index.lines_range(lines[0], lines[-1])
    content = span.of(index.text)
    ended = content if line_end(content) else editor.line_end + content
    kept = editor.selection()
    editor.replace_ranges([TextEdit(TextRange(span.end, span.end), ended)])
    editor.select(kept)


def add_carets_at_line_ends(editor: CodeEditor) -> None:
    """Put a caret at the end of every selected line."""
    ends = [editor.lineEndPosition(line) for line in selected_lines(editor)]
    editor.setSelection(ends[0], ends[0])
    for end in ends[1:]:
        editor.addSelection(end, end)


def move_lines(editor: CodeEditor, step: int) -> None:
    """Move the selected lines up (-1) or down (1) past one line; line ends stay where they are."""
    index, lines = editor.text_index(), selected_lines(editor)
    neighbour = lines[0] - 1 if step < 0 else lines[-1] + 1
    # A text that ends with a line end has an empty line after it, which is no line to move.
    count = index.line_count - (not len(index.line_range(index.line_count - 1)))
    if neighbour < 0 or max(neighbour, lines[-1]) >= count:
        return
    order = [*lines, neighbour] if step < 0 else [neighbour, *lines]
    places = sorted(order)
    bare = {line: index.line_range(line, with_end=False).of(index.text) for line in order}
    edits = [
        TextEdit(index.line_range(place, with_end=False), bare[line]) for place, line in zip(places, order, strict=True)
    ]
    start, end = index.position(editor.selection().start), index.position(editor.selection().end)
    editor.replace_ranges(edits)
    index = editor.text_index()
    moved = [_offset(index, place.line + step, place.column) for place in (start, end)]
    editor.select(TextRange(*moved))


def _offset(index: TextIndex, line: int, column: int) -> int:
    return index.offset(Position(line, column)) if line < index.line_count else len(index.text)


def delete_lines(editor: CodeEditor) -> None:
    """Delete the selected lines."""
    index, lines = editor.text_index(), selected_lines(editor)
    span = index.lines_range(lines[0], lines[-1])
    if lines[0] and not line_end(index.line_range(lines[-1]).of(index.text)):
        span = TextRange(index.line_range(lines[0] - 1, with_end=False).end, span.end)
    editor.replace_ranges([TextEdit(span, "")])


def join_lines(editor: CodeEditor) -> None:
    """Put the selected lines (a line and the next one) on one line."""
    index, lines = editor.text_index(), selected_lines(editor)
    last = max(lines[-1], lines[0] + 1)
    if last >= index.line_count:
        return
    edits = []
    for line in range(lines[0], last):
        here = index.line_range(line, with_end=False)
        following = index.line_range(line + 1, with_end=False).of(index.text)
        start = here.start + len(here.of(index.text).rstrip(" \t"))
        end = index.line_range(line).end + len(following) - len(following.lstrip(" \t"))
        edits.append(TextEdit(TextRange(start, end), " " if following.strip() and start > here.start else ""))
    editor.replace_ranges(edits)


def insert_line(editor: CodeEditor, *, above: bool) -> None:
    """Open an empty line above or below the caret's, as deep as that one."""
    index = editor.text_index()
    line = index.line_range(index.line_at(editor.caret()), with_end=False)
    content = line.of(index.text)
    indent = content[: len(content) - len(content.lstrip(" \t"))]
    place = line.start if above else line.end
    added = indent + editor.line_end if above else editor.line_end + indent
    editor.replace_ranges([TextEdit(TextRange(place, place), added)])
    caret = place + len(indent) if above else place + len(added)
    editor.select(TextRange(caret, caret))


def add_caret(editor: CodeEditor, step: int) -> None:
    """Add a caret on the line above (-1) or below (1) the outermost one, in the same column."""
    carets = [editor.selectionNCaret(number) for number in range(editor.selections())]
    outer = min(carets) if step < 0 else max(carets)
    line = editor.lineFromPosition(outer) + step
    if 0 <= line < editor.lineCount():
        place = editor.findColumn(line, editor.column(outer))
        editor.addSelection(place, place)
        editor.scrollRange(place, place)


def select_next_occurrence(editor: CodeEditor) -> None:
    """Select the word at the caret, then with each call its next occurrence too."""
    editor.targetWholeDocument()
    editor.setSearchFlags(Scintilla.FindOption.MatchCase)
    editor.multipleSelectAddNext()


def select_all_occurrences(editor: CodeEditor) -> None:
    """Select the word at the caret, or the selection, wherever it stands."""
    editor.targetWholeDocument()
    editor.setSearchFlags(Scintilla.FindOption.MatchCase)
    if editor.selectionEmpty():
        editor.multipleSelectAddNext()
    editor.multipleSelectAddEach()


def select_lines(editor: CodeEditor) -> None:
    """Make the selection whole lines."""
    index, lines = editor.text_index(), selected_lines(editor)
    editor.select(index.lines_range(lines[0], lines[-1]))


def go_to_bracket(editor: CodeEditor) -> None:
    """Go to the bracket that belongs to the one at the caret."""
    caret = editor.currentPos()
    for place in (caret, caret - 1):
        match = editor.braceMatch(place, 0) if place >= 0 else -1
        if match >= 0:
            editor.ensureVisible(editor.lineFromPosition(match))
            editor.gotoPos(match)
            return


def toggle_fold(editor: CodeEditor) -> None:
    """Fold or unfold what the caret stands in."""
    line = editor.lineFromPosition(editor.currentPos())
    parent = editor.foldParent(line)
    is_header = editor.foldLevel(line) & Scintilla.FoldLevel.HeaderFlag
    if is_header or parent >= 0:
        target = line if is_header else parent
        editor.toggle_fold(target)
        if not is_header:
            editor.gotoPos(editor.lineEndPosition(target))


EDITOR_COMMANDS: Final[Mapping[str, Callable[[CodeEditor], None]]] = {
    "edit.toggle_line_comment": toggle_line_comment,
    "edit.toggle_block_comment": toggle_block_comment,
    "edit.duplicate": duplicate,
    "edit.copy_line_up": copy_lines_up,
    "edit.move_line_up": lambda editor: move_lines(editor, -1),
    "edit.move_line_down": lambda editor: move_lines(editor, 1),
    "edit.delete_line": delete_lines,
    "edit.join_lines": join_lines,
    "edit.insert_line_above": lambda editor: insert_line(editor, above=True),
    "edit.insert_line_below": lambda editor: insert_line(editor, above=False),
    "selection.add_caret_above": lambda editor: add_caret(editor, -1),
    "selection.add_caret_below": lambda editor: add_caret(editor, 1),
    "selection.add_next_occurrence": select_next_occurrence,
    "selection.all_occurrences": select_all_occurrences,
    "selection.lines": select_lines,
    "selection.carets_at_line_ends": add_carets_at_line_ends,
    "selection.expand": lambda editor: editor.growth.expand(),
    "selection.shrink": lambda editor: editor.growth.shrink(),
    "go.bracket": go_to_bracket,
    "view.toggle_fold": toggle_fold,
    "view.fold_all": lambda editor: editor.fold_all(folded=True),
    "view.unfold_all": lambda editor: editor.fold_all(folded=False),
}
"""Each acts on one editor; ids are those of the application's commands."""
