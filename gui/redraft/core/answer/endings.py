"""Gives the lines of an answer the file's own line ends, and its last line the end the selection had."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence

from redraft.core.diff.lines import diff_lines
from redraft.core.text import line_end, split_lines, without_end


def answer_lines(code: str) -> list[str]:
    """An answer's lines without their ends. A lone CR is part of its line; blank lines at the end are left out."""
    lines = re.split(r"\r*\n", code.rstrip("\r"))
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def lines_of(text: str, file_end: str) -> list[str]:
    """A text's lines with their ends; a lone CR ends a line only in a file where that is the rule."""
    if file_end == "\r":
        return split_lines(text)
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + lines[-1:] * bool(lines[-1])


class LineEnds:
    """Chooses the end of each new line: that of the equal old line, else that of the line before it."""

    def __init__(self, selection: str, default: str) -> None:
        lines = lines_of(selection, default)
        ends = Counter(end for line in lines if (end := line_end(line)))
        self._known: defaultdict[str, deque[str]] = defaultdict(deque)
        if len(ends) > 1:
            for line in lines:
                self._known[without_end(line)].append(line_end(line))
            self._last = next(end for line in lines if (end := line_end(line)))
        else:
            self._last = next(iter(ends), default)

    def end_of(self, line: str) -> str:
        """The end for the next line, given without one."""
        waiting = self._known.get(line)
        self._last = (waiting.popleft() if waiting else "") or self._last
        return self._last


def with_ends(lines: Sequence[str], selection: str, default: str) -> list[str]:
    """All lines with their ends; in a file of mixed ends, lines that stay keep theirs, exactly."""
    old = lines_of(selection, default)
    ends = {line_end(line) for line in old} - {""}
    last = next(iter(ends)) if len(ends) == 1 else next((line_end(line) for line in old if line_end(line)), default)
    if len(ends) <= 1:
        return [line + last for line in lines]
    kept = _kept([without_end(line) for line in old], lines)
    result: list[str] = []
    for index, line in enumerate(lines):
        if index in kept:
            last = line_end(old[kept[index]]) or last
        result.append(line + last)
    return result


def _kept(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Which old line each new line is, where it is one."""
    kept: dict[int, int] = {}
    old_at = new_at = 0
    for hunk in [*diff_lines(old, new), None]:
        length = (hunk.old_start if hunk else len(old)) - old_at
        kept.update((new_at + step, old_at + step) for step in range(length))
        if hunk:
            old_at, new_at = hunk.old_end, new_at + length + len(hunk.new_lines)
    return kept


def with_final_end(text: str, *, before: str, selection: str, default: str) -> str:
    """The text ending as the selection did; in place of nothing, as the place asks for.

    A selection that ended in blank lines keeps them: models leave them out without being asked to.
    """
    bare = text.rstrip("\r\n")
    if not bare:
        return text if not selection.strip() else ""
    if selection and not selection.strip():
        return bare + line_end(lines_of(selection, default)[-1])
    if selection:
        blanks = 0
        lines = lines_of(selection, default)
        while blanks < len(lines) - 1 and not lines[-1 - blanks].strip():
            blanks += 1
        tail = "".join(lines[len(lines) - blanks :])
        end = line_end(lines[len(lines) - 1 - blanks])
        return bare + end + tail
    begins_line = not before or before.endswith(("\n", "\r"))
    return bare + (line_end(split_lines(text)[-1]) or default) if begins_line else bare
