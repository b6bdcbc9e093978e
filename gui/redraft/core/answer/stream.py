"""The lines of an answer as they will stand in the file, while it arrives."""

from __future__ import annotations

from redraft.core.answer.endings import LineEnds
from redraft.core.answer.pipeline import AnswerFrame, FinishedAnswer, LineFitter, ended_as_in, finish_answer
from redraft.core.answer.trimming import LeadingTrim
from redraft.core.text import split_lines


class AnswerStream:
    """Turns code that arrives in chunks into whole lines as they will stand in the file, for `StreamingDiff`.

    Lines that may repeat the text above the selection, and blank lines that may be the last, wait until that is
    known. `finish_answer` on the whole code remains the truth: only there is known what repeats the text below.
    """

    def __init__(self, frame: AnswerFrame) -> None:
        self._frame = frame
        self.restart()

    def restart(self) -> None:
        """Begin again, as after the parser's `Restart`."""
        self._rest = ""
        self._parts: list[str] = []
        self._fitter = LineFitter(self._frame)
        self._ends = LineEnds(self._frame.selection, self._frame.line_end)
        self._trim: LeadingTrim | None = LeadingTrim(self._frame.lines_before, self._frame.lines)
        self._waiting: list[str] = []
        self._blanks: list[str] = []
        self._last: str | None = None
        plain = "x" + self._frame.line_end
        self._holds_last = ended_as_in(plain, self._frame) != plain

    @property
    def code(self) -> str:
        """All code so far, as it came."""
        return "".join(self._parts)

    @property
    def partial(self) -> str:
        """The unfinished last line, as far as it can be shown."""
        if self._trim is not None or not self._rest.strip():
            return ""
        return self._fitter.shift.apply(self._rest) if self._fitter.is_decided else self._rest

    def feed(self, text: str) -> list[str]:
        """Take more code; tell the lines that are whole now, fitted and with their ends."""
        self._parts.append(text)
        *whole, rest = text.split("\n")
        if not whole:
            self._rest += rest
            return []
        whole[0] = self._rest + whole[0]
        self._rest = rest
        return [fitted for line in whole for fitted in self._take(line.rstrip("\r"))]

    def close(self, *, is_complete: bool = True) -> list[str]:
        """The last lines, once no more code comes; half a line of an answer that was cut off is left out."""
        lines = self._take(self._rest.rstrip("\r")) if is_complete and self._rest.strip() else []
        lines += self._settle(is_over=True)
        self._rest = ""
        last, self._last = self._last, None
        if last is None:
            return lines
        if not is_complete:
            return [*lines, last]
        return lines + split_lines(ended_as_in(last, self._frame))

    def finish(self) -> FinishedAnswer:
        """The whole answer, fitted."""
        return finish_answer(self.code, self._frame)

    def _take(self, line: str) -> list[str]:
        if self._trim is None:
            return self._emit(line)
        self._waiting.append(line)
        return [] if self._trim.take(line) else self._settle()

    def _settle(self, *, is_over: bool = False) -> list[str]:
        """What repeats the text above is known: the other lines go on."""
        if self._trim is None:
            return []
        repeated = self._trim.settled
        if is_over and repeated == len(self._waiting):
            repeated = 0
        lines, self._waiting, self._trim = self._waiting[repeated:], [], None
        return [fitted for line in lines for fitted in self._emit(line)]

    def _emit(self, line: str) -> list[str]:
        """Blank lines wait for a text. Where the last line ends differently, each waits for the next."""
        if not line.strip():
            self._blanks.append(line)
            return []
        out = [] if self._last is None else [self._last]
        ready, self._blanks = [*self._blanks, line], []
        lines = [(fitted := self._fitter.fit(one)) + self._ends.end_of(fitted) for one in ready]
        self._last = lines.pop() if self._holds_last else None
        return out + lines
