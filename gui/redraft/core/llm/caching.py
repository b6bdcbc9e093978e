"""A client that answers from the cache what was asked before, and keeps what is new."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from weakref import WeakValueDictionary

from redraft.core.llm.cache import LlmCache
from redraft.core.llm.cache_format import request_key
from redraft.core.llm.client import Capabilities, ChatAnswer, ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, Stop, StopReason, StreamEvent, TextDelta, Usage
from redraft.core.llm.server import ServerConfig, ServerKind


class CachingClient:
    """A `ChatClient` over another one and a cache. The same question, asked twice at once, is sent once.

    Answers that were cut off by a lost connection are not kept; those that ended at the limit are, for they would
    again. Thinking is not kept.
    """

    def __init__(self, client: ChatClient, cache: LlmCache, scope: str) -> None:
        self._client = client
        self._cache = cache
        self._scope = scope
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        return self._client.info

    @property
    def capabilities(self) -> Capabilities:
        """What the server can do."""
        return self._client.capabilities

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """Answer from the cache in one piece, else as the other client does."""
        lock = self._asking.setdefault(request_key(self._scope, request), asyncio.Lock())
        async with lock:
            row = await asyncio.to_thread(self._cache.get, self._scope, request)
            if row is not None and row.answer is not None:
                for event in _events_of(row.answer):
                    yield event
                return
            text, usage = "", None
            async with aclosing(self._client.stream(request)) as events:
                async for event in events:
                    if isinstance(event, TextDelta):
                        text += event.text
                    elif isinstance(event, Usage):
                        usage = event
                    elif isinstance(event, Stop) and event.reason is not StopReason.DISCONNECTED:
                        answer = ChatAnswer(text, event.reason, usage)
                        await asyncio.to_thread(self._cache.put, self._scope, request, answer)
                    yield event

    async def aclose(self) -> None:
        """Close the other client; the cache stays open."""
        await self._client.aclose()


def scope_of(config: ServerConfig) -> str:
    """What besides the request decides an answer: protocol, host and model; the embedded server's port does not."""
    host = "embedded" if config.location == "embedded" else config.host
    kind = ServerKind(config.kind).value
    return f"{kind}@{host}/{config.model}"


def _events_of(answer: ChatAnswer) -> list[StreamEvent]:
    events: list[StreamEvent] = [TextDelta(answer.text)] if answer.text else []
    if answer.usage is not None:
        events.append(answer.usage)
    return [*events, Stop(answer.reason)]
