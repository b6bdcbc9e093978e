"""A model that runs, with the client that talks to it: the one way to start one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from redraft.core.llm.client import ChatClient
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.server import Prefill, ServerConfig
from redraft_local_model.catalog import LocalModel
from redraft_local_model.server import LocalServer, ServerOptions

PROVIDER_ID: Final = "embedded"


@dataclass(frozen=True, slots=True)
class RunningModel:
    """A server that listens, and the client that talks to it."""

    server: LocalServer
    client: ChatClient

    async def aclose(self) -> None:
        """End both."""
        await self.client.aclose()
        await self.server.stop()


async def start_model(model: LocalModel, options: ServerOptions) -> RunningModel:
    """Start a model's process.

    Raises:
        ModelUnavailable: It cannot be started.
    """
    server = LocalServer(model, options)
    endpoint = await server.start()
    config = ServerConfig(
        name=PROVIDER_ID,
        base_url=f"{endpoint.address}/v1",
        model=model.name,
        key=lambda: endpoint.key,
        prefill=Prefill.MESSAGE,
        location="embedded",
        context_tokens=model.context_tokens,
    )
    return RunningModel(server, OpenAIClient(config))


@asynccontextmanager
async def running(model: LocalModel, options: ServerOptions) -> AsyncGenerator[RunningModel]:
    """A model that runs inside a `with` block.

    Raises:
        ModelUnavailable: It cannot be started.
    """
    started = await start_model(model, options)
    try:
        yield started
    finally:
        await started.aclose()
