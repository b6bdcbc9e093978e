"""What is asked of a model: which lines may change, in which file, and the words that say how."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from redraft.api.editor import Indentation
from redraft.core.errors import UsageError
from redraft.core.text import TextIndex, TextRange, line_end, split_lines, without_end
from redraft_inline_edit.presets.preset import Preset

OPENERS = re.compile(r"[:({\[]\s*(?:#.*|//.*)?$")
CLOSERS = re.compile(r"^\s*[)}\]]")


class EditKind(StrEnum):
    """Whether text gives way to other text, or new text comes in between."""

    REPLACE = "replace"
    INSERT = "insert"


@dataclass(frozen=True, slots=True)
class Target:
    """The whole lines an edit may change, and nothing else.

    Attributes:
        lines: Their span; empty where new lines come in between.
        kind: Whether they are replaced or only make room.
        indent: White space that new lines start with, for an insertion.
        picked: The part of the lines the user had selected, where that was less than all of them.
        carry: Text of `lines` that stays in front of an insertion: an unfinished last line of the file.
    """

    lines: TextRange
    kind: EditKind = EditKind.REPLACE
    indent: str = ""
    picked: str = ""
    carry: str = ""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What is known of the file around the text.

    Attributes:
        name: How it is called in prompts: its path within the project, or its title.
        language_id: The language, by its LSP identifier.
        line_end: Its usual line end.
        indentation: How it is indented.
        path: Where it is, for one that was saved.
    """

    name: str
    language_id: str = "plaintext"
    line_end: str = "\n"
    indentation: Indentation = field(default_factory=Indentation)
    path: Path | None = None


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or a part of one that goes along: `@name` in the instruction refers to it."""

    name: str
    text: str
    path: str = ""
    language_id: str = "plaintext"


@dataclass(frozen=True, slots=True)
class EditRequest:
    """One edit, complete: a plain value that runs the same in the window and on the command line.

    Attributes:
        text: The whole file.
        target: The lines that may change.
        file: What is known of the file.
        command: The user's words, without the preset's name.
        preset: The preset the words began with.
        attachments: More text for the model to read.
        rules: The project's rules for code, as the user keeps them in a file.
        diagnostics: Problems reported inside the lines, one sentence each.
        earlier: An answer to refine, as (its instruction, its code).
        is_question: Whether an answer in words is wanted, and nothing is to change.
        with_file: Whether the text around the lines goes along.
    """

    text: str
    target: Target
    file: FileFacts
    command: str
    preset: Preset | None = None
    attachments: tuple[Attachment, ...] = ()
    rules: str = ""
    diagnostics: tuple[str, ...] = ()
    earlier: tuple[str, str] | None = None
    is_question: bool = False
    with_file: bool = True

    @property
    def original(self) -> str:
        """The text of the lines that may change."""
        return self.target.lines.of(self.text)

    @property
    def before(self) -> str:
        """All text in front of them, with the part of an unfinished last line that stays."""
        return self.text[: self.target.lines.start] + self.target.carry

    @property
    def after(self) -> str:
        """All text behind them."""
        return self.text[self.target.lines.end :]


def target_for(text: str, selection: TextRange, *, caret_inserts: bool = True) -> Target:
    """The lines a selection means.

    A selection grows to whole lines; one that ends at a line's start leaves that line out. A caret on a blank line,
    or at the start of one, asks for new text there; elsewhere it means its line.
    """
    index = TextIndex(text)
    if selection.is_empty:
        return _target_at_caret(index, selection.start, caret_inserts=caret_inserts)
    first, last = index.line_at(selection.start), index.line_at(selection.end)
    if last > first and selection.end == index.line_starts[last]:
        last -= 1
    lines = index.lines_range(first, last)
    picked = selection.of(text)
    return Target(lines, picked="" if picked.strip() == lines.of(text).strip() else picked)


def target_for_lines(text: str, first: int, last: int) -> Target:
    """Lines counted from 1, both included.

    Raises:
        UsageError: There are no such lines.
    """
    count = len(split_lines(text))
    if not 1 <= first <= last:
        raise UsageError(f"The lines {first}:{last} are not a range; write the first and last line, from 1.")
    if last > count:
        raise UsageError(f"The lines {first}:{last} end after the file, which has {count} lines.")
    return Target(TextIndex(text).lines_range(first - 1, last - 1))


def insertion_before(text: str, line: int) -> Target:
    """New text before a line counted from 1; one past the last line means the end of the file.

    Raises:
        UsageError: There is no such place.
    """
    lines = split_lines(text)
    if not 1 <= line <= len(lines) + 1:
        raise UsageError(f"There is no line {line} to insert at; the file has {len(lines)} lines.")
    start = sum(map(len, lines[: line - 1]))
    indent = indent_between(lines[: line - 1], lines[line - 1 :])
    if line > len(lines) > 0 and not line_end(lines[-1]):
        last = lines[-1]
        return Target(TextRange(start - len(last), start), EditKind.INSERT, indent, carry=last)
    return Target(TextRange(start, start), EditKind.INSERT, indent)


def whole_file(text: str) -> Target:
    """All lines; an empty file asks for its first text."""
    return Target(TextRange(0, len(text)), EditKind.REPLACE if text.strip() else EditKind.INSERT)


def indent_of(line: str) -> str:
    """The white space a line begins with."""
    return without_end(line)[: len(without_end(line)) - len(without_end(line).lstrip())]


def indent_between(before: list[str], after: list[str]) -> str:
    """The likely indentation of a new line between others: as the deeper of its neighbours, unless a block ends."""
    previous = next((line for line in reversed(before) if line.strip()), "")
    following = next((line for line in after if line.strip()), "")
    if not previous or (OPENERS.search(without_end(previous)) and following):
        return indent_of(following)
    if following and CLOSERS.search(following):
        return indent_of(previous)
    return max(indent_of(previous), indent_of(following), key=len) if following else indent_of(previous)


def _target_at_caret(index: TextIndex, caret: int, *, caret_inserts: bool) -> Target:
    line = index.line_at(caret)
    lines = index.line_range(line)
    text = lines.of(index.text)
    if not text.strip():
        before = split_lines(index.text[: lines.start])
        indent = without_end(text) or indent_between(before, split_lines(index.text[lines.end :]))
        return Target(lines, EditKind.INSERT, indent)
    if caret_inserts and caret == lines.start:
        return Target(TextRange(caret, caret), EditKind.INSERT, indent_of(text))
    return Target(lines)
