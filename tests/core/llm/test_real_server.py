"""llama.cpp speaks both protocols: it is the real peer of both clients."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from redraft.core.errors import AuthenticationError, ContextTooLong
from redraft.core.llm.client import complete
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason
from redraft.core.llm.registry import PROVIDER_PRESETS, make_client
from redraft.core.llm.server import Prefill, ServerConfig, ServerKind
from redraft_local_model.catalog import LocalModel
from redraft_local_model.server import Endpoint, LocalServer
from streams import last_report

LIST = ChatRequest(
    (
        ChatMessage(Role.SYSTEM, "You write Python and nothing else."),
        ChatMessage(Role.USER, "Write a list of the numbers 1 to 3."),
    ),
    max_tokens=40,
    temperature=0,
    prefill="[1, 2",
    stop=("]",),
)
LONG = ChatRequest((ChatMessage(Role.USER, "x = 1\n" * 1000),), max_tokens=5)


def config_of(end: Endpoint, kind: ServerKind, key: str) -> ServerConfig:
    llama = PROVIDER_PRESETS["llama-server"]
    own = {"base_url": end.address, "kind": kind, "key": lambda: key, "model": "small", "temperature": 0.0}
    return llama.config(prefill=Prefill.MESSAGE, **own)


async def converse(end: Endpoint, kind: ServerKind) -> None:
    config = config_of(end, kind, end.key)
    client = make_client(config)
    answer = await complete(client, LIST)
    assert answer.text.strip().startswith(", 3") or answer.text.strip().startswith("3")
    assert "]" not in answer.text
    assert answer.reason in {StopReason.END, StopReason.STOP_SEQUENCE}
    assert answer.usage is not None
    assert answer.usage.input_tokens > 20
    assert answer.usage.output_tokens > 0
    with pytest.raises(ContextTooLong):
        await complete(client, LONG)
    await client.aclose()
    stranger = make_client(config_of(end, kind, "not-the-key"))
    with pytest.raises(AuthenticationError):
        await complete(stranger, LIST)
    await stranger.aclose()
    report = await last_report(config)
    assert report.works, report.summary


@pytest.mark.model
@pytest.mark.parametrize("kind", [ServerKind.OPENAI, ServerKind.ANTHROPIC])
def test_llama_cpp_understands_and_is_understood(small_model: Path, kind: ServerKind) -> None:
    async def run() -> None:
        server = LocalServer(LocalModel("small", small_model, context_tokens=1024, memory_bytes=0))
        end = await server.start()
        try:
            await converse(end, kind)
        finally:
            await server.stop()

    asyncio.run(run())
