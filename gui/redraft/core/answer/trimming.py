"""Finds the lines of an answer that only repeat what stands around the selection.

Lines are compared without their indentation, as long as all of them are moved alike: a model that repeats the line
above the selection often does so at another depth. A repeat counts only with a line that says something, and never
where the selection itself begins (or ends) with those lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.core.answer.indentation import leading

COMMON_WORDS: Final = frozenset("begin do done else end esac except fi finally pass return then try".split())  # noqa: SIM905 - reads best
ANCHOR_LINES: Final = 3
"""Lines with words above and below the selection by which its own place in an answer is found."""

LONGER_BY: Final = 3
"""How many lines longer than the selection an answer is before it may be the whole file."""


@dataclass(frozen=True, slots=True)
class Trim:
    """Lines to leave out at the front and at the back of an answer.

    Attributes:
        before: Lines at the front that repeat, or belong before, the selection.
        after: Lines at the back.
        is_cut_out: Whether the answer was a larger piece of the file, and the selection's part was cut out of it.
    """

    before: int = 0
    after: int = 0
    is_cut_out: bool = False

    @property
    def total(self) -> int:
        """All lines left out."""
        return self.before + self.after

    def of(self, lines: Sequence[str]) -> list[str]:
        """The lines that remain."""
        return list(lines[self.before : len(lines) - self.after])


def find_trim(answer: Sequence[str], selection: Sequence[str], before: Sequence[str], after: Sequence[str]) -> Trim:
    """What to leave out of an answer; all lines without their ends, `before` and `after` whole lines of the file."""
    head = LeadingTrim(before, selection)
    for line in answer:
        if not head.take(line):
            break
    front = head.settled
    tail = LeadingTrim(after[::-1], selection[::-1])
    for line in answer[::-1]:
        if not tail.take(line):
            break
    back = tail.settled
    trim = Trim(front, back)
    if front + back >= len(answer) or not any(line.strip() for line in trim.of(answer)):
        return Trim()
    if front and back:
        return trim
    cut = _cut_out(answer, selection, before, after)
    return cut if cut and cut.total > trim.total else trim


class LeadingTrim:
    """Decides, line by line, how many lines at the front of an answer repeat the end of what stands before it.

    Blank lines count on neither side; those right behind the repeat go with it as far as the text has them there.
    """

    def __init__(self, before: Sequence[str], selection: Sequence[str]) -> None:
        written = [line for line in before if line.strip()]
        self._before = [line.strip() for line in written]
        self._depths = [_depth(line) for line in written]
        self._selection = [line.strip() for line in selection if line.strip()]
        self._blanks = _blanks(before[::-1])
        self._alive: list[int] = []
        self._moved: dict[int, int] = {}
        self._taken = self._written = 0
        self._says_something = False
        self._like_selection = True
        self.settled = 0
        """How many lines are known to repeat."""

    def take(self, line: str) -> bool:
        """Look at the next line; whether the lines so far may still turn out to repeat (more of) the text."""
        bare, follows = line.strip(), self.settled == self._taken > 0
        self._taken += 1
        if bare:
            self._take_written(bare, _depth(line))
        elif follows and self._blanks:
            self.settled, self._blanks = self._taken, self._blanks - 1
        may_grow = any(at + self._written < len(self._before) for at in self._alive)
        return may_grow or not self._written or (self.settled == self._taken and self._blanks > 0)

    def _take_written(self, bare: str, depth: int) -> None:
        index = self._written
        places = [at + index for at in self._alive] if index else range(len(self._before))
        self._alive = [
            place - index
            for place in places
            if place < len(self._before)
            and self._before[place] == bare
            and self._moved.setdefault(place - index, depth - self._depths[place]) == depth - self._depths[place]
        ]
        self._written += 1
        self._says_something |= says_something(bare)
        self._like_selection &= index < len(self._selection) and self._selection[index] == bare
        whole = any(at + self._written == len(self._before) for at in self._alive)
        if whole and self._says_something and not self._like_selection:
            self.settled = self._taken


def _depth(line: str) -> int:
    """How deep a line stands, whether in tabs or in spaces."""
    return len(leading(line).expandtabs(4))


def says_something(line: str) -> bool:
    """Whether a line could be told from others: more than brackets and the commonest words."""
    words = re.findall(r"\w+", line)
    return bool(words) and not all(word in COMMON_WORDS for word in words)


def _cut_out(
    answer: Sequence[str], selection: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> Trim | None:
    """The selection's part of an answer that is (nearly) the whole file, found by the lines around it."""
    if len(answer) <= len(selection) + LONGER_BY:
        return None
    above = [line.strip() for line in before if line.strip()][-ANCHOR_LINES:]
    below = [line.strip() for line in after if line.strip()][:ANCHOR_LINES]
    if not any(map(says_something, [*above, *below])):
        return None
    written = [index for index, line in enumerate(answer) if line.strip()]
    bare = [answer[index].strip() for index in written]
    start = _only_place(bare, above)
    end = _only_place(bare, below)
    if start is None or end is None:
        return None
    first = written[start + len(above) - 1] + 1 if above else 0
    last = written[end] if below else len(answer)
    if first >= last or not any(line.strip() for line in answer[first:last]):
        return None
    # Blank lines next to the neighbours belong to them as the file has them.
    first += _repeated_blanks(answer[first:last], before[::-1], selection)
    last -= _repeated_blanks(answer[first:last][::-1], after, selection[::-1])
    return Trim(first, len(answer) - last, is_cut_out=True)


def _only_place(lines: list[str], wanted: list[str]) -> int | None:
    if not wanted:
        return 0
    places = [at for at in range(len(lines) - len(wanted) + 1) if lines[at : at + len(wanted)] == wanted]
    return places[0] if len(places) == 1 else None


def _repeated_blanks(lines: Sequence[str], neighbours: Sequence[str], selection: Sequence[str]) -> int:
    return max(min(_blanks(lines), _blanks(neighbours) - _blanks(selection)), 0)


def _blanks(lines: Sequence[str]) -> int:
    return next((index for index, line in enumerate(lines) if line.strip()), len(lines))
