"""Problems reported in some lines, for `/fix`: what the parsers say of the file, as long as nobody else reports any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from redraft.core.grammars import GRAMMARS, parse
from redraft.core.text import TextIndex, TextRange
from redraft_inline_edit.answer.checks import LONGEST, fault_nodes, fault_words, syntax_error
from redraft_inline_edit.presets.preset import FIX, Preset

MOST: Final = 10
"""Problems that are sent at most; what follows the first few mostly follows from them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something reported.

    Attributes:
        line: Where, from 1.
        message: What, in a few words.
    """

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def problems_in(text: str, language_id: str, lines: TextRange) -> tuple[Problem, ...]:
    """Faults of syntax inside some lines, one for each line, in their order; none where the file parses."""
    first_fault = syntax_error(text, language_id) if len(text) <= LONGEST else ""
    if not first_fault:
        return ()
    place, _, message = first_fault.removeprefix("line ").partition(": ")
    found = {int(place): message}
    if language_id in GRAMMARS:
        for node in fault_nodes(parse(text, language_id)):
            found.setdefault(node.start_point.row + 1, fault_words(node))
    index = TextIndex(text)
    first, last = index.line_at(lines.start) + 1, index.line_at(max(lines.end - 1, lines.start)) + 1
    inside = [Problem(line, found[line]) for line in sorted(found) if first <= line <= last]
    return tuple(inside[:MOST])


def reported_for(preset: Preset | None, text: str, language_id: str, lines: TextRange) -> tuple[str, ...]:
    """The problems that go along with a preset: with `/fix`, those in its lines."""
    if preset is None or preset.name != FIX:
        return ()
    return tuple(str(problem) for problem in problems_in(text, language_id, lines))


def repair_words(problems: tuple[Problem, ...]) -> str:
    """What a repair is about, as the palette says it; empty where nothing is reported."""
    if not problems:
        return ""
    if len(problems) == 1:
        return f"Repair the problem reported on line {problems[0].line}"
    return f"Repair the {len(problems)} problems reported, the first on line {problems[0].line}"
