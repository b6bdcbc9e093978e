"""Commands that act on the text in front: the engine's own, and choices about the whole file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from redraft.api.editor import Indentation
from redraft.api.ui import PickItem
from redraft.core.indent_style import style_edits
from redraft.core.languages import LANGUAGES
from redraft.core.text import LINE_END, TextEdit, TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.commands import EDITOR_COMMANDS, selected_lines
from redraft.qt.editor.find import FindBar
from redraft.qt.facts import LINE_ENDS
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.workbench import Workbench


def sort_lines(editor: CodeEditor) -> None:
    """Put the selected lines in order, by what they say; the last one keeps whether it has a line end."""
    index, lines = editor.text_index(), selected_lines(editor)
    span = TextRange(index.line_range(lines[0]).start, index.line_range(lines[-1], with_end=False).end)
    rows = [index.line_range(line, with_end=False).of(index.text) for line in lines]
    text = editor.line_end.join(sorted(rows, key=lambda row: (row.casefold(), row)))
    editor.replace_ranges([TextEdit(span, text)])


def trim_trailing(editor: CodeEditor) -> None:
    """Take blanks at line ends away, everywhere."""
    edits = style_edits(editor.plain_text(), final_newline=None, trim=True, line_end=editor.line_end)
    if edits:
        editor.replace_ranges(edits)


ENGINE: Mapping[str, Callable[[CodeEditor], object]] = {
    **EDITOR_COMMANDS,
    "edit.toggle_comment": EDITOR_COMMANDS["edit.toggle_line_comment"],
    "edit.undo": CodeEditor.undo,
    "edit.redo": CodeEditor.redo,
    "edit.cut": lambda editor: editor.lineCut() if editor.selectionEmpty() else editor.cut(),
    "edit.copy": lambda editor: editor.lineCopy() if editor.selectionEmpty() else editor.copy(),
    "edit.paste": CodeEditor.paste,
    "edit.indent": CodeEditor.tab,
    "edit.outdent": CodeEditor.backTab,
    "edit.copy_line_down": EDITOR_COMMANDS["edit.duplicate"],
    "edit.upper_case": CodeEditor.upperCase,
    "edit.lower_case": CodeEditor.lowerCase,
    "edit.sort_lines": sort_lines,
    "edit.trim_trailing": trim_trailing,
    "selection.all": CodeEditor.selectAll,
    "selection.line": EDITOR_COMMANDS["selection.lines"],
    "selection.add_next": EDITOR_COMMANDS["selection.add_next_occurrence"],
    "selection.select_occurrences": EDITOR_COMMANDS["selection.all_occurrences"],
    "selection.caret_above": EDITOR_COMMANDS["selection.add_caret_above"],
    "selection.caret_below": EDITOR_COMMANDS["selection.add_caret_below"],
    "view.fold": EDITOR_COMMANDS["view.toggle_fold"],
    "view.unfold": EDITOR_COMMANDS["view.toggle_fold"],
}
"""What is done to the one text in front, by command id."""


class EditCommands:
    """Handlers of `edit.*` and `selection.*`."""

    def __init__(self, workbench: Workbench) -> None:
        self._bench = workbench

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        known = {command.id for command in self._bench.registries.commands.all()}
        engine = {name: lambda action=action: self._act(action) for name, action in ENGINE.items() if name in known}
        return engine | {
            "edit.find": lambda: self._find_bar(FindBar.open),
            "edit.replace": lambda: self._find_bar(lambda bar: bar.open(replace=True)),
            "edit.find_next": lambda: self._find_bar(FindBar.find_next),
            "edit.find_previous": lambda: self._find_bar(FindBar.find_previous),
            "edit.language": self.choose_language,
            "edit.indentation": self.choose_indentation,
            "edit.line_ends": self.choose_line_ends,
        }

    def choose_language(self) -> None:
        """Ask for the language of the file in front."""
        editor = self._editor()
        if editor is not None:
            rows = tuple(PickRow(PickItem(entry.id, entry.name, note=entry.id)) for entry in LANGUAGES)
            self._ask("Language", rows, editor.language_id, lambda chosen: self._set_language(editor, chosen))

    def choose_indentation(self) -> None:
        """Ask how the file in front is indented from now on; lines that are there stay as they are."""
        editor = self._editor()
        if editor is None:
            return
        rows = (
            *(PickRow(PickItem(f"spaces {width}", f"{width} spaces")) for width in (2, 3, 4, 8)),
            *(PickRow(PickItem(f"tabs {width}", f"Tabs, drawn as {width} columns")) for width in (2, 4, 8)),
        )
        now = editor.indentation
        current = f"tabs {now.tab_width}" if now.use_tabs else f"spaces {now.width}"
        self._ask("Indentation", rows, current, lambda chosen: self._set_indentation(editor, chosen))

    def choose_line_ends(self) -> None:
        """Ask for the line ends of the file in front; all lines take them."""
        editor = self._editor()
        if editor is not None:
            names = {"LF": "Unix, macOS", "CRLF": "Windows", "CR": "old Macintosh"}
            rows = tuple(PickRow(PickItem(name, name, detail=detail)) for name, detail in names.items())
            current = LINE_ENDS[editor.line_end]
            self._ask("Line ends", rows, current, lambda chosen: self._set_line_ends(editor, chosen))

    def _set_language(self, editor: CodeEditor, chosen: str) -> None:
        editor.set_language(chosen)
        self._bench.refresh_soon()

    def _set_indentation(self, editor: CodeEditor, chosen: str) -> None:
        kind, _, width = chosen.partition(" ")
        number = int(width)
        if kind == "tabs":
            editor.indentation = Indentation(use_tabs=True, width=number, tab_width=number)
        else:
            editor.indentation = replace(editor.indentation, use_tabs=False, width=number)
        self._bench.refresh_soon()

    def _set_line_ends(self, editor: CodeEditor, chosen: str) -> None:
        wanted = next(end for end, name in LINE_ENDS.items() if name == chosen)
        found = LINE_END.finditer(editor.plain_text())
        edits = [TextEdit(TextRange(*match.span()), wanted) for match in found if match.group() != wanted]
        if edits:
            editor.replace_ranges(edits)
        editor.line_end = wanted
        self._bench.refresh_soon()

    def _ask(self, title: str, rows: tuple[PickRow, ...], current: str, then: Callable[[str], None]) -> None:
        self._bench.window.picker.ask(Question(title, rows, current=current), on_chosen=then)

    def _act(self, action: Callable[[CodeEditor], object]) -> None:
        editor = self._editor()
        if editor is not None:
            action(editor)
            editor.buffer.flush()

    def _find_bar(self, action: Callable[[FindBar], object]) -> None:
        active = self._bench.documents.active
        if active is not None:
            action(self._bench.window.view_of(active).find_bar)

    def _editor(self) -> CodeEditor | None:
        active = self._bench.documents.active
        return active.editor if active else None
