"""From the code a model wrote to the text that goes into the file.

In this order: line ends and final newline take the file's; indentation takes the file's style and, if the first line
says so, one common shift; lines that repeat the text around the selection are left out. What repeats is found first
of all, because a repeated line would decide the shift for a line it does not belong to. Every step leaves a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from redraft.core.answer.dropped_comments import dropped_comments
from redraft.core.answer.endings import answer_lines, lines_of, with_ends, with_final_end
from redraft.core.answer.hidden import introduced_hidden, introduced_quotes, kind_in_words
from redraft.core.answer.indentation import (
    IndentStyle,
    Shift,
    StyleConverter,
    detect_style,
    first_written,
    is_mixed,
    leading,
    shift_between,
)
from redraft.core.answer.partial import covered_part
from redraft.core.answer.placeholders import find_placeholders
from redraft.core.answer.trimming import Trim, find_trim
from redraft.core.text import split_lines, without_end

ENDS_BLANK: Final = re.compile(r"\n[ \t\r]*\n\s*\Z")
"""A last line, and a blank one behind it."""


class NoteKind(StrEnum):
    """What was done to an answer, or found in it."""

    TRIMMED = "trimmed"
    CUT_OUT = "cut_out"
    REINDENTED = "reindented"
    CONVERTED = "converted"
    MENDED = "mended"
    MIXED_INDENTATION = "mixed_indentation"
    HIDDEN = "hidden"
    QUOTES = "quotes"
    PLACEHOLDER = "placeholder"
    COMMENTS = "comments"
    PARTIAL = "partial"
    LOST = "lost"
    NOT_MERGED = "not_merged"
    NEEDS_IMPORT = "needs_import"
    EMPTY = "empty"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader of a proposal should know.

    Attributes:
        kind: What it is about.
        text: One sentence.
        count: How many lines or characters.
        details: Each of them (`"U+202E"`, a placeholder's text).
        blocks_accept: Whether the proposal must not be accepted with one key.
    """

    kind: NoteKind
    text: str
    count: int = 0
    details: tuple[str, ...] = ()
    blocks_accept: bool = False


@dataclass(frozen=True, slots=True)
class AnswerFrame:
    """Where an answer goes: the text before, the selection it replaces, the text after, and the file's habits."""

    before: str
    selection: str
    after: str
    line_end: str = "\n"
    indentation: IndentStyle = field(default_factory=IndentStyle)
    language_id: str = ""

    @property
    def lines(self) -> list[str]:
        """The selected lines without their ends."""
        return [without_end(line) for line in lines_of(self.selection, self.line_end)]

    @property
    def lines_before(self) -> list[str]:
        """Whole lines above the selection; none where it begins behind some code."""
        lines = lines_of(self.before, self.line_end)
        if self.margin is None:
            return []
        return [without_end(line) for line in (lines if self.before.endswith(("\n", "\r")) else lines[:-1])]

    @property
    def lines_after(self) -> list[str]:
        """Whole lines below the selection; none where it ends before some code."""
        lines = [without_end(line) for line in lines_of(self.after, self.line_end)]
        if not self.selection or self.selection.endswith(("\n", "\r")):
            return lines if self.selection or self.margin == "" else lines[1:]
        return lines[1:] if not lines or not lines[0].strip() else []

    @property
    def margin(self) -> str | None:
        """The white space that stands before the selection on its first line; `None` if it is not only that."""
        last = "" if self.before.endswith(("\n", "\r")) else "".join(split_lines(self.before)[-1:])
        return None if last.strip() else last


@dataclass(frozen=True, slots=True)
class FinishedAnswer:
    """The text for the file, and what the reader should know."""

    text: str
    notes: tuple[Note, ...] = ()


def finish_answer(code: str, frame: AnswerFrame) -> FinishedAnswer:
    """Fit the code of an answer into its frame."""
    lines = answer_lines(code)
    if not lines:
        empty = Note(NoteKind.EMPTY, "The answer is empty; accepting it removes the selected text.", blocks_accept=True)
        return FinishedAnswer("", (empty,) if frame.selection.strip() else ())
    trim = find_trim(lines, frame.lines, frame.lines_before, frame.lines_after)
    lines = trim.of(lines)
    fitter = LineFitter(frame)
    fitted = [fitter.fit(line) for line in lines]
    if not fitter.shift.is_none and fitted == frame.lines:
        # Nothing but the shift would be lost: moving the lines is what was asked for.
        fitter = LineFitter(frame, may_shift=False)
        fitted = [fitter.fit(line) for line in lines]
    text = _joined(fitted, frame)
    if (not lines[-1].strip() if trim.after else ENDS_BLANK.search(code)) and _keeps_apart(frame):
        text += frame.line_end
    return FinishedAnswer(text, tuple(_notes(trim, fitter, text, frame)))


def _joined(lines: Sequence[str], frame: AnswerFrame) -> str:
    text = "".join(with_ends(lines, frame.selection, frame.line_end))
    return ended_as_in(text, frame)


def _keeps_apart(frame: AnswerFrame) -> bool:
    """Whether new lines stand behind a blank line and right before others: a blank line at their end matters there."""
    before, after = frame.lines_before, frame.lines_after
    return bool(not frame.selection.strip() and before and not before[-1].strip() and after and after[0].strip())


def ended_as_in(text: str, frame: AnswerFrame) -> str:
    """The text with the final line end that its frame asks for."""
    return with_final_end(text, before=frame.before, selection=frame.selection, default=frame.line_end)


class LineFitter:
    """Gives one line after the other the indentation of its frame."""

    def __init__(self, frame: AnswerFrame, *, may_shift: bool = True) -> None:
        selected = frame.lines
        self._blanks = frozenset(line for line in selected if not line.strip())
        # Lines beside each other in one style matter more than the style of the rest of the file.
        style = frame.indentation if is_mixed(selected) else detect_style(frame.selection, frame.indentation)
        self._converter = StyleConverter(style, selected)
        self.uses_tabs = style.uses_tabs
        self._margin = frame.margin or ""
        self._wanted = self._wanted_lead(selected)
        self._is_insertion = not frame.selection.strip()
        self._may_shift = may_shift
        self.is_decided = False
        self.shift = Shift()

    def fit(self, line: str) -> str:
        """One line without its end. A blank line is empty, unless the selection has it just so."""
        if not line.strip():
            return line if line in self._blanks else ""
        line = self._converter.convert(line)
        if self.is_decided:
            return self.shift.apply(line)
        self.is_decided = True
        return self._first(line)

    @property
    def converted(self) -> int:
        """Lines whose leading white space took the file's style."""
        return self._converter.converted

    def _wanted_lead(self, selected: list[str]) -> str:
        first = first_written(selected)
        return leading(first if first is not None else self._margin + "".join(selected[:1]))

    def _first(self, line: str) -> str:
        """The first written line decides the shift. Its margin stands in the file already."""
        lead = leading(line)
        if self._margin and not self._is_insertion and lead == self._margin + self._wanted:
            return line.removeprefix(self._margin)
        knows_place = bool(self._wanted) or not self._is_insertion
        if self._may_shift and knows_place:
            self.shift = shift_between(lead, self._wanted)
        line = self.shift.apply(line)
        return line.removeprefix(self._margin) if self._is_insertion else line


def _notes(trim: Trim, fitter: LineFitter, text: str, frame: AnswerFrame) -> Iterable[Note]:
    if trim.is_cut_out:
        sentence = f"The answer was longer than the selection; {_lines(trim.total)} outside it were left out."
        yield Note(NoteKind.CUT_OUT, sentence, trim.total)
    elif trim.total:
        sentence = f"Left out {_lines(trim.total)} that only repeated the text around the selection."
        yield Note(NoteKind.TRIMMED, sentence, trim.total)
    if not fitter.shift.is_none:
        yield Note(NoteKind.REINDENTED, "The answer was moved to the selection's indentation.")
    if fitter.converted:
        style = "tabs" if fitter.uses_tabs else "spaces"
        sentence = f"The indentation of {_lines(fitter.converted)} was changed to {style}, as in the file."
        yield Note(NoteKind.CONVERTED, sentence, fitter.converted)
    new_lines = [without_end(line) for line in split_lines(text)]
    if is_mixed(new_lines) and not is_mixed(frame.lines):
        yield Note(NoteKind.MIXED_INDENTATION, "Tabs and spaces are mixed in the answer's indentation.")
    yield from _findings(text, new_lines, frame)
    if text == frame.selection:
        yield Note(NoteKind.UNCHANGED, "The answer is the selected text.")


def _findings(text: str, lines: list[str], frame: AnswerFrame) -> Iterable[Note]:
    if note := hidden_note(text, frame.selection):
        yield note
    if quotes := introduced_quotes(text, frame.selection):
        names = tuple(dict.fromkeys(found.name for found in quotes))
        yield Note(NoteKind.QUOTES, f"The answer brings typographic quotes: {', '.join(names)}.", len(quotes), names)
    if placeholders := find_placeholders(lines, frame.lines):
        texts = tuple(found.text for found in placeholders)
        sentence = "The answer leaves code out behind a comment; accepting it would delete that code."
        yield Note(NoteKind.PLACEHOLDER, sentence, len(texts), texts, blocks_accept=True)
    elif comments := dropped_comments(lines, frame.lines, frame.language_id):
        sentence = f"{_lines(len(comments))} of comment would go: {comments[0]}"
        yield Note(NoteKind.COMMENTS, sentence, len(comments), tuple(comments))
    if part := covered_part(lines, frame.lines):
        sentence = f"The answer holds only lines {part.start + 1} to {part.stop} of the selection; the others would go."
        yield Note(NoteKind.PARTIAL, sentence, len(frame.lines) - len(part))


def hidden_note(text: str, selection: str) -> Note | None:
    """What there is to say of hidden characters that a text brings; they block a quick accept."""
    hidden = introduced_hidden(text, selection)
    if not hidden:
        return None
    names = tuple(dict.fromkeys(found.name for found in hidden))
    kinds = " and ".join(dict.fromkeys(map(kind_in_words, hidden)))
    sentence = f"The answer hides {kinds} ({', '.join(names)})."
    return Note(NoteKind.HIDDEN, sentence, len(hidden), names, blocks_accept=True)


def _lines(count: int) -> str:
    return "one line" if count == 1 else f"{count} lines"
