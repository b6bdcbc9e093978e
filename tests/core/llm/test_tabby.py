from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from redraft.core.errors import AuthenticationError, ConnectionFailed, ModelNotFound
from redraft.core.llm.server import ServerConfig, ServerKind
from redraft.core.llm.tabby import TabbyClient, TabbyState, check_health
from servers import ScriptedServer, error_reply, json_reply, openai_answer
from streams import ask, text_of


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def config_of(server: ScriptedServer, path: str = "") -> ServerConfig:
    return ServerConfig(name="Tabby", kind=ServerKind.TABBY, base_url=server.url + path, key=lambda: "auth-token-1")


HEALTH = {"model": "m", "chat_model": "qwen", "device": "cpu", "version": {"git_describe": "v0.30.0"}}


@pytest.mark.parametrize("path", ["", "/", "/v1"])
def test_it_asks_at_v1_with_a_bearer_token(server: ScriptedServer, path: str) -> None:
    server.route("POST", "/v1/chat/completions", openai_answer("x"))
    assert text_of(ask(TabbyClient(config_of(server, path)))) == "x"
    assert server.requests[0].headers["authorization"] == "Bearer auth-token-1"


def test_it_falls_back_to_v1beta(server: ScriptedServer) -> None:
    server.route("POST", "/v1beta/chat/completions", openai_answer("x"))
    assert text_of(ask(TabbyClient(config_of(server)))) == "x"
    assert [seen.path for seen in server.requests] == ["/v1/chat/completions", "/v1beta/chat/completions"]


def test_neither_address_is_an_error(server: ScriptedServer) -> None:
    with pytest.raises(ModelNotFound, match="check the address of Tabby"):
        ask(TabbyClient(config_of(server)))
    assert len(server.requests) == 2


def test_a_healthy_server_is_ready(server: ScriptedServer) -> None:
    server.route("GET", "/v1/health", json_reply(HEALTH))
    health = asyncio.run(check_health(config_of(server)))
    assert (health.state, health.chat_model, health.version) == (TabbyState.READY, "qwen", "v0.30.0")
    assert health.check_again_after == 60


def test_health_is_asked_by_post_where_get_is_not_allowed(server: ScriptedServer) -> None:
    server.route("GET", "/v1/health", error_reply(405))
    server.route("POST", "/v1/health", json_reply({"version": "0.1"}))
    health = asyncio.run(check_health(config_of(server)))
    assert (health.state, health.chat_model, health.version) == (TabbyState.READY, "", "0.1")


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_token_is_unauthorized(server: ScriptedServer, status: int) -> None:
    server.route("GET", "/v1/health", error_reply(status))
    health = asyncio.run(check_health(config_of(server)))
    assert health.state is TabbyState.UNAUTHORIZED
    assert isinstance(health.error, AuthenticationError)
    assert health.check_again_after == 30


@pytest.mark.parametrize("status", [404, 400, 500])
def test_other_answers_are_no_connection(server: ScriptedServer, status: int) -> None:
    server.route("GET", "/v1/health", error_reply(status))
    assert asyncio.run(check_health(config_of(server))).state is TabbyState.NO_CONNECTION


def test_a_report_that_is_none_is_no_connection(server: ScriptedServer) -> None:
    server.route("GET", "/v1/health", json_reply([1]))
    assert asyncio.run(check_health(config_of(server))).state is TabbyState.NO_CONNECTION


def test_no_server_is_no_connection() -> None:
    with ScriptedServer() as server:
        config = config_of(server)
    health = asyncio.run(check_health(config))
    assert health.state is TabbyState.NO_CONNECTION
    assert isinstance(health.error, ConnectionFailed)
