from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import trustme

from redraft.core.llm.probe import ProbeReport, Step, probe
from redraft.core.llm.server import ServerConfig, ServerKind, Timeouts
from servers import (
    ConnectProxy,
    Drop,
    Hang,
    Head,
    ScriptedServer,
    Send,
    error_reply,
    json_reply,
    openai_answer,
    openai_chunk,
    openai_end,
    openai_text,
)
from streams import last_report

CHAT, MODELS = "/v1/chat/completions", "/v1/models"
THREE = json_reply({"data": [{"id": name} for name in ("a", "coder", "c")]})
USAGE = {"prompt_tokens": 9, "completion_tokens": 24}
COUNTED = (*openai_text("1 2 3"), *openai_end(usage=USAGE))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def config_at(url: str, **more: Any) -> ServerConfig:
    settings = {"model": "coder", "key": lambda: "secret-1", **more}
    return ServerConfig(name="Workshop", base_url=url, **settings)


def check(url: str, **more: Any) -> ProbeReport:
    return asyncio.run(last_report(config_at(url, **more)))


def shown(report: ProbeReport) -> list[tuple[str, bool, str]]:
    return [(step.step.value, step.ok, step.words) for step in report.steps]


def test_a_server_that_works(server: ScriptedServer) -> None:
    server.route("GET", MODELS, THREE)
    server.route("POST", CHAT, COUNTED)
    report = check(server.url)
    assert report.works
    assert report.models == ("a", "coder", "c")
    assert shown(report) == [
        ("Connection", True, "Connected"),
        ("Key", True, "Key accepted"),
        ("Model", True, "Model found"),
        ("First token", True, "First token"),
    ]
    assert report.steps[2].detail == "1 of 3"
    assert report.steps[0].detail.endswith(" ms")
    assert report.summary.startswith("24 tokens at ")


@pytest.mark.parametrize(("health", "told"), [(json_reply({"version": "0.30"}), "0.30"), (error_reply(404), None)])
def test_a_tabby_server_tells_how_it_stands(server: ScriptedServer, health: Any, told: str | None) -> None:
    server.route("GET", "/v1/health", health)
    server.route("GET", "/v1beta/models", json_reply({"chat": ["coder"]}))
    server.route("POST", CHAT, COUNTED)
    report = check(server.url, kind=ServerKind.TABBY)
    assert report.works
    assert [step.detail for step in report.steps if step.step is Step.HEALTH] == ([told] if told else [])


def test_a_tabby_server_that_refuses_the_token_is_asked_no_more(server: ScriptedServer) -> None:
    server.route("GET", "/v1/health", error_reply(401))
    report = check(server.url, kind=ServerKind.TABBY)
    assert not report.works
    assert report.steps[-1].step is Step.KEY
    assert CHAT not in [seen.path for seen in server.requests]


def test_times_and_rate_are_measured(server: ScriptedServer) -> None:
    server.route("GET", MODELS, THREE)
    server.route("POST", CHAT, COUNTED)
    ticks = count()

    async def run() -> ProbeReport:
        reports = [report async for report in probe(config_at(server.url), clock=lambda: next(ticks) * 0.5)]
        assert [report.is_over for report in reports] == [False, True]
        return reports[-1]

    report = asyncio.run(run())
    # Asked, first token and end are one tick apart each.
    assert report.steps[-1].detail == "500 ms"
    assert report.summary == "24 tokens at 48 tok/s"


def test_the_servers_own_timing_is_believed(server: ScriptedServer) -> None:
    server.route("GET", MODELS, THREE)
    timings = {"predicted_n": 24, "predicted_ms": 500}
    server.route("POST", CHAT, openai_text("1"), openai_chunk({}, finish="stop", timings=timings), openai_end())
    assert check(server.url).summary == "24 tokens at 48 tok/s"


def test_a_server_without_list_key_and_counts_works(server: ScriptedServer) -> None:
    server.route("POST", CHAT, openai_answer("1 2 3"))
    report = check(server.url, key=None, model="")
    assert [step for step, _, _ in shown(report)] == ["Connection", "First token"]
    assert report.works
    assert "tokens at" in report.summary


@pytest.mark.parametrize(
    ("model", "words", "detail"),
    [("", "Model chosen by the server", "1 of 3"), ("other", "Model answers", "not in the server's list")],
)
def test_a_model_that_is_not_listed_may_answer(server: ScriptedServer, model: str, words: str, detail: str) -> None:
    server.route("GET", MODELS, THREE)
    server.route("POST", CHAT, COUNTED)
    step = next(step for step in check(server.url, model=model).steps if step.step is Step.MODEL)
    assert (step.words, step.detail) == (words, detail)


@pytest.mark.parametrize(
    ("status", "body", "step", "words"),
    [
        (401, {}, Step.KEY, "rejected the key"),
        (403, {}, Step.KEY, "does not let this key use coder"),
        (402, {}, Step.QUOTA, "has nothing left"),
        (429, {"code": "insufficient_quota"}, Step.QUOTA, "has nothing left"),
        (429, {}, Step.QUOTA, "too many requests"),
        (404, {"code": "model_not_found"}, Step.MODEL, "does not know the model coder"),
        (500, {}, Step.ANSWER, "error of its own"),
        (400, {}, Step.ANSWER, "refused the request"),
    ],
)
def test_the_step_that_fails_is_named(
    server: ScriptedServer, status: int, body: dict[str, Any], step: Step, words: str
) -> None:
    server.route("GET", MODELS, THREE)
    server.route("POST", CHAT, error_reply(status, **body))
    report = check(server.url)
    assert not report.works
    assert report.is_over
    last = report.steps[-1]
    assert (last.step, last.ok) == (step, False)
    assert words in last.words
    assert report.summary == last.words
    assert "secret-1" not in str(report)


def test_a_key_refused_with_the_list_is_said_at_once(server: ScriptedServer) -> None:
    server.route("GET", MODELS, error_reply(401))
    report = check(server.url)
    assert shown(report)[-1][:2] == ("Key", False)
    assert [seen.path for seen in server.requests] == [MODELS]


def test_an_address_with_nothing_there(server: ScriptedServer) -> None:
    server.route("POST", CHAT, error_reply(404, "Not Found"))
    report = check(server.url)
    assert shown(report)[-1][:2] == ("Address", False)


def test_no_address_at_all() -> None:
    assert shown(check("nonsense"))[-1][:2] == ("Address", False)


def test_a_web_page(server: ScriptedServer) -> None:
    page = (Head(200, {"content-type": "text/html"}), Send("<html>"))
    server.route("GET", MODELS, page)
    server.route("POST", CHAT, page)
    assert shown(check(server.url))[-1][:2] == ("First token", False)


def test_a_server_that_is_not_there() -> None:
    with ScriptedServer() as server:
        url = server.url
    assert shown(check(url)) == [
        ("Connection", False, f"Nothing answers at {url[7:]}; start the server, or check its address.")
    ]


def test_a_name_that_is_unknown() -> None:
    assert shown(check("http://no-such-host.invalid"))[-1][:2] == ("Name", False)


def test_a_proxy_that_refuses() -> None:
    with ConnectProxy(1, credentials="Basic x") as proxy:
        report = check("https://model.test", proxy=proxy.url)
    assert shown(report)[-1][:2] == ("Proxy", False)


def test_silence(server: ScriptedServer) -> None:
    server.route("GET", MODELS, THREE)
    server.route("POST", CHAT, Hang())
    assert shown(check(server.url, timeouts=Timeouts(first_byte=1)))[-1][:2] == ("First token", False)


def test_an_answer_that_breaks_off(server: ScriptedServer) -> None:
    server.route("GET", MODELS, THREE)
    server.route("POST", CHAT, openai_text("1 2"), Drop())
    report = check(server.url)
    assert "in the middle of its answer" in report.summary
    assert not report.works


def test_tls_is_timed_or_explained(tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with ScriptedServer(tls=context) as server:
        server.route("GET", MODELS, THREE)
        server.route("POST", CHAT, COUNTED)
        trusted = check(server.url, extra_ca_file=tmp_path / "ca.pem")
        untrusted = check(server.url)
    assert [step.words for step in trusted.steps][:2] == ["Connected", "TLS"]
    assert trusted.steps[1].detail.endswith(" ms")
    assert [(step.step, step.ok) for step in untrusted.steps] == [(Step.CONNECTION, True), (Step.TLS, False)]
