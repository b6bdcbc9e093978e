"""Other ways to look at a proposal than in the text: two columns side by side, and plain text."""

from redraft.qt.editor.review.panes import ReviewPanes as ReviewPanes

__all__ = ["ReviewPanes"]
