"""Whether a model says in so many words that nothing needs changing, so that it need not be asked again."""

from __future__ import annotations

import re
from typing import Final

_CHANGE: Final = r"(?:changes?|changing|edits?|fix(?:es|ing)?|modifications?|modif(?:y|ying)|repairs?|corrections?)"
_NEEDED: Final = r"(?:needed|necessary|required|to be made|to make)"
STATEMENTS: Final = re.compile(
    rf"\bno (?:further |other |more )?{_CHANGE} (?:is |are |was |were )?(?:\w+ )?{_NEEDED}\b"
    rf"|\bnothing (?:here )?(?:(?:needs|has|requires|is) )?(?:to )?(?:be )?{_CHANGE}d?\b"
    rf"|\b(?:does not|doesn['’]t|do not|don['’]t) (?:need|require) (?:any |further )*{_CHANGE}\b"
    r"|\bis already (?:correct|right|valid|fine|in place|done)\b",
    re.IGNORECASE,
)
RESERVATION: Final = re.compile(r"\b(?:except|however|but|apart from|other than|aside from|unless)\b", re.IGNORECASE)


def says_nothing_to_change(words: str) -> bool:
    """Whether some sentence says so, without a reservation anywhere."""
    return bool(STATEMENTS.search(words)) and not RESERVATION.search(words)
