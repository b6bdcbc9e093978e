"""Models that answer what they were told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence

from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, Stop, StopReason, StreamEvent, TextDelta


class ScriptedClient:
    """A model that answers what it was told, one script for each request; an exception in a script is raised."""

    def __init__(
        self,
        *scripts: Iterable[StreamEvent | Exception] | str,
        info: ModelInfo | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        self.info = info or ModelInfo("scripted", "test", "scripted-1")
        self.capabilities = capabilities or Capabilities()
        self.requests: list[ChatRequest] = []
        self.is_closed = False
        self._scripts = [answer(script) if isinstance(script, str) else list(script) for script in scripts]

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        self.requests.append(request)
        for event in self._scripts.pop(0):
            if isinstance(event, Exception):
                raise event
            await asyncio.sleep(0)
            yield event

    async def aclose(self) -> None:
        self.is_closed = True


def answer(text: str, reason: StopReason = StopReason.END, *, size: int = 7) -> list[StreamEvent | Exception]:
    """A whole answer in small pieces."""
    pieces = [TextDelta(text[start : start + size]) for start in range(0, len(text), size)]
    return [*pieces, Stop(reason)]


class FixedModels:
    """One model, always the same client; others can be listed beside it."""

    def __init__(self, client: ChatClient | None = None) -> None:
        self.client = client
        self.others: list[ModelInfo] = []
        self.opened: list[ModelInfo] = []

    def list_models(self) -> Sequence[ModelInfo]:
        return [self.client.info, *self.others] if self.client else []

    def default(self, purpose: str) -> ModelInfo | None:
        return self.client.info if self.client else None

    def find(self, name: str) -> ModelInfo:
        for info in self.list_models():
            if info.name == name:
                return info
        raise ModelUnavailable(f"There is no model called {name}.")

    async def open(self, model: ModelInfo) -> ChatClient:
        self.opened.append(model)
        if self.client is None:
            raise ModelUnavailable("No model is set up.")
        return self.client
