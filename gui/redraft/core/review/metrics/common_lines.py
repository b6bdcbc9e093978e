"""Leaves out the lines that texts begin and end with alike: most of a file is such lines."""

from __future__ import annotations

import re
from typing import Final

from redraft.core.diff.common_ends import common_ends

_LINE_START: Final = re.compile(r"\n(?=[^\r\n])")


def without_common_lines(base: str, *others: str) -> tuple[str, ...]:
    """The texts without the lines that all of them begin and end with; nothing is left of texts that are all equal.

    No run of line ends is cut apart. What is cut off at the end does not overlap with what `base` and any one of the
    others begin with, so an alignment that matches common ends first finds the same in what is left.
    """
    texts = (base, *others)
    ends = [common_ends(base, other) for other in others if other != base]
    if not ends:
        return tuple("" for _ in texts)
    prefix, suffix = map(min, zip(*ends, strict=True))
    start = len(base[: base.rfind("\n", 0, prefix) + 1].rstrip("\r\n"))
    first_line = _LINE_START.search(base, len(base) - suffix)
    end = len(base) - first_line.end() if first_line else 0
    return tuple(text[start : len(text) - end] for text in texts)
