"""Predicted edits as a plugin shows them: drawn where they would be, in nobody's buffer until the user takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from redraft.api.disposable import Disposable
from redraft.core.diff.predicted import PredictedEdit


@dataclass(frozen=True, slots=True)
class PredictionKeys:
    """Keys as the user has bound them, to be shown beside a prediction; empty where none is bound.

    Attributes:
        tab: Takes it while the key has no other work, such as indenting.
        accept: Always takes it.
        word: Takes its next word.
        line: Takes its next line.
    """

    tab: str = ""
    accept: str = ""
    word: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True)
class PredictionModel:
    """What is predicted.

    Attributes:
        edits: In terms of the text as it is, in order; one of them is shown at a time, the nearest to the caret first.
        keys: Shown beside it.
        subtle: Shown only while Alt is held.
        elsewhere: Where it is, in words, if that is another file (`"harmonics.py, line 12"`); `edits` is empty then.
        summary: What changes there, in a few words.
    """

    edits: tuple[PredictedEdit, ...]
    keys: PredictionKeys = PredictionKeys()
    subtle: bool = False
    elsewhere: str = ""
    summary: str = ""


class PredictionEnd(StrEnum):
    """Why a prediction is gone."""

    ACCEPTED = "accepted"
    """All of it is in the text, the last part of it taken by a key."""
    TYPED = "typed"
    """All of it is in the text, the last part of it typed."""
    HIDDEN = "hidden"
    """The user does not want it."""
    OUTDATED = "outdated"
    """The text went another way."""
    FOLLOWED = "followed"
    """It is in another file, and the user wants to go there."""


@dataclass(frozen=True, slots=True)
class PredictionTaken:
    """The user took part of it, or one of several edits; the rest stays."""


@dataclass(frozen=True, slots=True)
class PredictionClosed:
    """It is gone."""

    end: PredictionEnd


PredictionEvent = PredictionTaken | PredictionClosed


class PredictionHandle(Disposable, Protocol):
    """A prediction in an editor. It follows the text: typing along uses it up, typing against it closes it."""

    @property
    def edits(self) -> Sequence[PredictedEdit]:
        """What is left of it, in terms of the text as it is now."""
        ...

    @property
    def is_visible(self) -> bool:
        """Whether it is on screen now: a subtle one only while Alt is held."""
        ...

    def replace(self, edits: Sequence[PredictedEdit]) -> None:
        """Show other edits in its place: more of the same answer has come."""
        ...

    def show_keys(self, keys: PredictionKeys) -> None:
        """Name other keys beside it: the key map has changed."""
        ...

    def accept(self) -> None:
        """Put the edit that is shown into the buffer as one undo step; go to it first where it is out of view."""
        ...

    def accept_word(self) -> None:
        """Take its next word."""
        ...

    def accept_line(self) -> None:
        """Take its next line."""
        ...

    def hide(self) -> None:
        """The user does not want it."""
        ...
