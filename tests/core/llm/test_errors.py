from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from redraft.core.errors import (
    AuthenticationError,
    BadRequest,
    ConnectionFailed,
    ContextTooLong,
    MalformedStream,
    ModelError,
    ModelNotFound,
    QuotaExceeded,
    RateLimited,
    ServerError,
    StatusError,
    TimedOut,
)
from redraft.core.llm.errors import FaultMapper, in_words
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.refusals import Refusal, read_retry_after
from redraft.core.llm.server import ServerConfig
from servers import Head, ScriptedServer, Send, error_reply
from streams import ask


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


CONFIG = ServerConfig(name="Workshop", base_url="https://gpu.test:8000/v1", model="coder", key=lambda: "secret-1")


@pytest.mark.parametrize(
    ("status", "body", "kind", "sentence"),
    [
        (400, {}, BadRequest, "Workshop refused the request (400): no."),
        (401, {}, AuthenticationError, "Workshop rejected the key; enter it again in the model's settings."),
        (402, {}, QuotaExceeded, "The account at Workshop has nothing left; top it up, or choose another model."),
        (
            403,
            {},
            AuthenticationError,
            "Workshop does not let this key use coder; check its rights, or choose another model.",
        ),
        (
            404,
            {"message": "The model `coder` does not exist", "code": "model_not_found"},
            ModelNotFound,
            "Workshop does not know the model coder; choose one from its list.",
        ),
        (
            413,
            {},
            ContextTooLong,
            "The request is larger than coder can read; select less, or leave out context files.",
        ),
        (429, {}, RateLimited, "Workshop has had too many requests (429); try again in a moment."),
        (
            429,
            {"code": "insufficient_quota"},
            QuotaExceeded,
            "The account at Workshop has nothing left; top it up, or choose another model.",
        ),
        (
            500,
            {},
            ServerError,
            "Workshop failed with an error of its own (500): no; try again in a moment.",
        ),
        (503, {}, RateLimited, "Workshop is overloaded (503); try again in a moment."),
        (
            503,
            {"message": "Loading model", "type": "unavailable_error"},
            RateLimited,
            "Workshop is still loading its model (503); try again in a moment.",
        ),
        (529, {}, RateLimited, "Workshop is overloaded (529); try again in a moment."),
    ],
)
def test_each_status_has_one_sentence(
    server: ScriptedServer, status: int, body: dict[str, Any], kind: type[ModelError], sentence: str
) -> None:
    server.reply(error_reply(status, **{"message": "no", **body}))
    config = ServerConfig(name="Workshop", base_url=server.url, model="coder", key=lambda: "secret-1")
    with pytest.raises(kind) as caught:
        ask(OpenAIClient(config))
    assert str(caught.value) == sentence
    if isinstance(caught.value, StatusError):
        assert caught.value.status == status


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "the request exceeds the available context size, try increasing it",
        "Requested tokens (9000) exceed context window of 4096",
        "input length exceeds the context length",
    ],
)
def test_context_length_is_recognised_in_many_words(words: str) -> None:
    assert isinstance(FaultMapper(CONFIG).from_refusal(Refusal(400, words)), ContextTooLong)


@pytest.mark.parametrize("words", ["Your credit balance is too low to access the API", "billing hard limit reached"])
def test_an_empty_account_is_recognised_in_many_words(words: str) -> None:
    assert isinstance(FaultMapper(CONFIG).from_refusal(Refusal(400, words)), QuotaExceeded)


def test_a_missing_key_is_asked_for() -> None:
    config = ServerConfig(name="Workshop", base_url="https://gpu.test")
    error = FaultMapper(config).from_refusal(Refusal(401))
    assert str(error) == "Workshop wants a key; add one in the model's settings."


def test_a_server_named_by_its_address_alone_has_no_settings_to_look_into() -> None:
    config = ServerConfig(name="gpu.test:8000", base_url="http://gpu.test:8000", key_place="REDRAFT_API_KEY")
    faults = FaultMapper(config)
    assert str(faults.from_refusal(Refusal(401))) == "gpu.test:8000 wants a key; add one in REDRAFT_API_KEY."
    words = "gpu.test:8000 has nothing at this address; check the base URL, most end in /v1."
    assert str(faults.from_refusal(Refusal(404, "Not Found"))) == words


def test_an_address_with_nothing_there_is_named() -> None:
    error = FaultMapper(CONFIG).from_refusal(Refusal(404, "Not Found"))
    assert str(error) == "gpu.test:8000 has nothing at this address; check the address of Workshop."


@pytest.mark.parametrize(
    ("headers", "seconds", "words"),
    [
        ({"retry-after": "7"}, 7, "in 7 s"),
        ({"retry-after": "0.2"}, 0.2, "in 1 s"),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5, "in 2 s"),
        ({"retry-after": "600"}, 600, "in 10 min"),
        ({"retry-after": "soon"}, None, "in a moment"),
        ({"retry-after": "-3"}, None, "in a moment"),
        ({}, None, "in a moment"),
    ],
)
@pytest.mark.parametrize("status", [429, 503, 529])
def test_the_time_to_wait_is_read(
    server: ScriptedServer, status: int, headers: dict[str, str], seconds: float | None, words: str
) -> None:
    server.reply(error_reply(status, "slow down", headers))
    with pytest.raises(RateLimited, match=words) as caught:
        ask(OpenAIClient(ServerConfig(name="Workshop", base_url=server.url)))
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("Mon, 30 Nov 2026 12:00:07 GMT", 7),
        ("Monday, 30-Nov-26 12:00:07 GMT", 7),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0),
        ("Mon, 30 Nov 2026 12:00:07", 7),
        ("Mon, 99 Nov 2026", None),
        ("inf", None),
        ("nan", None),
    ],
)
def test_a_date_to_wait_for_is_read(value: str, seconds: float | None) -> None:
    now = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
    assert read_retry_after({"retry-after": value}, now) == seconds


@pytest.mark.parametrize(("seconds", "words"), [(0, "1 s"), (7.4, "7 s"), (89, "89 s"), (120, "2 min"), (7200, "2 h")])
def test_times_in_words(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": {"message": "A"}}', "A"),
        (b'{"error": "B"}', "B"),
        (b'{"message": "C"}', "C"),
        (b'{"detail": "D"}', "D"),
        (b'{"detail": [{"loc": ["x"]}]}', ""),
        (b'[{"error": {"message": "E", "code": 400}}]', "E"),
        (b'"F"', "F"),
        (b"plain words", "plain words"),
        (b"<html>page</html>", ""),
        (b"", ""),
        (b"\xff", "�"),
        (b"17", ""),
    ],
)
def test_words_are_found_wherever_a_server_puts_them(body: bytes, words: str) -> None:
    assert Refusal.of_response(400, {}, body).words == words


def test_a_servers_words_come_on_one_short_line_without_control_characters(server: ScriptedServer) -> None:
    server.reply(Head(400, {"content-type": "text/plain"}), Send("one\x1b[31m\ntwo\u202e " + "x y " * 200))
    with pytest.raises(BadRequest) as caught:
        ask(OpenAIClient(ServerConfig(name="Workshop", base_url=server.url)))
    said = str(caught.value)
    assert "one [31m two x y" in said
    assert len(said) < 240
    assert said.isprintable()


def test_secrets_are_taken_out_in_every_form() -> None:
    secret = 'pa"ss wörd/1'
    faults = FaultMapper(CONFIG, (secret,))
    said = f'{secret} and pa%22ss%20w%C3%B6rd%2F1 and pa\\"ss w\\u00f6rd/1 and sk-abcdefghijkl and Bearer xyz'
    assert faults.scrub(said) == "… and … and … and … and …"
    assert FaultMapper(CONFIG, ("", "a")).scrub("an apple") == "an apple"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx.ConnectTimeout(""), TimedOut),
        (httpx.WriteTimeout(""), TimedOut),
        (httpx.ProxyError(""), ConnectionFailed),
        (httpx.ConnectError("All connection attempts failed"), ConnectionFailed),
        (httpx.DecodingError(""), MalformedStream),
        (httpx.LocalProtocolError("Illegal header value b'secret-1'"), ConnectionFailed),
        (httpx.RemoteProtocolError("peer closed"), ConnectionFailed),
    ],
)
def test_what_the_network_did_has_one_sentence(error: Exception, kind: type[ModelError]) -> None:
    mapped = FaultMapper(CONFIG).from_exception(error)
    assert isinstance(mapped, kind)
    assert "secret" not in str(mapped)
    assert str(mapped).endswith(".")
