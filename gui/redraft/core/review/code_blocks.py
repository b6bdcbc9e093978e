"""Fenced code blocks in a model's answer."""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = re.compile(r"`{3,}")


def last_code_block(answer: str) -> str | None:
    """The content of the last closed block, with a line end; `None` if there is none.

    Sought from the end: the last line of backticks alone closes, and the nearest line above that begins with exactly
    as many opens. So blocks fenced with another number stand inside as they are.
    """
    lines = answer.split("\n")
    closing = next((row for row in reversed(range(len(lines))) if _is_fence(lines[row])), None)
    if closing is None:
        return None
    width = len(lines[closing].strip())
    opening = next((row for row in reversed(range(closing)) if _width(lines[row]) == width), None)
    if opening is None:
        return None
    return "".join(f"{line}\n" for line in lines[opening + 1 : closing])


def code_blocks(answer: str) -> list[str]:
    """All blocks in order; a block ends at a line of backticks alone, at least as many as it began with."""
    blocks: list[str] = []
    content: list[str] | None = None
    width = 0
    for line in answer.split("\n"):
        if content is None:
            width = _width(line)
            content = [] if width else None
        elif _is_fence(line) and len(line.strip()) >= width:
            blocks.append("".join(f"{text}\n" for text in content))
            content = None
        else:
            content.append(line)
    return blocks


def fence_for(*texts: str, at_least: int = 5) -> str:
    """A fence longer than any run of backticks in the texts, so that nothing in them can close it."""
    longest = max((len(run) for text in texts for run in re.findall(r"`+", text)), default=0)
    return "`" * max(at_least, longest + 1)


def _is_fence(line: str) -> bool:
    return _FENCE.fullmatch(line.strip()) is not None


def _width(line: str) -> int:
    match = _FENCE.match(line)
    return len(match[0]) if match else 0
