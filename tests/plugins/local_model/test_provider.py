from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from redraft.api.services import DownloadingProvider
from redraft.core.errors import ConnectionFailed, ModelUnavailable
from redraft.core.llm.client import ChatClient, ModelInfo, complete
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason, TextDelta
from redraft_local_model.catalog import CATALOG
from redraft_local_model.provider import EmbeddedProvider, create


@dataclass
class Settings:
    values: dict[str, Any] = field(
        default_factory=lambda: {
            "local_model.threads": 2,
            "local_model.gpu_layers": 0,
            "local_model.idle_minutes": 10.0,
        }
    )

    def get(self, name: str) -> Any:
        return self.values[name]

    def set(self, name: str, value: Any) -> None:
        self.values[name] = value

    def on_did_change(self, name: str, callback: Callable[[Any], None]) -> Any:
        raise AssertionError("not used")


@dataclass
class Storage:
    data_folder: Path
    cache_folder: Path

    def read(self, name: str) -> str | None:
        return None

    def write(self, name: str, text: str) -> None:
        raise AssertionError("not used")


@dataclass
class Context:
    storage: Storage
    settings: Settings = field(default_factory=Settings)
    log: logging.Logger = field(default_factory=lambda: logging.getLogger("test"))


@pytest.fixture
def context(tmp_path: Path) -> Context:
    (tmp_path / "models").mkdir()
    return Context(Storage(tmp_path, tmp_path / "cache"))


@pytest.fixture
def here(context: Context, small_model: Path) -> Context:
    (context.storage.data_folder / "models" / small_model.name).symlink_to(small_model)
    return context


REQUEST = ChatRequest((ChatMessage(Role.USER, "Count from one to fifty in words."),), max_tokens=60, temperature=0)
SHORT = ChatRequest((ChatMessage(Role.USER, "Say yes."),), max_tokens=4, temperature=0)


def with_provider(context: Context, use: Callable[[EmbeddedProvider], Awaitable[None]]) -> None:
    async def run() -> None:
        provider = create(context)
        try:
            await use(provider)
        finally:
            await provider.aclose()

    asyncio.run(run())


def test_it_is_a_provider_whose_models_are_fetched_first(context: Context) -> None:
    assert isinstance(EmbeddedProvider(context), DownloadingProvider)


def test_nothing_is_served_until_a_model_is_here(context: Context) -> None:
    provider = EmbeddedProvider(context)
    assert provider.list_models() == []
    assert [model.is_downloaded for model in provider.catalogue()] == [False, False]
    missing = ModelInfo("qwen2.5-coder-1.5b", "embedded", "qwen2.5-coder-1.5b")
    with pytest.raises(ModelUnavailable, match=r"not on this machine; fetch it with “redraft models pull"):
        asyncio.run(provider.open(missing))


def test_an_interrupted_download_is_shown(context: Context) -> None:
    (context.storage.data_folder / "models" / f"{CATALOG[1].filename}.part").write_bytes(b"begun")
    assert EmbeddedProvider(context).catalogue()[1].partial_bytes == 5


@pytest.mark.model
def test_a_model_here_answers_and_begins_as_it_is_told(here: Context) -> None:
    async def use(provider: EmbeddedProvider) -> None:
        client = await provider.open(provider.list_models()[0])
        answer = await complete(client, SHORT)
        assert answer.text
        assert answer.usage is not None
        assert answer.usage.output_tokens > 0
        begun = ChatRequest(SHORT.messages, prefill="<CODE>", stop=("</CODE>",), max_tokens=20, temperature=0)
        assert "<CODE>" not in (await complete(client, begun)).text

    with_provider(here, use)


async def kill_in_the_middle(provider: EmbeddedProvider, client: ChatClient) -> None:
    async for event in client.stream(REQUEST):
        if isinstance(event, TextDelta):
            process = provider.process_id
            assert process is not None
            os.kill(process, signal.SIGKILL)


@pytest.mark.model
def test_a_killed_model_is_named_and_the_next_request_starts_it_anew(here: Context) -> None:
    async def use(provider: EmbeddedProvider) -> None:
        client = await provider.open(provider.list_models()[0])
        with pytest.raises(ConnectionFailed, match=r"ended while it wrote.*Your text is untouched; run again"):
            await kill_in_the_middle(provider, client)
        answer = await complete(client, SHORT)
        assert answer.reason in {StopReason.END, StopReason.LENGTH}

    with_provider(here, use)


@pytest.mark.model
def test_an_idle_model_leaves_memory(here: Context) -> None:
    here.settings.values["local_model.idle_minutes"] = 0.001

    async def use(provider: EmbeddedProvider) -> None:
        client = await provider.open(provider.list_models()[0])
        await complete(client, SHORT)
        async with asyncio.timeout(30):
            await provider.until_idle()
        assert provider.process_id is None

    with_provider(here, use)
