"""A proposal drawn over the text it would replace; the buffer keeps that text until a hunk is accepted."""

from redraft.qt.editor.inline_diff.view import InlineDiffView, show_inline_diff

__all__ = ["InlineDiffView", "show_inline_diff"]
