"""Finds the part of an answer that is about the selection, where a model has written more of the file around it."""

from __future__ import annotations

from redraft.core.answer.pipeline import AnswerFrame, Note, NoteKind
from redraft.core.answer.trimming import says_something
from redraft.core.text import split_lines


def without_outside(code: str, frame: AnswerFrame) -> tuple[str, tuple[Note, ...]]:
    """The code without a front or a tail that only copies lines from outside the selection.

    The front ends where the selection's own first line stands, the tail begins with the first line below it. Either
    goes only if each of its lines stands outside the selection, so that nothing new is ever lost.
    """
    lines = split_lines(code)
    bare = [line.strip() for line in lines]
    outside = {line.strip() for line in (*frame.lines_before, *frame.lines_after)}
    start = _only(bare, _first(frame.lines))
    if start is None or not _is_copied(bare[:start], outside):
        start = 0
    below = _first(frame.lines_after)
    end = _only(bare, below) if below not in {line.strip() for line in frame.lines} else None
    if end is None or end <= start or not _is_copied(bare[end:], outside):
        end = len(lines)
    left_out = len(lines) - (end - start)
    if not left_out:
        return code, ()
    sentence = f"The answer was longer than the selection; {left_out} lines outside it were left out."
    return "".join(lines[start:end]), (Note(NoteKind.CUT_OUT, sentence, left_out),)


def _first(lines: list[str]) -> str:
    return next((line.strip() for line in lines if line.strip()), "")


def _only(lines: list[str], wanted: str) -> int | None:
    """Where a line stands that occurs once and says something."""
    return lines.index(wanted) if says_something(wanted) and lines.count(wanted) == 1 else None


def _is_copied(lines: list[str], outside: set[str]) -> bool:
    written = [line for line in lines if line]
    return any(says_something(line) for line in written) and all(line in outside for line in written)
