from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from redraft.core.errors import ModelUnavailable
from redraft_local_model.catalog import LocalModel
from redraft_local_model.server import Endpoint, LocalServer, check_memory


def with_server(model: LocalModel, use: Callable[[LocalServer, Endpoint], Awaitable[Any]]) -> None:
    async def run() -> None:
        server = LocalServer(model)
        endpoint = await server.start()
        try:
            await use(server, endpoint)
        finally:
            await server.stop()

    asyncio.run(run())


@pytest.fixture
def model(small_model: Path) -> LocalModel:
    return LocalModel("small", small_model, context_tokens=512, memory_bytes=0)


@pytest.mark.model
def test_the_model_answers_on_loopback_to_its_key_alone(model: LocalModel) -> None:
    async def use(server: LocalServer, endpoint: Endpoint) -> None:
        assert endpoint.address.startswith("http://127.0.0.1:")
        assert endpoint.key not in repr(endpoint)
        body = {"messages": [{"role": "user", "content": "Say yes."}], "max_tokens": 4}
        async with httpx.AsyncClient(base_url=endpoint.address, timeout=60) as client:
            refused = await client.post("/v1/chat/completions", json=body)
            assert refused.status_code == 401
            keyed = {"Authorization": f"Bearer {endpoint.key}"}
            answer = await client.post("/v1/chat/completions", json=body, headers=keyed)
            assert answer.json()["usage"]["completion_tokens"] > 0
        process_id = server.process_id
        assert process_id is not None
        await server.stop()
        assert not server.is_running
        assert not psutil.pid_exists(process_id)

    with_server(model, use)


@pytest.mark.model
def test_the_key_is_not_seen_from_outside(model: LocalModel) -> None:
    async def use(server: LocalServer, endpoint: Endpoint) -> None:
        process = psutil.Process(server.process_id)
        assert endpoint.key not in " ".join(process.cmdline())
        assert endpoint.key not in process.environ().values()

    with_server(model, use)


@pytest.mark.model
def test_a_killed_process_is_noticed(model: LocalModel) -> None:
    async def use(server: LocalServer, endpoint: Endpoint) -> None:
        assert not await server.has_ended()
        assert server.process_id is not None
        os.kill(server.process_id, signal.SIGKILL)
        assert await server.has_ended()
        assert not server.is_running

    with_server(model, use)


def test_a_file_that_is_no_model_is_refused_in_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"this is not a model")
    server = LocalServer(LocalModel("broken", broken, 512, 0))
    with pytest.raises(ModelUnavailable, match=r"broken could not be loaded .* choose another model"):
        asyncio.run(server.start())
    assert not server.is_running


def test_too_little_memory_is_said_before_loading() -> None:
    greedy = LocalModel("greedy", Path("greedy.gguf"), 512, memory_bytes=1 << 60)
    with pytest.raises(ModelUnavailable, match=r"greedy needs about .* GB of memory and .* GB are free"):
        check_memory(greedy)
    check_memory(replace(greedy, memory_bytes=0))
