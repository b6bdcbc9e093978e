"""Fits the indentation of an answer to the place it goes to.

Models often begin at column 0, or write spaces into a file of tabs. One shift, decided by the first line that is not
blank, applies to all lines; leading white space takes the file's style; nothing behind it is touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndentStyle:
    """How a file is indented: with tabs, or with `width` spaces; `width` is also how wide a tab counts."""

    uses_tabs: bool = False
    width: int = 4


@dataclass(frozen=True, slots=True)
class Shift:
    """White space that every line gains, or loses, behind its first `at` characters."""

    gain: str = ""
    loss: str = ""
    at: int = 0

    @property
    def is_none(self) -> bool:
        """Whether nothing moves."""
        return not self.gain and not self.loss

    def apply(self, line: str) -> str:
        """One line, moved; a line with less white space than the loss loses all it has."""
        if not line.strip():
            return line
        lead = leading(line)
        if self.gain:
            at = min(self.at, len(lead))
            return line[:at] + self.gain + line[at:]
        at = min(self.at, max(len(lead) - len(self.loss), 0))
        return line[:at] + line[min(at + len(self.loss), len(lead)) :]


def leading(line: str) -> str:
    """The spaces and tabs a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def first_written(lines: Iterable[str]) -> str | None:
    """The first line that is not blank."""
    return next((line for line in lines if line.strip()), None)


def shift_between(found: str, wanted: str) -> Shift:
    """What turns one leading white space into another."""
    if wanted.startswith(found):
        return Shift(gain=wanted[len(found) :], at=len(found))
    if found.startswith(wanted):
        return Shift(loss=found[len(wanted) :], at=len(wanted))
    return Shift()


def detect_style(text: str, default: IndentStyle) -> IndentStyle:
    """How most lines of a text are indented; the default where none is."""
    leads = [leading(line) for line in text.split("\n") if line.strip()]
    tabs = sum(lead.startswith("\t") for lead in leads)
    spaces = [len(lead) for lead in leads if lead.startswith(" ")]
    if not tabs and not spaces:
        return default
    if tabs >= len(spaces):
        return IndentStyle(uses_tabs=True, width=default.width)
    return IndentStyle(width=space_unit(spaces, default.width))


def space_unit(counts: Sequence[int], default: int) -> int:
    """How many spaces make one level, going by how far lines are indented."""
    for unit in sorted({default, 2, 4, 8}, key=lambda unit: (unit != default, -unit)):
        if counts and unit > 1 and all(count % unit == 0 for count in counts):
            return unit
    return default


class StyleConverter:
    """Rewrites leading white space in a file's style; lines the file has as they are stay so."""

    def __init__(self, style: IndentStyle, kept_lines: Iterable[str]) -> None:
        self._style = style
        self._kept = frozenset(kept_lines)
        self._counts: set[int] = set()
        self.converted = 0

    def convert(self, line: str) -> str:
        """One line without its end."""
        lead = leading(line)
        if not lead or line in self._kept or not line.strip():
            return line
        fitting = self._with_tabs(lead) if self._style.uses_tabs else lead.replace("\t", " " * self._style.width)
        self.converted += fitting != lead
        return fitting + line[len(lead) :]

    def _with_tabs(self, lead: str) -> str:
        tabs, spaces = lead.count("\t"), lead.count(" ")
        if spaces and not tabs:
            self._counts.add(spaces)
        unit = space_unit(sorted(self._counts), self._style.width)
        # Fewer spaces than a level behind the tabs are alignment.
        return "\t" * (tabs + spaces // unit) + " " * (spaces % unit)


def is_mixed(lines: Iterable[str]) -> bool:
    """Whether some lines are indented with tabs and some with spaces."""
    kinds = {lead[0] for line in lines if line.strip() and (lead := leading(line))}
    return len(kinds) > 1
