"""The protocol every model client keeps."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final, Protocol

from redraft.core.llm.messages import ChatRequest, Stop, StopReason, StreamEvent, TextDelta, Usage


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a client's server can do.

    Attributes:
        system_role: It takes a system message.
        prefill: It goes on with an answer that is begun.
        stop_sequences: It ends an answer at given texts.
        batch: It takes many questions at once, to be answered later.
        warm_up: It keeps what it has read, and reading ahead costs nobody anything: `warm_up` pays.
    """

    system_role: bool = True
    prefill: bool = False
    stop_sequences: bool = True
    batch: bool = False
    warm_up: bool = False


IN_SETTINGS: Final = "settings"
"""The provider of the servers set up in the settings, where their connection can be tested."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One model a user may choose.

    Attributes:
        name: How the user names it; unique in the settings.
        provider: Who serves it: `"embedded"`, `IN_SETTINGS`, or another source of models.
        model: The id the server knows it by.
        location: `"embedded"`, `"server"` (own network) or `"cloud"`; chooses the icon and what privacy rules apply.
        context_tokens: Size of its context, or 0 where unknown.
        max_output_tokens: Longest answer, or 0 where unknown.
        input_price: Price of a million input tokens in US dollars, or `None`.
        output_price: The same of output tokens.
    """

    name: str
    provider: str
    model: str
    location: str = "server"
    context_tokens: int = 0
    max_output_tokens: int = 0
    input_price: float | None = None
    output_price: float | None = None


class ChatClient(Protocol):
    """A connection to one model. Safe for several streams at once; holds no per-request state."""

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What the server can do."""
        ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """Ask, and yield what comes back; the last event is a `Stop`.

        Closing the iterator closes the connection. Must be iterated on the event loop thread.

        Raises:
            ModelError: No answer, or no more of it, will come; what was yielded before stays true.
        """
        ...

    async def aclose(self) -> None:
        """Close idle connections; streams in progress end with an error."""
        ...


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A whole answer, for callers that do not show it as it grows."""

    text: str
    reason: StopReason
    usage: Usage | None = None


async def complete(client: ChatClient, request: ChatRequest) -> ChatAnswer:
    """Ask and wait for the whole answer.

    Raises:
        ModelError: As in `ChatClient.stream`.
    """
    parts: list[str] = []
    reason, usage = StopReason.DISCONNECTED, None
    async with aclosing(client.stream(request)) as events:
        async for event in events:
            match event:
                case TextDelta(text):
                    parts.append(text)
                case Usage():
                    usage = event
                case Stop(reason):
                    pass
                case _:
                    pass
    return ChatAnswer("".join(parts), reason, usage)


async def warm_up(client: ChatClient, start: ChatRequest) -> ChatAnswer | None:
    """Let a server read how a request will begin, so that the request itself is answered sooner.

    Nothing is sent, and `None` comes back, where the server does not keep what it reads.

    Raises:
        ModelError: As in `ChatClient.stream`.
    """
    if not client.capabilities.warm_up:
        return None
    # One token is the least that every server takes as a limit.
    return await complete(client, replace(start, max_tokens=1, temperature=0.0, stop=(), prefill=""))
