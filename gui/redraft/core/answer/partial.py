"""Finds answers that write out only a part of the selection: small models often give just the lines they changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

FEWEST_LINES: Final = 8
"""Shorter selections are told from a shorter answer by eye."""
LARGEST_PART: Final = 0.6
"""An answer with more of the selection's lines than this may be meant as it is."""
FEWEST_KEPT: Final = 0.5
"""How many of the answer's lines must stand in the selection just so, for their place to be known."""


def covered_part(answer: Sequence[str], selection: Sequence[str]) -> range | None:
    """The lines of the selection an answer writes anew, counted from 0, where it leaves out those on both sides.

    `None` where the answer reaches one of the selection's ends, or may well be meant as a shorter text.
    """
    written = [index for index, line in enumerate(selection) if line.strip()]
    old = [selection[index].strip() for index in written]
    new = [line.strip() for line in answer if line.strip()]
    if len(old) < FEWEST_LINES or not new or len(new) > LARGEST_PART * len(old):
        return None
    same = [block for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks() if block.size]
    if sum(block.size for block in same) < FEWEST_KEPT * len(new):
        return None
    # Lines at the answer's ends that were changed stand for as many of the selection's.
    first = same[0].a - same[0].b
    last = same[-1].a + len(new) - same[-1].b - 1
    if first <= 0 or last >= len(old) - 1 or last - first + 1 > LARGEST_PART * len(old):
        return None
    return range(written[first], written[last] + 1)
