"""What an answer turns out to be: events while it arrives, and the whole at the end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Code:
    """More of the code."""

    text: str


@dataclass(frozen=True, slots=True)
class Commentary:
    """More of what the model says about it."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """More of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Restart:
    """All code so far was none."""


AnswerEvent = Code | Commentary | Reasoning | Restart


class Container(StrEnum):
    """What the code stood in."""

    NONE = "none"
    TAG = "tag"
    FENCE = "fence"
    BARE = "bare"


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """All there was in an answer.

    Attributes:
        code: The code as written, or `None` if the answer has none; empty if its container is.
        commentary: The words around it.
        reasoning: The model's thinking.
        is_complete: Whether the model ended by itself and closed what it had opened.
        container: What the code stood in.
        ended_in_reasoning: Whether the answer broke off before the thinking was over.
    """

    code: str | None
    commentary: str
    reasoning: str
    is_complete: bool
    container: Container
    ended_in_reasoning: bool = False
