"""Turns the text of an answer, as it comes, into differences from the original lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redraft.core.diff.hunks import DiffProgress
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import split_lines, without_end
from redraft_inline_edit.framing import Tag
from redraft_inline_edit.request import EditRequest, indent_of


@dataclass(frozen=True, slots=True)
class Piece:
    """What one more piece of the answer brought."""

    progress: DiffProgress | None = None
    words: str = ""
    thoughts: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """The answer, all of it that will come."""

    proposed: str
    progress: DiffProgress
    code: str = ""
    words: str = ""
    thoughts: str = ""
    notes: tuple[str, ...] = ()
    has_code: bool = False


class AnswerWriter:
    """Reads one answer as it arrives.

    Args:
        request: What was asked.
        tag: The mark around the code; `None` for an answer in words.
        so_far: Code the answer goes on behind.
        is_prefilled: Whether the opening tag was put into the model's mouth.
    """

    def __init__(self, request: EditRequest, tag: Tag | None, so_far: str = "", *, is_prefilled: bool = False) -> None:
        self._request = request
        self._tag = tag
        self._text = (tag.open + "\n" if tag and is_prefilled else "") + so_far
        self._diff = StreamingDiff(split_lines(request.original))
        self._pushed = 0

    @property
    def is_over(self) -> bool:
        """Whether nothing more of the answer matters."""
        return False

    def feed(self, text: str) -> Piece:
        """Take a chunk; tell what it brought."""
        self._text += text
        if self._tag is None:
            return Piece(words=text)
        lines = split_lines(self._code())
        whole = [line for line in lines if line.endswith("\n")]
        for line in whole[self._pushed :]:
            self._diff.add(without_end(line) + self._request.file.line_end)
        self._pushed = max(len(whole), self._pushed)
        return Piece(self._diff.progress)

    def close(self, *, is_complete: bool) -> Written:
        """End the answer; tell all of it."""
        code = self._code() if self._tag else ""
        if not code.strip():
            return Written(self._request.original, DiffProgress((), 0, is_final=True), words=self._text)
        proposed, notes = self._finish(code)
        diff = StreamingDiff(split_lines(self._request.original))
        diff.push_all(split_lines(proposed))
        return Written(proposed, diff.finish(is_complete=is_complete), code, "", "", tuple(notes), has_code=True)

    def _code(self) -> str:
        if self._tag is None:
            return ""
        parts = self._text.split(self._tag.open)
        rest = next((part for part in parts[1:] if part.strip()), "")
        rest = rest.split(self._tag.close)[0]
        return rest.removeprefix("\n")

    def _finish(self, code: str) -> tuple[str, list[str]]:
        request = self._request
        notes: list[str] = []
        code = code.replace("\r\n", "\n").rstrip("\n")
        match = re.fullmatch(r"```\w*\n(.*?)\n```\s*", code, re.DOTALL)
        code = match[1] if match else code
        new = [line + "\n" for line in code.split("\n")]
        old = split_lines(request.original)
        step = " " * request.file.indentation.width
        if request.file.indentation.use_tabs:
            new = [_tabs(line, step) for line in new]
        new = _trim(new, split_lines(request.before), split_lines(request.after), old)
        want = indent_of(next((line for line in old if line.strip()), request.target.indent + "x"))
        have = indent_of(next((line for line in new if line.strip()), ""))
        if have != want and want.startswith(have):
            new = [want[len(have) :] + line if line.strip() else "\n" for line in new]
        elif have != want and have.startswith(want):
            new = [line[len(have) - len(want) :] if not line[: len(have) - len(want)].strip() else line for line in new]
        end = request.file.line_end
        text = "".join(line.removesuffix("\n") + end for line in new)
        at_end = request.target.lines.end == len(request.text)
        if at_end and request.text and not request.text.endswith(("\n", "\r")):
            text = text.removesuffix(end)
        if request.target.carry:
            text = request.target.carry + end + text
        return text, notes


def _tabs(line: str, step: str) -> str:
    indent = indent_of(line)
    return indent.replace(step, "\t") + line[len(indent) :]


def _trim(new: list[str], before: list[str], after: list[str], old: list[str]) -> list[str]:
    def same(one: list[str], other: list[str]) -> bool:
        return [line.strip() for line in one] == [line.strip() for line in other]

    for size in range(min(len(new), len(before)), 0, -1):
        if same(new[:size], before[-size:]) and any(len(line.strip()) > 3 for line in new[:size]):
            if not same(new[:1], old[:1]):
                new = new[size:]
            break
    for size in range(min(len(new), len(after)), 0, -1):
        if same(new[-size:], after[:size]) and any(len(line.strip()) > 3 for line in new[-size:]):
            if not same(new[-1:], old[-1:]):
                new = new[:-size]
            break
    return new
