"""Reads a model's answer while it arrives: from words to hunks of the region's rows."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.core.diff.hunks import Hunk
from redraft.core.diff.lines import diff_lines
from redraft.core.diff.streaming import StreamingDiff
from redraft.core.errors import AnswerError
from redraft.core.review.code_blocks import last_code_block
from redraft.core.review.teacher import REGION_END, REGION_START, USER_CURSOR, extract_region, says_no_edits
from redraft.core.text import split_lines


class AnswerReader:
    """Takes the words of one answer.

    An answer that was begun with the opening tag is the region itself; its first hunk is known as soon as a later row
    is as it was. Any other answer is read when it is whole, for what comes before the region may be anything.
    """

    def __init__(self, lines: Sequence[str], above: Sequence[str], below: Sequence[str], *, is_led: bool) -> None:
        """The region's rows and those shown above and below it, each with LF at its end."""
        self._old = tuple(lines)
        self._above = tuple(above)
        self._below = tuple(below)
        self._is_led = is_led
        self._text = ""
        self._done = 0
        self._diff = StreamingDiff(lines)
        self._is_cut_off = False

    @property
    def text(self) -> str:
        """All that has arrived."""
        return self._text

    def feed(self, piece: str) -> list[Hunk]:
        """Take more words; the hunks that nothing to come can change."""
        # Some models end rows as Windows does; the rows of a question end with LF, whatever the file has.
        self._text = (self._text + piece).replace("\r\n", "\n")
        if not self._is_led:
            return []
        region = self._region()
        lines = split_lines(region[: region.rfind("\n") + 1])
        skipped = self._repeated(lines)
        if skipped is None:
            return []
        for line in lines[max(self._done, skipped) :]:
            self._diff.add(line)
        self._done = len(lines)
        progress = self._diff.progress
        # A row that says something was met again behind the hunk: brackets and blank rows stand everywhere.
        return [
            hunk
            for hunk in progress.hunks
            if any(any(char.isalnum() for char in line) for line in self._old[hunk.old_end : progress.frontier])
        ]

    def cut_off(self) -> None:
        """The answer ended before the model was done."""
        self._is_cut_off = True

    def close(self) -> list[Hunk]:
        """The hunks of the whole answer.

        Rows at the region's end that the answer never came to stay as they are: models stop early, and one that is
        cut off says nothing about them.

        Raises:
            AnswerError: There is no region in it, or it was cut off before one could be read.
        """
        if self._is_led:
            new = split_lines(self._region())
            if self._is_cut_off and new and not new[-1].endswith("\n"):
                new.pop()
        elif self._is_cut_off:
            raise AnswerError("The answer was cut off.", words=self._text)
        elif says_no_edits(self._text):
            new = list(self._old)
        else:
            new = split_lines(_scrubbed(_unled_region(self._text)))
        if new and not new[-1].endswith("\n"):
            new[-1] += "\n"
        hunks = diff_lines(self._old, self._without_below(new[self._repeated(new) or 0 :]))
        return hunks if REGION_END in self._text else self._without_tail(hunks)

    def _without_tail(self, hunks: list[Hunk]) -> list[Hunk]:
        """Without the rows at the end that have nothing in their place: an answer that stopped never came to them."""
        last = hunks[-1] if hunks else None
        if last is None or last.old_end < len(self._old) or len(last.new_lines) >= len(last.old_lines):
            return hunks
        if not last.new_lines:
            return hunks[:-1]
        return [*hunks[:-1], Hunk(last.old_start, last.old_lines[: len(last.new_lines)], last.new_lines)]

    def _region(self) -> str:
        """What an answer that was led has of the region; one that opens it anew counts from there."""
        region = self._text.partition(REGION_END)[0]
        return _scrubbed(region.rpartition(REGION_START)[2].removeprefix("\n") if REGION_START in region else region)

    def _repeated(self, new: Sequence[str]) -> int | None:
        """How many rows at the beginning are those shown above the region; `None` while that cannot be told."""
        if not new or tuple(new[:1]) == self._old[:1]:
            return 0
        for start in range(len(self._above)):
            count = len(self._above) - start
            if tuple(new[:count]) == self._above[start : start + len(new)]:
                return count if len(new) >= count else None
        return 0

    def _without_below(self, new: list[str]) -> list[str]:
        """Without rows that a model went on with behind the region: they stand there already."""
        for count in range(min(len(new), len(self._below)), 0, -1):
            if tuple(new[-count:]) == self._below[:count] and tuple(new[-count:]) != self._old[-count:]:
                return new[:-count]
        return new


def _unled_region(answer: str) -> str:
    if REGION_START in answer or REGION_END in answer:
        return extract_region(answer)
    block = last_code_block(answer)
    if block is None:
        raise AnswerError("The answer has neither region tags nor a code block.", words=answer)
    return block.removesuffix("\n")


def _scrubbed(text: str) -> str:
    return text.replace(USER_CURSOR, "")
