"""How counts are written in sentences."""

from __future__ import annotations


def count_words(count: int, noun: str) -> str:
    """A number with its noun: `"1 line"`, `"2 lines"`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
