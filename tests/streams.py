"""Asks a client and gathers what it yields, for tests that are not asynchronous themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import aclosing

from redraft.core.llm.client import ChatClient
from redraft.core.llm.messages import (
    ChatMessage,
    ChatRequest,
    ReasoningDelta,
    Role,
    Stop,
    StopReason,
    StreamEvent,
    TextDelta,
)
from redraft.core.llm.probe import ProbeReport, probe
from redraft.core.llm.server import ServerConfig

HELLO = ChatRequest((ChatMessage(Role.USER, "Hello"),))


def ask(client: ChatClient, request: ChatRequest = HELLO) -> list[StreamEvent]:
    """All events of one answer; the client is closed afterwards."""

    async def gather() -> list[StreamEvent]:
        try:
            return [event async for event in client.stream(request)]
        finally:
            await client.aclose()

    return asyncio.run(gather())


async def last_report(config: ServerConfig) -> ProbeReport:
    """What a test of a server comes to."""
    async with aclosing(probe(config)) as reports:
        return [report async for report in reports][-1]


def text_of(events: Iterable[StreamEvent]) -> str:
    """The answer's text."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def reasoning_of(events: Iterable[StreamEvent]) -> str:
    """The thinking's text."""
    return "".join(event.text for event in events if isinstance(event, ReasoningDelta))


def reason_of(events: list[StreamEvent]) -> StopReason:
    """Why the answer ended."""
    last = events[-1]
    assert isinstance(last, Stop)
    return last.reason
