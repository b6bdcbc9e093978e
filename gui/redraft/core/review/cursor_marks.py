"""Where the caret stands, written into text: inline, on a line of its own below, or in a patch's added line."""

from __future__ import annotations

from typing import Final

from redraft.core.errors import AnswerError
from redraft.core.review.patch_lines import LineKind, patch_lines
from redraft.core.review.teacher import USER_CURSOR

MARKER_LINE: Final = "[CURSOR_POSITION]"


def take_cursor(excerpt: str) -> tuple[str, int]:
    """An excerpt without its cursor mark, and the caret's offset in UTF-8 bytes.

    Either `<|user_cursor|>` stands inline, or a line holding `[CURSOR_POSITION]` stands below the caret's line: its
    first `^` is under the caret; with `<` instead, the caret is where the marker line's text begins.

    Raises:
        AnswerError: There is no mark, or its line does not point anywhere.
    """
    at = excerpt.find(USER_CURSOR)
    if at >= 0:
        return excerpt.replace(USER_CURSOR, "", 1), len(excerpt[:at].encode())
    lines = excerpt.split("\n")
    row = next((row for row, line in enumerate(lines) if MARKER_LINE in line), None)
    if row is None:
        raise AnswerError(f"the cursor position has neither {USER_CURSOR} nor a {MARKER_LINE} line")
    if row == 0:
        raise AnswerError(f"the {MARKER_LINE} line has no line above it to point at")
    # A mark right of a short line means its end.
    column = min(_pointed_column(lines[row]), len(lines[row - 1].encode()))
    above = sum(len(line.encode()) + 1 for line in lines[: row - 1])
    del lines[row]
    text = "\n".join(lines).rstrip("\n")
    return text, min(above + column, len(text.encode()))


def put_cursor(excerpt: str, offset: int) -> str:
    """The inverse: the mark put inline at a byte offset."""
    encoded = excerpt.encode()
    return encoded[:offset].decode(errors="ignore") + USER_CURSOR + encoded[offset:].decode(errors="ignore")


def take_patch_cursor(patch: str) -> tuple[str, int | None]:
    """A patch without cursor marks, and where the first one stood.

    The place counts UTF-8 bytes in the new text of all hunks, one after the other: context and added lines with one
    byte for each line end, headers and deleted lines not at all.
    """
    offset, cursor = 0, None
    lines: list[str] = []
    for line in patch_lines(patch):
        content = line.text
        if line.kind is LineKind.ADDED and USER_CURSOR in content:
            if cursor is None:
                cursor = offset + len(content[1 : content.index(USER_CURSOR)].encode())
            content = content.replace(USER_CURSOR, "")
        lines.append(content)
        if line.kind in {LineKind.ADDED, LineKind.CONTEXT}:
            offset += len(content[1:].encode()) + 1
    return _joined(lines, patch), cursor


def put_patch_cursor(patch: str, cursor: int) -> str:
    """The inverse; a place that is not in an added line leaves the patch as it is."""
    clean, _ = take_patch_cursor(patch)
    offset = 0
    lines: list[str] = []
    is_put = False
    for line in patch_lines(clean):
        content = line.text
        if line.kind in {LineKind.ADDED, LineKind.CONTEXT}:
            size = len(content[1:].encode())
            if line.kind is LineKind.ADDED and not is_put and offset <= cursor <= offset + size:
                content = "+" + put_cursor(content[1:], cursor - offset)
                is_put = True
            offset += size + 1
        lines.append(content)
    return _joined(lines, patch)


def _pointed_column(line: str) -> int:
    if "^" in line:
        return len(line[: line.index("^")].encode())
    if "<" in line:
        return len(line.encode()) - len(line.lstrip().encode())
    raise AnswerError(f"the {MARKER_LINE} line points nowhere; put a ^ under the caret")


def _joined(lines: list[str], like: str) -> str:
    return "\n".join(lines) + ("\n" if lines and like.endswith("\n") else "")
