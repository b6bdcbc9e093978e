"""Two ways to cut text into tokens: as a reader sees it (word diffs), and as code is counted (metrics)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

# The order is part of the definition: the first that matches wins.
_OPERATOR: Final = re.compile(
    r"""
      >>>= | <<= | >>= | \.\.\. | \.\.= | \?\?= | \*\*= | >>> | :: | -> | => | == | != | <= | >= | && | \|\| | << | >>
    | \.\. | \+= | -= | \*= | /= | %= | &= | \|= | \^= | \+\+ | -- | \*\* | \?\? | \?\. | := | <- | // | /\* | \*/
    """,
    re.VERBOSE,
)

_WORDS: Final = re.compile(r"\w+|\s+|.", re.DOTALL)
_UNITS: Final = re.compile(rf"\w+ | [\r\n]+ | [^\S\r\n]+ | {_OPERATOR.pattern} | .", re.DOTALL | re.VERBOSE)
_UNDERSCORES: Final = re.compile(r"_+|[^_]+")


def tokenize_words(text: str) -> list[str]:
    """Cut for display: runs of letters, digits and underscores; runs of white space; every other character alone."""
    return _WORDS.findall(text)


def tokenize_code(text: str) -> list[str]:
    """Cut for counting: identifiers fall into their words, line ends stand apart from blanks, operators stay whole."""
    tokens: list[str] = []
    for unit in _UNITS.findall(text):
        if unit.isalnum() and (unit.islower() or unit.isdigit()):
            tokens.append(unit)
        elif unit[0] == "_" or unit[0].isalnum():
            tokens += _identifier_words(unit)
        else:
            tokens.append(unit)
    return tokens


def tokenize_units(text: str) -> list[str]:
    """Cut as for counting, but with identifiers whole."""
    return _UNITS.findall(text)


def _identifier_words(identifier: str) -> list[str]:
    words: list[str] = []
    for run in _UNDERSCORES.findall(identifier):
        start = 0
        for end in _case_boundaries(run):
            words.append(run[start:end])
            start = end
        words.append(run[start:])
    return words


def _case_boundaries(run: str) -> list[int]:
    """Where a word begins: `fooBar` at B, `HTTPServer` at S."""
    boundaries = []
    for index, (before, here) in enumerate(pairwise(run), 1):
        if not here.isupper():
            continue
        follows = run[index + 1 : index + 2]
        if before.islower() or before.isdigit() or (before.isupper() and follows.islower()):
            boundaries.append(index)
    return boundaries
