"""Patterns of file names, as in `.gitignore`, that tell which of them names a file."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from pathspec import GitIgnoreSpec

REMEMBERED: Final = 4096
"""Names whose pattern is remembered: the same few files are asked about with every key press."""


class PatternList:
    """The patterns of one setting.

    Args:
        patterns: As the user wrote them; the last one that fits counts.
        ignores_case: Whether `ID_RSA` is named by `id_rsa`.
    """

    def __init__(self, patterns: tuple[str, ...], *, ignores_case: bool = False) -> None:
        # Without the blank ones, which the library leaves out of its count.
        self._patterns = tuple(pattern for pattern in patterns if pattern.strip())
        self._ignores_case = ignores_case
        self._spec = GitIgnoreSpec.from_lines(map(self._folded, self._patterns))
        self.find = lru_cache(REMEMBERED)(self._find)
        """The pattern that names a path with slashes, or nothing."""

    def _find(self, path: str) -> str:
        found = self._spec.check_file(self._folded(path))
        return self._patterns[found.index] if found.include and found.index is not None else ""

    def _folded(self, text: str) -> str:
        return text.lower() if self._ignores_case else text


@lru_cache(maxsize=16)
def pattern_list(patterns: tuple[str, ...], *, ignores_case: bool = False) -> PatternList:
    """The list of some patterns, made once for as long as they stay the same."""
    return PatternList(patterns, ignores_case=ignores_case)
