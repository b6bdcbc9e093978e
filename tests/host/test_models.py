from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import pytest

from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.store import SettingsStore
from redraft.core.errors import AuthenticationError, ModelUnavailable
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo, complete
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, Stop, StopReason, StreamEvent, TextDelta
from redraft.core.llm.server import ServerKind, Timeouts
from redraft.host.lazy_models import LazyModels
from redraft.host.models import SWITCHED_OFF, ModelService
from redraft.host.privacy import PrivacyRules
from redraft.host.server_models import environment_models, server_config, settings_models, usual_setup
from servers import ScriptedServer, openai_answer

QUESTION = ChatRequest((ChatMessage(Role.USER, "hello"),))
TWO: list[dict[str, Any]] = [
    {"name": "fast", "base_url": "http://localhost:11434/v1", "model": "small"},
    {"name": "clever", "base_url": "https://api.example.com/v1", "model": "large", "context_tokens": 8000},
]


@pytest.fixture
def settings() -> SettingsStore:
    return SettingsStore()


class EchoClient:
    """A client of a plugin's, without any server."""

    info = ModelInfo("echo", "echo", "echo", location="embedded")
    capabilities = Capabilities()

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        yield TextDelta(request.messages[-1].content)
        yield Stop(StopReason.END)

    async def aclose(self) -> None:
        pass


class EchoProvider:
    id = "echo"

    def __init__(self) -> None:
        self.is_closed = False

    def list_models(self) -> Sequence[ModelInfo]:
        return (EchoClient.info,)

    async def open(self, model: ModelInfo) -> ChatClient:
        return EchoClient()

    async def aclose(self) -> None:
        self.is_closed = True


def service(settings: SettingsStore, *plugins: LazyModels, chosen: str = "") -> ModelService:
    return ModelService([settings_models(settings), *plugins], settings, PrivacyRules(settings), chosen=chosen)


def echo_models() -> tuple[LazyModels, EchoProvider]:
    provider = EchoProvider()
    return LazyModels("echo", "Echo", lambda: provider), provider


def ask(models: ModelService, model: ModelInfo) -> str:
    async def work() -> str:
        try:
            return (await complete(await models.open(model), QUESTION)).text
        finally:
            await models.aclose()

    return asyncio.run(work())


def test_models_come_from_the_settings_then_from_plugins(settings: SettingsStore) -> None:
    settings.set("models", [*TWO, {**TWO[0], "name": "off", "enabled": False}])
    models = service(settings, echo_models()[0])
    assert [(model.name, model.provider, model.location) for model in models.list_models()] == [
        ("fast", "settings", "server"),
        ("clever", "settings", "cloud"),
        ("echo", "echo", "embedded"),
    ]
    assert models.list_models()[1].context_tokens == 8000


def test_the_default_for_a_purpose_is_the_one_named_else_the_first(settings: SettingsStore) -> None:
    settings.set("models", TWO)
    models = service(settings)
    assert (models.default("inline_edit") or EchoClient.info).name == "fast"
    settings.set("default_models.inline_edit", "clever")
    assert (models.default("inline_edit") or EchoClient.info).name == "clever"
    assert (models.default("edit_prediction") or EchoClient.info).name == "clever", "the first of the list"
    assert models.list_models()[0].name == "clever"


def test_a_default_that_is_gone_has_no_successor(settings: SettingsStore, caplog: pytest.LogCaptureFixture) -> None:
    settings.set("models", TWO)
    settings.set("default_models.inline_edit", "gone")
    with caplog.at_level(logging.WARNING):
        assert service(settings).default("inline_edit") is None
    assert "'gone', the default for inline_edit" in caplog.text


def test_no_models_no_default(settings: SettingsStore) -> None:
    assert service(settings).default("inline_edit") is None
    with pytest.raises(ModelUnavailable, match="None is set up"):
        service(settings).find("x")


def test_a_model_is_found_by_name_then_by_id_and_a_miss_lists_the_names(settings: SettingsStore) -> None:
    settings.set("models", TWO)
    models = service(settings)
    assert models.find("clever").model == "large"
    assert models.find("large").name == "clever"
    with pytest.raises(ModelUnavailable, match=r"no model 'x'. There are: fast, clever\."):
        models.find("x")


def test_a_configured_model_is_asked_with_its_id_and_key(
    settings: SettingsStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMPLE_KEY", "planted-key-123")
    with ScriptedServer() as server:
        server.reply(*openai_answer("hi"))
        settings.set(
            "models", [{"name": "m", "base_url": f"{server.url}/v1", "model": "large", "key": "env:SAMPLE_KEY"}]
        )
        models = service(settings)
        assert ask(models, models.find("m")) == "hi"
        seen = server.wait_for_request()
    assert seen.json()["model"] == "large"
    assert seen.headers["authorization"] == "Bearer planted-key-123"
    assert "planted-key-123" not in settings.path.read_text()


def test_a_key_is_not_sent_to_another_host(settings: SettingsStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAMPLE_KEY", "planted-key-123")
    with ScriptedServer() as server:
        row = {"name": "m", "base_url": f"{server.url}/v1", "key": "env:SAMPLE_KEY", "key_host": "api.example.com"}
        settings.set("models", [row])
        models = service(settings)
        with pytest.raises(AuthenticationError, match=r"belongs to api\.example\.com"):
            ask(models, models.find("m"))
        assert server.requests == []


def test_a_client_is_shared_until_its_server_changes(settings: SettingsStore) -> None:
    settings.set("models", TWO)
    provider = settings_models(settings)

    async def work() -> tuple[bool, bool]:
        model = provider.list_models()[0]
        first, again = await provider.open(model), await provider.open(model)
        settings.set("models", [{**TWO[0], "temperature": 0.5}])
        changed = await provider.open(model)
        await provider.aclose()
        return first is again, changed is first

    assert asyncio.run(work()) == (True, False)


def test_a_model_taken_out_of_the_settings_cannot_be_opened(settings: SettingsStore) -> None:
    settings.set("models", TWO)
    models = service(settings)
    model = models.find("fast")
    settings.set("models", [])
    with pytest.raises(ModelUnavailable, match="'fast' is not set up any more"):
        ask(models, model)
    with pytest.raises(ModelUnavailable, match="'echo' is not set up any more"):
        ask(models, EchoClient.info)


def test_a_plugins_provider_is_loaded_on_first_use_asked_and_closed(settings: SettingsStore) -> None:
    plugin, provider = echo_models()
    models = service(settings, plugin)
    assert ask(models, models.find("echo")) == "hello"
    assert provider.is_closed


def test_a_plugin_that_cannot_be_loaded_serves_nothing_and_is_named(
    settings: SettingsStore, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[int] = []

    def load() -> EchoProvider:
        calls.append(1)
        raise RuntimeError("boom")

    models = service(settings, LazyModels("echo", "Echo", load))
    with caplog.at_level(logging.ERROR):
        assert list(models.list_models()) == []
        assert list(models.list_models()) == []
    assert len(calls) == 1
    assert "The models of Echo cannot be had" in caplog.text
    with pytest.raises(ModelUnavailable, match="“Echo” cannot be used: RuntimeError: boom"):
        ask(models, EchoClient.info)


def test_providers_are_fetched_ahead_once_and_not_on_the_callers_thread(settings: SettingsStore) -> None:
    threads: list[str] = []

    def load() -> EchoProvider:
        threads.append(threading.current_thread().name)
        return EchoProvider()

    models = service(settings, LazyModels("echo", "Echo", load))
    asyncio.run(models.prepare())
    assert models.find("echo") == EchoClient.info
    assert len(threads) == 1
    assert threads[0] != threading.main_thread().name


def test_a_plugin_turned_off_serves_nothing_until_it_is_back(settings: SettingsStore) -> None:
    is_on = False
    models = service(settings, LazyModels("echo", "Echo", EchoProvider, is_on=lambda: is_on))
    assert list(models.list_models()) == []
    with pytest.raises(ModelUnavailable, match="it is turned off"):
        ask(models, EchoClient.info)
    is_on = True
    assert ask(models, models.find("echo")) == "hello"


def test_with_ai_switched_off_nothing_is_opened_and_nothing_asked(settings: SettingsStore) -> None:
    models = service(settings, echo_models()[0])
    model = models.find("echo")

    async def work() -> None:
        client = await models.open(model)
        settings.set("privacy.ai_enabled", value=False)
        with pytest.raises(ModelUnavailable, match="AI is switched off"):
            await complete(client, QUESTION)
        with pytest.raises(ModelUnavailable, match="AI is switched off"):
            await models.open(model)
        settings.set("privacy.ai_enabled", value=True)
        assert (await complete(client, QUESTION)).text == "hello"
        assert client.info == model
        assert client.capabilities == Capabilities()
        await client.aclose()

    asyncio.run(work())
    assert "Settings, Privacy" in SWITCHED_OFF


def test_the_environment_describes_a_model_of_its_own(settings: SettingsStore) -> None:
    settings.set("models", TWO)
    with ScriptedServer() as server:
        server.reply(*openai_answer("hi"))
        environment = {"REDRAFT_BASE_URL": server.url, "REDRAFT_MODEL": "adhoc", "REDRAFT_API_KEY": "planted-key-456"}
        models = ModelService(
            [environment_models(environment, settings), settings_models(settings)],
            settings,
            PrivacyRules(settings),
            chosen="adhoc",
        )
        default = models.default("inline_edit")
        assert default is not None
        assert (default.name, default.provider) == ("adhoc", "environment")
        assert ask(models, default) == "hi"
        assert server.wait_for_request().headers["authorization"] == "Bearer planted-key-456"


def test_without_an_address_the_environment_adds_nothing(settings: SettingsStore) -> None:
    assert environment_models({"REDRAFT_MODEL": "clever"}, settings).list_models() == []


def test_the_model_named_in_the_environment_is_the_default_for_all(settings: SettingsStore) -> None:
    settings.set("models", TWO)
    models = service(settings, chosen="large")
    assert {(models.default(purpose) or EchoClient.info).name for purpose in ("inline_edit", "edit_prediction")} == {
        "clever"
    }


def test_an_address_that_is_none_is_left_out_and_named(
    settings: SettingsStore, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert environment_models({"REDRAFT_BASE_URL": "nonsense"}, settings).list_models() == []
    assert "is not a web address" in caplog.text


@pytest.mark.parametrize(
    ("address", "preset"),
    [
        ("https://api.anthropic.com", "anthropic"),
        ("http://LOCALHOST:11434/v1", "ollama"),
        ("https://api.openai.com/v1/chat/completions", "openai"),
        ("https://models.example.com/v1", "custom"),
        ("nonsense", "custom"),
    ],
)
def test_usual_servers_are_known_by_their_host(address: str, preset: str) -> None:
    assert usual_setup(address).id == preset


def test_everything_set_for_a_model_reaches_its_server(own_home: Path) -> None:
    settings = SettingsStore()
    row = {
        "name": "M", "kind": "anthropic", "base_url": "https://a.test/v1", "model": "m", "key": "env:SAMPLE_KEY",
        "context_tokens": 1000, "max_output_tokens": 200, "temperature": 0.3, "headers": {"X-Team": "tides"},
        "price_in": 1.0, "price_out": 2.0, "proxy": "http://p.test:1", "extra_ca_file": "/ca.pem",
        "connect_timeout": 1.0, "first_byte_timeout": 2.0, "idle_timeout": 3.0,
    }  # fmt: skip
    assert row.keys() | {"key_host", "enabled"} == ModelSettings.model_fields.keys()
    settings.set("models", [row])
    config = server_config(settings.get("models")[0], settings)
    assert (config.name, config.kind, config.model) == ("M", ServerKind.ANTHROPIC, "m")
    assert (config.context_tokens, config.max_output_tokens, config.temperature) == (1000, 200, 0.3)
    assert (config.input_price, config.output_price) == (1.0, 2.0)
    assert (config.headers, config.proxy, config.extra_ca_file) == (
        {"X-Team": "tides"},
        "http://p.test:1",
        Path("/ca.pem"),
    )
    assert (config.timeouts, config.key_host) == (Timeouts(1.0, 2.0, 3.0), "a.test")
    assert config.key is not None
    [info] = settings_models(settings).list_models()
    assert (info.context_tokens, info.max_output_tokens, info.input_price, info.output_price) == (1000, 200, 1.0, 2.0)


def test_networks_settings_reach_the_client(settings: SettingsStore, tmp_path: Path) -> None:
    settings.set("network.idle_timeout", 7)
    settings.set("network.extra_ca_file", str(tmp_path / "ca.pem"))
    settings.set("network.proxy", "http://proxy:3128")
    row = ModelSettings(name="m", base_url="https://x.example", connect_timeout=2.0, max_output_tokens=99)
    config = server_config(row, settings)
    assert (config.timeouts.connect, config.timeouts.first_byte, config.timeouts.idle) == (2.0, 300.0, 7.0)
    assert config.extra_ca_file == tmp_path / "ca.pem"
    assert config.proxy == "http://proxy:3128"
    assert config.key is None
    assert config.max_output_tokens == 99
