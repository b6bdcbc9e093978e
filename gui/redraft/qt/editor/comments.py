"""Comments put in and taken out, as edits of a text."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.core.text import TextEdit, TextIndex, TextRange


def line_comment_edits(index: TextIndex, lines: Sequence[int], token: str) -> list[TextEdit]:
    """Make comments of whole lines, or take the comments away if all of them are; blank lines are passed over.

    The tokens stand below each other, at the least indentation of the lines.
    """
    spans = [index.line_range(line, with_end=False) for line in lines]
    written = [span for span in spans if span.of(index.text).strip()] or spans[:1]
    starts = [span.start + _indent(span.of(index.text)) for span in written]
    if all(index.text.startswith(token, start) for start in starts):
        return [_removal(index.text, start, token) for start in starts]
    column = min(start - span.start for start, span in zip(starts, written, strict=True))
    return [TextEdit(TextRange(span.start + column, span.start + column), token + " ") for span in written]


def block_comment_edits(index: TextIndex, selection: TextRange, block: tuple[str, str]) -> list[TextEdit]:
    """Put a selection (the words of its line, for a caret) between comment tokens, or take those away."""
    opening, closing = block
    text = index.text
    span = selection
    if span.is_empty:
        line = index.line_range(index.line_at(span.start), with_end=False)
        content = line.of(text)
        start = line.start + _indent(content)
        span = TextRange(start, max(start, line.start + len(content.rstrip())))
    inside = span.of(text)
    if inside.startswith(opening) and inside.endswith(closing) and len(inside) >= len(opening) + len(closing):
        return [_removal(text, span.start, opening), _closing_removal(text, span.end, closing)]
    if text.endswith(opening, 0, span.start) and text.startswith(closing, span.end):
        return [
            TextEdit(TextRange(span.start - len(opening), span.start), ""),
            TextEdit(TextRange(span.end, span.end + len(closing)), ""),
        ]
    return [
        TextEdit(TextRange(span.start, span.start), opening + " "),
        TextEdit(TextRange(span.end, span.end), " " + closing),
    ]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _removal(text: str, start: int, token: str) -> TextEdit:
    end = start + len(token)
    return TextEdit(TextRange(start, end + text.startswith(" ", end)), "")


def _closing_removal(text: str, end: int, closing: str) -> TextEdit:
    start = end - len(closing)
    return TextEdit(TextRange(start - text.startswith(" ", start - 1), end), "")
