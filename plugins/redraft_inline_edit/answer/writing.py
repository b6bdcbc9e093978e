"""Turns the text of an answer, as it comes, into differences from the original lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.core.answer.comments import CommentFilter
from redraft.core.answer.events import AnswerEvent, Code, Commentary, ParsedAnswer, Reasoning, Restart
from redraft.core.answer.indentation import IndentStyle, first_written, leading
from redraft.core.answer.parser import AnswerParser
from redraft.core.answer.pipeline import AnswerFrame, FinishedAnswer, Note, NoteKind, finish_answer
from redraft.core.answer.stream import AnswerStream
from redraft.core.answer.tags import TagPair
from redraft.core.answer.trimming import LeadingTrim
from redraft.core.diff.hunks import DiffProgress, apply_hunks
from redraft.core.diff.lines import whole_diff
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.text import split_lines, without_end
from redraft_inline_edit.answer.imports import ImportCut, needs_import
from redraft_inline_edit.answer.outside import without_outside
from redraft_inline_edit.answer.response_tags import DEFAULT_TAGS
from redraft_inline_edit.presets.preset import PROSE
from redraft_inline_edit.request import EditKind, EditRequest, indent_of

THINKING: Final = re.compile(r"(?s)^\s*(?:<think>)?.*?</think>")
UNTOUCHED: Final = DiffProgress((), 0, is_final=True)
"""No differences."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What one more chunk of the answer brought."""

    progress: DiffProgress | None = None
    words: str = ""
    thoughts: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """The answer, all of it that will come.

    Attributes:
        proposed: The text that takes the place of the original; of an answer that was cut off, with the original's
            lines from where it broke off.
        progress: The differences.
        code: The code as it came; `None` where there is none.
        words: What stood around it.
        thoughts: What the model thought aloud.
        notes: What was done to the code, and what was found in it.
        ended_thinking: Whether the answer broke off before the thinking was over.
    """

    proposed: str
    progress: DiffProgress
    code: str | None = None
    words: str = ""
    thoughts: str = ""
    notes: tuple[Note, ...] = field(default=())
    ended_thinking: bool = False


class Overlap:
    """Leaves out the lines at the front of a continuation that repeat the end of what came before."""

    def __init__(self, so_far: str) -> None:
        self._trim = LeadingTrim([without_end(line) for line in split_lines(so_far)], [])
        self._is_open = bool(so_far)
        self._held: list[str] = []
        self._rest = ""

    def feed(self, text: str) -> str:
        """Take more; tell what is new."""
        if not self._is_open:
            return text
        *whole, self._rest = (self._rest + text).split("\n")
        for place, line in enumerate(whole):
            self._held.append(f"{line}\n")
            if not self._trim.take(line.removesuffix("\r")):
                self._held += [f"{later}\n" for later in whole[place + 1 :]]
                return self.close()
        return ""

    def close(self) -> str:
        """What is left, when nothing more comes or nothing more can repeat."""
        self._is_open = False
        new = self._held[self._trim.settled :]
        self._held, rest, self._rest = [], self._rest, ""
        return "".join(new) + rest


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """How an answer is to look.

    Attributes:
        tag: The marks around the code; `None` for an answer in words.
        comment: The marks around words that explain it.
        is_prefilled: Whether the opening tag was put into the model's mouth.
        stops_at_close: Whether the server was told to end the answer at the closing tag.
        is_bare: Whether the answer is code from its first line on, and needs no marks.
    """

    tag: TagPair | None = DEFAULT_TAGS.document
    comment: TagPair | None = None
    is_prefilled: bool = False
    stops_at_close: bool = False
    is_bare: bool = False


USUAL_FORM: Final = AnswerForm()


class AnswerWriter:
    """Reads one answer as it arrives.

    Args:
        request: What was asked.
        form: How the answer is to look.
        so_far: Code the answer goes on behind.
    """

    def __init__(self, request: EditRequest, form: AnswerForm = USUAL_FORM, so_far: str = "") -> None:
        self._request = request
        self._parser = AnswerParser(
            form.tag or DEFAULT_TAGS.document,
            prefilled=form.is_prefilled or form.is_bare,
            stops_at_close=form.stops_at_close or form.is_bare,
            keep_fences=request.file.language_id in PROSE,
        )
        self._comments = CommentFilter(form.comment) if form.comment is not None else None
        self._explained = ""
        self._is_question = form.tag is None
        self._is_bare = form.is_bare
        self._said = ""
        self._so_far = so_far
        self._old = split_lines(request.original)
        self._frame = answer_frame(request)
        self._imports = ImportCut.of(request)
        self._begin()

    def feed(self, text: str) -> Piece:
        """Take a chunk; tell what it brought."""
        if self._is_question:
            self._said += text
            return Piece(words=text)
        text, explained = self._comments.feed(text) if self._comments is not None else (text, "")
        self._explained += explained
        piece = self._take(self._parser.feed(text))
        return replace(piece, words=piece.words + explained)

    def close(self, *, is_complete: bool) -> Written:
        """End the answer; tell all of it."""
        if self._comments is not None:
            text, explained = self._comments.close()
            self._explained += explained
            self._take(self._parser.feed(text))
        events, parsed = self._parser.close(is_complete)
        words = "\n".join(part for part in (parsed.commentary, self._explained.strip()) if part)
        parsed = replace(parsed, commentary=words)
        self._take(events)
        if self._is_question:
            words = THINKING.sub("", self._said).strip()
            return Written(self._request.original, UNTOUCHED, None, words)
        if parsed.code is None or (not is_complete and not parsed.code.strip()):
            return _without_code(self._request, parsed)
        return self._whole(parsed) if is_complete else self._part(parsed)

    def _begin(self) -> None:
        self._waiting = ""
        self._stream: AnswerStream | None = None
        self._diff = StreamingDiff(self._old)
        self._diff.push_all(split_lines(self._carried("")))
        self._overlap = Overlap(self._so_far)
        if self._so_far:
            self._write(self._so_far)

    def _take(self, events: list[AnswerEvent]) -> Piece:
        words = thoughts = ""
        has_code = False
        for event in events:
            match event:
                case Code(text):
                    self._write(self._overlap.feed(text))
                    has_code = True
                case Restart():
                    self._begin()
                    has_code = True
                case Commentary(text):
                    words += text
                case Reasoning(text):
                    thoughts += text
        return Piece(self._progress() if has_code else None, words, thoughts)

    def _write(self, text: str) -> None:
        if self._stream is None:
            self._waiting += text
            if not self._waiting.strip() or (self._imports is not None and self._imports.is_open(self._waiting)):
                return
            text = self._from_first_line(self._waiting)
            text = self._imports.split(text)[1] if self._imports is not None else text
            self._frame = fitting_frame(self._request, self._frame, text)
            self._stream = AnswerStream(self._frame)
        for line in self._stream.feed(text):
            self._diff.add(line)

    def _progress(self) -> DiffProgress:
        return self._diff.partial(self._stream.partial if self._stream else "")

    def _whole(self, parsed: ParsedAnswer) -> Written:
        finished = self._finished(parsed)
        proposed = self._carried(finished.text)
        return self._written(parsed, proposed, whole_diff(self._request.original, proposed), finished.notes)

    def _part(self, parsed: ParsedAnswer) -> Written:
        """An answer that was cut off: its whole lines, then the original's lines it never reached."""
        self._write(self._overlap.close())
        if self._stream is not None:
            for line in self._stream.close(is_complete=False):
                self._diff.add(line)
        progress = self._diff.finish(is_complete=False)
        proposed = "".join(apply_hunks(self._old, progress.hunks))
        return self._written(parsed, proposed, progress, self._finished(parsed).notes)

    def _written(self, parsed: ParsedAnswer, proposed: str, progress: DiffProgress, notes: tuple[Note, ...]) -> Written:
        return Written(
            proposed,
            progress,
            self._code(parsed),
            parsed.commentary,
            parsed.reasoning,
            notes,
            parsed.ended_in_reasoning,
        )

    def _code(self, parsed: ParsedAnswer) -> str:
        """All code: what came before the cut, and what came now without the lines that repeat it."""
        overlap = Overlap(self._so_far)
        return self._from_first_line(self._so_far + overlap.feed(parsed.code or "") + overlap.close())

    def _from_first_line(self, code: str) -> str:
        """Code without the blank lines that part a bare answer from the thoughts before it."""
        blanks = code[: len(code) - len(code.lstrip())]
        return code[blanks.rfind("\n") + 1 :] if self._is_bare else code

    def _finished(self, parsed: ParsedAnswer) -> FinishedAnswer:
        """The code as it will stand in the file."""
        code = self._code(parsed)
        imports, code = self._imports.split(code) if self._imports is not None else ((), code)
        code, notes = without_outside(code, self._frame)
        finished = finish_answer(code, self._frame)
        return FinishedAnswer(finished.text, (*needs_import(imports), *notes, *finished.notes))

    def _carried(self, text: str) -> str:
        """The text behind the unfinished last line of the file that stays, if there is one."""
        carry, end = self._request.target.carry, self._request.file.line_end
        return f"{carry}{end}{text.removesuffix(end)}" if carry else text


def answer_frame(request: EditRequest) -> AnswerFrame:
    """Where the answer of a request goes."""
    style = request.file.indentation
    carry = request.target.carry
    return AnswerFrame(
        request.before + (request.file.line_end if carry else ""),
        "" if carry else request.original,
        request.after,
        request.file.line_end,
        IndentStyle(style.use_tabs, style.width),
        request.file.language_id,
    )


def fitting_frame(request: EditRequest, frame: AnswerFrame, beginning: str) -> AnswerFrame:
    """The frame for new lines that begin so: where their place leaves no doubt, they are moved there.

    That is so between two lines of the same indentation, and for lines at the margin between two that are indented.
    """
    first = first_written(beginning.split("\n")) or ""
    between = [indent_of(line) for line in (*frame.lines_before[-1:], *frame.lines_after[:1]) if line.strip()]
    is_level = len(between) == 2 and between[0] == between[1] == request.target.indent
    is_deep = bool(between) and all(between) and not leading(first)
    if request.target.kind is EditKind.REPLACE or frame.selection or not (is_level or is_deep):
        return frame
    # A blank line with the right indentation stands for the place.
    return replace(frame, selection=request.target.indent + frame.line_end)


def has_note(notes: tuple[Note, ...], kind: NoteKind) -> bool:
    """Whether there is a note of a kind."""
    return any(note.kind is kind for note in notes)


def _without_code(request: EditRequest, parsed: ParsedAnswer) -> Written:
    return Written(
        request.original,
        UNTOUCHED,
        None,
        parsed.commentary,
        parsed.reasoning,
        ended_thinking=parsed.ended_in_reasoning,
    )
