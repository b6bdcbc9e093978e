"""What a prediction is made from, taken at one moment, and what comes of it: plain values."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.core.diff.predicted import PredictedEdit
from redraft.core.review.example import BufferChange
from redraft_edit_prediction.live.review import Held


@dataclass(frozen=True, slots=True)
class OpenText:
    """One open file: `key` tells it from the others, `path` is how a prompt names it."""

    key: int
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the user is, and what they have done.

    Attributes:
        file: The file in front.
        caret: Where the caret stands in it.
        events: The latest edits, oldest first.
        before: The file's text before the latest edit; `None` if that was in another file.
        others: Other open files whose text may be shown to the model.
    """

    file: OpenText
    caret: int
    events: tuple[BufferChange, ...]
    before: str | None
    others: tuple[OpenText, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """Edits that passed review, in terms of the text as it was at the moment.

    Attributes:
        key: The file they are in.
        edits: In order; none if there is nothing to show.
        held: What did not pass.
        seconds: Since the model was asked.
        is_last: Whether the answer is whole: nothing more comes.
    """

    key: int
    edits: tuple[PredictedEdit, ...]
    held: tuple[Held, ...] = ()
    seconds: float = 0.0
    is_last: bool = False
