"""Growing a selection step by step, and taking the steps back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redraft.core.text import TextRange

if TYPE_CHECKING:
    from redraft.qt.editor.code_editor import CodeEditor


class Growth:
    """The steps by which one editor's selection grew; another selection or another text begins anew."""

    def __init__(self, editor: CodeEditor) -> None:
        self._editor = editor
        self._steps: list[TextRange] = []
        self._revision = -1

    def expand(self) -> None:
        """Select the next larger thing around the selection."""
        from redraft.core.growing import larger_selection  # noqa: PLC0415 - grammars are loaded on first use

        editor = self._editor
        selection = editor.selection()
        if self._revision != editor.revision or not self._steps or self._steps[-1] != selection:
            self._steps, self._revision = [selection], editor.revision
        larger = larger_selection(editor.plain_text(), editor.language_id, selection)
        if larger != selection:
            self._steps.append(larger)
            editor.select(larger, reveal=False)

    def shrink(self) -> None:
        """Select what was selected one step before."""
        editor = self._editor
        if len(self._steps) > 1 and self._revision == editor.revision and self._steps[-1] == editor.selection():
            self._steps.pop()
            editor.select(self._steps[-1], reveal=False)
