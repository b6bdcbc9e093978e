"""Lexical search: which pieces of text share rare words with a query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def rank(pieces: Sequence[str], query: str, limit: int) -> list[int]:
    """The places of the best pieces, best first, by BM25 (Robertson and Zaragoza 2009); none that shares no word."""
    import bm25s  # noqa: PLC0415 - loads numerical libraries that most commands never need

    corpus = [_words(piece) for piece in pieces]
    asked = _words(query)
    known = {word for words in corpus for word in words}
    asked = [word for word in dict.fromkeys(asked) if word in known]
    if not asked:
        return []
    retriever = bm25s.BM25()
    retriever.index(corpus, show_progress=False)
    scores = retriever.get_scores(asked)
    best = sorted(range(len(pieces)), key=lambda index: -scores[index])[:limit]
    return [index for index in best if scores[index] > 0]


def _words(text: str) -> list[str]:
    """Words of identifiers and prose: `getUserName` and `get_user_name` are the same three."""
    return [word.lower() for word in _WORD.findall(text) if len(word) > 1]
