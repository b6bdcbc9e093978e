"""Comments that an answer drops: they are easily overlooked in a diff, and seldom asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from redraft.core.languages import language


def dropped_comments(new_lines: Sequence[str], old_lines: Sequence[str], language_id: str) -> list[str]:
    """The comment lines of the old side that the new side has no more, without their indentation.

    Only whole lines of comment count, in languages that have them; one that moved is not dropped. Where the answer
    brings as many other comments, they are taken to be the same ones reworded.
    """
    mark = language(language_id).line_comment
    if not mark:
        return []
    old, new = _comments(old_lines, mark), _comments(new_lines, mark)
    gone = old - new
    reworded = (new - old).total()
    return list(gone.elements())[: max(0, gone.total() - reworded)]


def _comments(lines: Sequence[str], mark: str) -> Counter[str]:
    return Counter(text for text in map(str.strip, lines) if text.startswith(mark) and text != mark)
