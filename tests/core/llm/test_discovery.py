from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from redraft.core.errors import AuthenticationError, MalformedStream
from redraft.core.llm.api import list_models
from redraft.core.llm.discovery import FoundServer, discover, recognise
from redraft.core.llm.server import ServerConfig, ServerKind, Timeouts
from servers import Hang, Head, ScriptedServer, Send, Step, error_reply, json_reply


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def models(*ids: str, owner: str = "someone") -> tuple[Step, ...]:
    return json_reply({"object": "list", "data": [{"id": name, "owned_by": owner} for name in ids]})


@pytest.mark.parametrize(
    ("owner", "preset"),
    [
        ("llamacpp", "llama-server"),
        ("vllm", "vllm"),
        ("library", "ollama"),
        ("organization_owner", "lm-studio"),
        ("else", "custom"),
    ],
)
def test_a_server_that_runs_is_found(server: ScriptedServer, owner: str, preset: str) -> None:
    server.route("GET", "/v1/models", models("a", "b", owner=owner))
    assert asyncio.run(discover([server.port])) == [FoundServer(preset, f"{server.url}/v1", ("a", "b"))]
    assert "authorization" not in server.requests[0].headers


def test_a_server_that_wants_a_key_is_found(server: ScriptedServer) -> None:
    server.route("GET", "/v1/models", error_reply(401))
    assert asyncio.run(discover([server.port])) == [FoundServer("custom", f"{server.url}/v1", needs_key=True)]


@pytest.mark.parametrize("health", [json_reply({"model": "m"}), error_reply(401)])
def test_tabby_is_known_by_its_health(server: ScriptedServer, health: tuple[Step, ...]) -> None:
    server.route("GET", "/v1/health", health)
    assert asyncio.run(discover([server.port])) == [FoundServer("tabby", server.url, needs_key=True)]


@pytest.mark.parametrize(
    "reply",
    [
        error_reply(404),
        json_reply({"hello": 1}),
        json_reply([1]),
        (Head(200, {"content-type": "text/html"}), Send("<html>")),
    ],
)
def test_what_is_no_model_server_is_not_offered(server: ScriptedServer, reply: tuple[Step, ...]) -> None:
    server.route("GET", "/v1/models", reply)
    assert asyncio.run(discover([server.port])) == []


def test_closed_ports_and_silent_servers_hold_nothing_up(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redraft.core.llm.discovery._QUICK", Timeouts(1, 1, 1))
    with ScriptedServer() as gone:
        closed = gone.port
    with ScriptedServer() as silent:
        silent.reply(Hang())
        silent.reply(Hang())
        server.route("GET", "/v1/models", models("a"))
        found = asyncio.run(discover([closed, silent.port, server.port]))
    assert [item.models for item in found] == [("a",)]


@pytest.mark.parametrize(
    ("kind", "path", "reply", "listed"),
    [
        (ServerKind.OPENAI, "/v1/models", models("a", "b"), ["a", "b"]),
        (ServerKind.ANTHROPIC, "/v1/models", models("a"), ["a"]),
        (ServerKind.OPENAI, "/v1/models", json_reply([{"id": "a"}, {"name": "b"}, 3]), ["a"]),
        (ServerKind.TABBY, "/v1beta/models", json_reply({"completion": ["c"], "chat": ["a"]}), ["a"]),
    ],
)
def test_models_are_listed(
    server: ScriptedServer, kind: ServerKind, path: str, reply: tuple[Step, ...], listed: list[str]
) -> None:
    server.route("GET", path, reply)
    config = ServerConfig(name="A", kind=kind, base_url=server.url, key=lambda: "secret-1")
    assert asyncio.run(list_models(config)) == listed
    headers = server.requests[0].headers
    assert "secret-1" in (headers.get("x-api-key", "") + headers.get("authorization", ""))


def test_a_list_that_is_none_or_refused_is_an_error(server: ScriptedServer) -> None:
    server.reply(json_reply({"data": None}))
    server.reply(error_reply(401))
    config = ServerConfig(name="A", base_url=server.url)
    with pytest.raises(MalformedStream):
        asyncio.run(list_models(config))
    with pytest.raises(AuthenticationError):
        asyncio.run(list_models(config))


@pytest.mark.parametrize(
    ("reply", "preset"),
    [
        (models("m", owner="llamacpp"), "llama-server"),
        (models("m", owner="vllm"), "vllm"),
        (models("m"), "custom"),
        (json_reply([1]), "custom"),
        (error_reply(401), "custom"),
        (error_reply(500), "custom"),
    ],
)
def test_an_unknown_server_is_recognised_by_one_look(
    server: ScriptedServer, reply: tuple[Step, ...], preset: str
) -> None:
    server.route("GET", "/v1/models", reply)
    assert asyncio.run(recognise(ServerConfig(name="server", base_url=server.url))) == preset
    assert len(server.requests) == 1
