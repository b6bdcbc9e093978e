"""Puts proposals over an editor, each over whole lines of its own."""

from __future__ import annotations

from collections.abc import Callable

from redraft.api.inline_diff import DiffEvent, DiffKeys
from redraft.core.text import TextRange
from redraft.qt.editor.annotations import AnnotationRegistry
from redraft.qt.editor.code_editor import CodeEditor
from redraft.qt.editor.inline_diff.view import InlineDiffView


def show_inline_diff(
    editor: CodeEditor, lines: TextRange, *, keys: DiffKeys, on_event: Callable[[DiffEvent], None]
) -> InlineDiffView:
    """Show a proposal over whole lines of an editor.

    Raises:
        ValueError: The range is not whole lines, or another proposal covers part of it.
    """
    index = editor.text_index()
    ends = {len(index.text), *(index.line_starts[index.line_at(place)] for place in (lines.start, lines.end))}
    if lines.end > len(index.text) or not {lines.start, lines.end} <= ends:
        raise ValueError(f"{lines.start} to {lines.end} is not a range of whole lines")
    for other in editor.findChildren(InlineDiffView):
        if other.is_on_screen and (other.range.overlaps(lines) or other.range == lines):
            raise ValueError("another proposal covers a part of these lines")
    return InlineDiffView(editor, AnnotationRegistry.of(editor), lines, keys, on_event)
