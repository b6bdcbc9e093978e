"""Takes what stands between comment marks out of a streamed answer: it explains, and is never code."""

from __future__ import annotations

import re

from redraft.core.answer.tags import TagPair


class CommentFilter:
    """Takes chunks; what it tells does not depend on where they were cut.

    A comment that began its line leaves no blank line behind. One that is never closed reaches to the end.
    """

    def __init__(self, tag: TagPair) -> None:
        self._tag = tag
        self._buffer = ""
        self._last = "\n"
        self._in_comment = False
        self._swallows_end = False
        self._began_line = False

    def feed(self, text: str) -> tuple[str, str]:
        """The rest of the answer and the comment that are sure now."""
        self._buffer += text
        return self._cut(is_last=False)

    def close(self) -> tuple[str, str]:
        """What was held back, once nothing more comes."""
        return self._cut(is_last=True)

    def _cut(self, *, is_last: bool) -> tuple[str, str]:
        rest, comment = "", ""
        while True:
            if self._swallows_end and not self._swallow(is_last=is_last):
                return rest, comment
            mark = self._tag.close if self._in_comment else self._tag.open
            found = re.search(re.escape(mark), self._buffer, re.IGNORECASE)
            end = found.start() if found else len(self._buffer) - (0 if is_last else _begun(self._buffer, mark))
            piece, self._buffer = self._buffer[:end], self._buffer[found.end() if found else end :]
            if self._in_comment:
                comment += piece
            else:
                rest += piece
                self._last = (self._last + piece)[-200:]
            if not found:
                return rest, comment
            if self._in_comment:
                comment += "\n"
                self._swallows_end = self._began_line
            else:
                self._began_line = not self._last.rpartition("\n")[2].strip(" \t")
            self._in_comment = not self._in_comment

    def _swallow(self, *, is_last: bool) -> bool:
        """Leave out the line end behind a comment; whether it is known if there is one."""
        if self._buffer in {"", "\r"} and not is_last:
            return False
        self._buffer = re.sub(r"\A\r?\n", "", self._buffer)
        self._swallows_end = False
        return True


def _begun(text: str, mark: str) -> int:
    """How many characters at the end of a text may be the beginning of a mark."""
    lower, mark = text[-len(mark) :].lower(), mark.lower()
    return next((size for size in range(min(len(mark) - 1, len(lower)), 0, -1) if lower.endswith(mark[:size])), 0)
