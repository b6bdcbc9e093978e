"""What is said to a model, and what comes back: plain values, the same for every protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model.

    Attributes:
        messages: The conversation so far; a system message may only stand first.
        model: The model's id at its server; empty lets the server choose.
        max_tokens: The longest answer wanted, in tokens; `None` leaves it to the client's own limit.
        temperature: Randomness; `None` leaves it to the client's setting.
        stop: Texts at which the answer ends; the text itself is not part of the answer.
        prefill: How the answer begins, put into the model's mouth. It is not repeated in the stream. A client that
            cannot prefill ignores it, so a parser must accept both.
        effort: How long a model that reasons should do so: `"low"`, `"medium"`, `"high"`, or empty, as it does itself.
            A client whose protocol has no word for it ignores it.
        seed: For repeatable sampling, where the server knows it.
        extra: More fields of the request body, for one protocol only.
    """

    messages: tuple[ChatMessage, ...]
    model: str = ""
    max_tokens: int | None = None
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    prefill: str = ""
    effort: str = ""
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


class StopReason(StrEnum):
    """Why a stream ended. Only the first three are complete answers."""

    END = "end"
    """The model was done."""
    STOP_SEQUENCE = "stop_sequence"
    """One of the request's stop texts was reached."""
    UNSPECIFIED = "unspecified"
    """The protocol's terminal signal came without a reason (`[DONE]` alone)."""
    LENGTH = "length"
    """Cut off at the output or context limit."""
    CONTENT_FILTER = "content_filter"
    """The provider withheld the rest."""
    DISCONNECTED = "disconnected"
    """The connection ended without a terminal signal: the answer is incomplete."""

    @property
    def is_complete(self) -> bool:
        """Whether the model said all it wanted to say."""
        return self in {StopReason.END, StopReason.STOP_SEQUENCE, StopReason.UNSPECIFIED}


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of the model's thinking; never part of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens counted by the server.

    Attributes:
        input_tokens: Tokens of the request, cached ones included.
        output_tokens: Tokens of the answer.
        cached_tokens: Tokens of the request the server did not have to read again.
        prompt_ms: Time the server took to read the request, where it says so.
        generation_ms: Time the server took to write the answer, where it says so.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    prompt_ms: float | None = None
    generation_ms: float | None = None


@dataclass(frozen=True, slots=True)
class RetryScheduled:
    """The client waits before it tries again; nothing of an answer has arrived yet.

    Attributes:
        attempt: The number of the coming attempt, from 2.
        attempts: How many attempts there will be at most.
        delay: Seconds until then.
        reason: One sentence: what the server said.
    """

    attempt: int
    attempts: int
    delay: float
    reason: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The end of the stream, always the last event of one that did not raise."""

    reason: StopReason


StreamEvent = TextDelta | ReasoningDelta | Usage | RetryScheduled | Stop
