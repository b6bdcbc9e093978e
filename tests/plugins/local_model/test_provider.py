from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from redraft.api.models import DownloadingProvider
from redraft.core.errors import ConnectionFailed, ModelUnavailable
from redraft.core.llm.client import ChatClient, ModelInfo, complete, warm_up
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason, TextDelta
from redraft_local_model import provider as provider_module
from redraft_local_model.catalog import CATALOG, CatalogModel, LocalModel
from redraft_local_model.provider import EmbeddedProvider, create
from redraft_local_model.server import ServerOptions
from redraft_local_model.tuning import Tuning


@dataclass
class Settings:
    values: dict[str, Any] = field(
        default_factory=lambda: {
            "local_model.threads": 2,
            "local_model.gpu_layers": 0,
            "local_model.idle_minutes": 10.0,
            "local_model.speculation": "auto",
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
    files: dict[str, str] = field(default_factory=dict)

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def write(self, name: str, text: str) -> None:
        self.files[name] = text


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


OWN = LocalModel("own", Path("own.gguf"), 512, 0)


def test_what_was_measured_is_used_and_a_setting_stands_before_it(context: Context) -> None:
    provider = EmbeddedProvider(context)
    provider.tunings.keep(OWN, Tuning(threads=6, batch_threads=12, speculation=False))
    context.settings.values["local_model.threads"] = 0
    assert provider.options_for(OWN) == ServerOptions(6, 12, gpu_layers=0, speculation=False)
    context.settings.values |= {"local_model.threads": 3, "local_model.speculation": "on"}
    assert provider.options_for(OWN) == ServerOptions(3, 3, gpu_layers=0, speculation=True)


def test_a_model_that_has_come_is_measured_once(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    model = CatalogModel("tiny", "", "", "", "tiny.gguf", 4, hashlib.sha256(b"GGUF").hexdigest(), "MIT", 64, 0)
    (context.storage.data_folder / "models" / "tiny.gguf").write_bytes(b"GGUF")
    found = Tuning(threads=5, batch_threads=7)
    measured: list[str] = []

    async def measure(model: LocalModel, options: ServerOptions, counts: Sequence[int]) -> Tuning:
        measured.append(model.name)
        return found

    monkeypatch.setattr(provider_module, "calibrate", measure)
    monkeypatch.setattr(provider_module, "counts_here", lambda: [4, 8])
    monkeypatch.setattr(provider_module, "find_model", lambda _name: model)

    async def fetch_twice(provider: EmbeddedProvider) -> None:
        phases = [[state.phase async for state in provider.download("tiny")] for _ in range(2)]
        assert phases == [["measuring", "ready"], ["ready"]]

    with_provider(context, fetch_twice)
    assert measured == ["tiny"]


@pytest.mark.model
def test_what_was_read_ahead_is_not_read_again(here: Context) -> None:
    async def use(provider: EmbeddedProvider) -> None:
        client = await provider.open(provider.list_models()[0])
        system = ChatMessage(Role.SYSTEM, "You answer in one word. " + "Tides rise and fall. " * 20)
        start = ChatRequest((system, ChatMessage(Role.USER, "Instruction: ")))
        await warm_up(client, start)
        asked = ChatRequest((system, ChatMessage(Role.USER, "Instruction: say yes.")), max_tokens=2, temperature=0)
        usage = (await complete(client, asked)).usage
        assert usage is not None
        assert usage.cached_tokens > 0.8 * usage.input_tokens

    with_provider(here, use)


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
