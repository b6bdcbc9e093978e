"""A proposal drawn over the text it would replace; the buffer keeps that text until a hunk is accepted."""

from redraft.qt.editor.inline_diff.showing import show_inline_diff
from redraft.qt.editor.inline_diff.view import InlineDiffView

__all__ = ["InlineDiffView", "show_inline_diff"]
