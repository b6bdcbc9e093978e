"""Characters that do not show, and the names by which they are drawn."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from redraft.core.answer.hidden import code_point, find_hidden, introduced_hidden
from redraft.core.diff.hunks import Hunk

CONTROL: Final = re.compile("[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029]")
"""What no font draws; the rest is told by `find_hidden`."""


def hidden_names(text: str) -> dict[int, str]:
    """Place and name (`"‹U+202E›"`) of every character of a text that hides."""
    if text.isascii() and CONTROL.search(text) is None:
        return {}
    names = {hidden.offset: f"‹{hidden.name}›" for hidden in find_hidden(text)}
    for match in CONTROL.finditer(text):
        names[match.start()] = f"‹{code_point(match[0])}›"
    return names


@lru_cache(maxsize=1024)
def hides_something(hunk: Hunk) -> bool:
    """Whether a hunk brings characters that do not show: no single click accepts it."""
    if all(line.isascii() for line in hunk.new_lines):
        return False
    return bool(introduced_hidden("".join(hunk.new_lines), "".join(hunk.old_lines)))
