"""Finds comments that stand for code left out ("rest unchanged"), which would delete that code if accepted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

COMMENT: Final = r"(?:#|//|--|/\*|<!--|;|%|\{/\*|\"\"\"|\(\*|')"
DOTS: Final = r"(?:\.\.\.|…)"
OMITTED: Final = r"(?:rest|remaining|remainder|existing|unchanged|same as|other|previous|original|omitted|as before)"
PLACEHOLDER: Final = re.compile(
    rf"\s*{COMMENT}+\s*(?:"
    rf"{DOTS}.*\b{OMITTED}\b.*"
    rf"|.*\b{OMITTED}\b.*{DOTS}.*"
    rf"|(?:the )?(?:rest|remaining|remainder)\b.*\b(?:unchanged|same|here|remains?|code|function|file|class)\b.*"
    rf"|(?:your |the )?existing (?:code|implementation|logic|methods?|functions?)\b.*"
    rf"|(?:\(?(?:code )?unchanged\)?|no changes?(?: here)?|same as (?:before|above))\W*"
    rf"|{DOTS}\s*(?:\*/|-->|\*/\}}|\*\))?\s*)",
    re.IGNORECASE,
)
BARE: Final = re.compile(rf"\s*\[?{DOTS}\s*\(?(?:rest|existing|remaining|unchanged)\b.*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A line that stands for code left out; lines count from 0."""

    line: int
    text: str


def find_placeholders(new: Sequence[str], old: Sequence[str]) -> list[Placeholder]:
    """The placeholders that are new: those the old lines have already are meant as they stand."""
    known = Counter(line.strip() for line in old)
    found: list[Placeholder] = []
    for index, line in enumerate(new):
        bare = line.strip()
        if not (PLACEHOLDER.fullmatch(bare) or BARE.fullmatch(bare)):
            continue
        if known[bare] > 0:
            known[bare] -= 1
        else:
            found.append(Placeholder(index, bare))
    return found
