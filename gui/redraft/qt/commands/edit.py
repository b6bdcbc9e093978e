"""Commands that act on the text in front: the engine's own, and choices about the whole file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from redraft.api.editor import Indentation
from redraft.api.services import PickItem
from redraft.core.languages import LANGUAGES
from redraft.core.text import LINE_END, TextEdit, TextRange
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.facts import LINE_ENDS
from redraft.qt.palette.picker import Question
from redraft.qt.palette.rows import PickRow
from redraft.qt.workbench import Workbench

ENGINE: Mapping[str, Callable[[CodeEditor], object]] = {
    "edit.undo": CodeEditor.undo,
    "edit.redo": CodeEditor.redo,
    "edit.cut": lambda editor: editor.lineCut() if editor.selectionEmpty() else editor.cut(),
    "edit.copy": CodeEditor.copyAllowLine,
    "edit.paste": CodeEditor.paste,
    "edit.indent": CodeEditor.tab,
    "edit.outdent": CodeEditor.backTab,
    "edit.move_line_up": CodeEditor.moveSelectedLinesUp,
    "edit.move_line_down": CodeEditor.moveSelectedLinesDown,
    "edit.copy_line_down": CodeEditor.selectionDuplicate,
    "edit.delete_line": CodeEditor.lineDelete,
    "edit.upper_case": CodeEditor.upperCase,
    "edit.lower_case": CodeEditor.lowerCase,
    "selection.all": CodeEditor.selectAll,
}
"""What Scintilla does by itself."""


class EditCommands:
    """Handlers of `edit.*` and `selection.*`."""

    def __init__(self, workbench: Workbench) -> None:
        self._bench = workbench

    def handlers(self) -> Mapping[str, Callable[..., object]]:
        """By command id."""
        engine = {name: lambda action=action: self._act(action) for name, action in ENGINE.items()}
        return engine | {
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

    def _editor(self) -> CodeEditor | None:
        active = self._bench.documents.active
        return active.editor if active else None
