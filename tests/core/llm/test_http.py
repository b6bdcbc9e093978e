from __future__ import annotations

import asyncio
import base64
import logging
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import trustme

from redraft.core.errors import (
    AuthenticationError,
    ConfigError,
    ConnectionFailed,
    ModelError,
    ModelUnavailable,
    TimedOut,
)
from redraft.core.llm.http import _tls_context, choose_proxy
from redraft.core.llm.loop import EventLoopThread
from redraft.core.llm.messages import StopReason, TextDelta
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.server import ServerConfig, Timeouts, is_loopback, location_of
from servers import (
    PATIENCE,
    ConnectProxy,
    Drop,
    Gate,
    Hang,
    Head,
    ScriptedServer,
    Send,
    Step,
    WaitFor,
    error_reply,
    openai_answer,
    openai_chunk,
    openai_end,
    openai_text,
)
from streams import HELLO, ask, reason_of, text_of

SHORT = 0.15


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> Path:
    path = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return path


def tls_of(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


def client_at(url: str, **more: Any) -> OpenAIClient:
    return OpenAIClient(ServerConfig(name="Workshop", base_url=url, model="m1", **more))


# Limits on waiting


def test_silence_before_the_head_passes_the_first_byte_limit(server: ScriptedServer) -> None:
    server.reply(Hang())
    with pytest.raises(TimedOut, match=r"Workshop sent nothing for 0\.15 s") as caught:
        ask(client_at(server.url, timeouts=Timeouts(first_byte=SHORT)))
    assert caught.value.limit == "first byte"
    assert server.client_gone.wait(PATIENCE)


def test_silence_before_the_first_text_passes_the_first_byte_limit(server: ScriptedServer) -> None:
    server.reply(openai_chunk({"role": "assistant", "content": ""}), Hang())
    with pytest.raises(TimedOut) as caught:
        ask(client_at(server.url, timeouts=Timeouts(first_byte=SHORT, idle=PATIENCE)))
    assert caught.value.limit == "first byte"


def test_silence_in_the_middle_passes_the_idle_limit(server: ScriptedServer) -> None:
    server.reply(openai_text("x"), Hang())
    with pytest.raises(TimedOut, match=r"stopped sending for 0\.15 s") as caught:
        ask(client_at(server.url, timeouts=Timeouts(first_byte=PATIENCE, idle=SHORT)))
    assert caught.value.limit == "idle"
    assert server.client_gone.wait(PATIENCE)


def test_a_model_that_thinks_longer_than_the_idle_limit_is_waited_for(server: ScriptedServer) -> None:
    gate = Gate()
    server.reply(openai_chunk({"role": "assistant"}), WaitFor(gate), openai_answer("x"))
    threading.Timer(SHORT * 3, gate.open).start()
    assert text_of(ask(client_at(server.url, timeouts=Timeouts(idle=SHORT)))) == "x"


def test_keep_alives_end_a_silence(server: ScriptedServer) -> None:
    live = server.live()
    pauses = 7

    def keep_alive(left: int) -> None:
        if left:
            live.send(": keep-alive\n\n")
            threading.Timer(0.25, keep_alive, [left - 1]).start()
        else:
            for step in (*openai_text("b"), *openai_end()):
                live.put(step)
            live.end()

    live.put(openai_text("a")[0])
    keep_alive(pauses)
    assert text_of(ask(client_at(server.url, timeouts=Timeouts(idle=1.5)))) == "ab"


def test_no_limits_at_all(server: ScriptedServer) -> None:
    server.reply(openai_answer("x"))
    assert text_of(ask(client_at(server.url, timeouts=Timeouts(None, None, None)))) == "x"


def test_a_server_that_does_not_take_the_connection_passes_the_connect_limit() -> None:
    # A full backlog: the kernel leaves further connections waiting.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = listener.getsockname()
        filling = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(address)
            filling.append(filler)
        try:
            with pytest.raises(TimedOut, match="could not be reached") as caught:
                ask(client_at(f"http://127.0.0.1:{address[1]}", timeouts=Timeouts(connect=SHORT)))
        finally:
            for filler in filling:
                filler.close()
    assert caught.value.limit == "connect"


def test_an_answer_that_is_over_is_not_lost_to_silence(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.core.llm.chat.GRACE_SECONDS", SHORT)
    server.reply(openai_text("x"), openai_chunk({}, finish="stop"), Hang())
    assert reason_of(ask(client_at(server.url))) is StopReason.END


def test_after_done_the_connection_is_left_at_once(server: ScriptedServer) -> None:
    server.reply(openai_answer("x"), Hang())
    assert reason_of(ask(client_at(server.url))) is StopReason.END
    assert server.client_gone.wait(PATIENCE)


# Leaving


def test_closing_the_iterator_closes_the_connection(server: ScriptedServer) -> None:
    server.reply(openai_text("x"), Hang())
    client = client_at(server.url)

    async def take_one() -> bool:
        async with aclosing(client.stream(HELLO)) as events:
            assert await anext(events) == TextDelta("x")
        # The loop still runs and the client is still open: only the iterator was closed.
        gone = await asyncio.to_thread(server.client_gone.wait, 2.0)
        await client.aclose()
        return gone

    assert asyncio.run(take_one())


def test_cancelling_closes_the_connection_in_every_state(server: ScriptedServer) -> None:
    with EventLoopThread() as thread:
        states: list[list[Step]] = [[Hang()], [Head(), Hang()], [*openai_text("x"), Hang()]]
        for steps in states:
            server.client_gone.clear()
            count = len(server.requests)
            server.reply(steps)
            client = client_at(server.url)

            async def consume(client: OpenAIClient = client) -> None:
                async for _ in client.stream(HELLO):
                    pass

            future = thread.submit(consume())
            server.wait_for_request(count + 1)
            future.cancel()
            assert server.client_gone.wait(2.0)


def test_closing_the_client_ends_its_streams(server: ScriptedServer) -> None:
    server.reply(openai_text("x"), Hang())
    client = client_at(server.url)

    async def close_while_reading() -> list[str]:
        texts = []
        async for event in client.stream(HELLO):
            if isinstance(event, TextDelta):
                texts.append(event.text)
                await client.aclose()
        return texts

    assert asyncio.run(close_while_reading()) == ["x"]
    assert server.client_gone.wait(PATIENCE)


def test_two_streams_at_once_do_not_mix(server: ScriptedServer) -> None:
    first, second = server.live(), server.live()
    client = client_at(server.url)

    async def read() -> str:
        return text_of([event async for event in client.stream(HELLO)])

    with EventLoopThread() as thread:
        one = thread.submit(read())
        server.wait_for_request(1)
        two = thread.submit(read())
        server.wait_for_request(2)
        for text in "abc":
            first.put(openai_text(text)[0])
            second.put(openai_text(text.upper())[0])
        for live in (second, first):
            for step in openai_end():
                live.put(step)
            live.end()
        assert (one.result(PATIENCE), two.result(PATIENCE)) == ("abc", "ABC")
        thread.submit(client.aclose()).result(PATIENCE)


# Not reaching


def test_nothing_listening() -> None:
    with ScriptedServer() as server:
        url = server.url
    with pytest.raises(ConnectionFailed, match=r"Nothing answers at 127\.0\.0\.1:\d+; start the server") as caught:
        ask(client_at(url))
    assert caught.value.kind == "refused"


def test_a_name_that_is_unknown() -> None:
    with pytest.raises(ConnectionFailed, match=r"The name no-such-host\.invalid cannot be found") as caught:
        ask(client_at("http://no-such-host.invalid/v1"))
    assert caught.value.kind == "dns"


@pytest.mark.parametrize(
    "url", ["", "example.com", "ftp://example.com", "http://", "http://[", "http://a:b", "http://a b"]
)
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ModelUnavailable, match="not a web address"):
        ask(client_at(url))


# Certificates


def test_a_private_authority_is_trusted_when_its_file_is_given(authority: trustme.CA, ca_file: Path) -> None:
    with ScriptedServer(tls=tls_of(authority, "127.0.0.1")) as server:
        server.reply(openai_answer("x"))
        assert text_of(ask(client_at(server.url, extra_ca_file=ca_file))) == "x"


def test_the_systems_trust_store_is_used(authority: trustme.CA, ca_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The variable says where OpenSSL finds the system's certificates.
    monkeypatch.setenv("SSL_CERT_FILE", str(ca_file))
    _tls_context.cache_clear()
    with ScriptedServer(tls=tls_of(authority, "127.0.0.1")) as server:
        server.reply(openai_answer("x"))
        assert text_of(ask(client_at(server.url))) == "x"
    _tls_context.cache_clear()


def test_an_unknown_authority_is_refused(authority: trustme.CA) -> None:
    with ScriptedServer(tls=tls_of(authority, "127.0.0.1")) as server:
        with pytest.raises(ConnectionFailed, match="certificate is not trusted; if it is your own") as caught:
            ask(client_at(server.url))
        assert caught.value.kind == "tls"
        assert server.requests == []


def test_a_certificate_for_another_name_is_refused(authority: trustme.CA, ca_file: Path) -> None:
    with (
        ScriptedServer(tls=tls_of(authority, "other.test")) as server,
        pytest.raises(ConnectionFailed, match="certificate is for another name") as caught,
    ):
        ask(client_at(server.url, extra_ca_file=ca_file))
    assert caught.value.kind == "tls"


def test_https_to_a_server_without_tls(server: ScriptedServer) -> None:
    with pytest.raises(ConnectionFailed, match="try http:// instead of https://") as caught:
        ask(client_at(server.url.replace("http:", "https:")))
    assert caught.value.kind == "tls"


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_ca_file_that_cannot_be_used_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConnectionFailed, match=r"ca\.pem, cannot be used") as caught:
        ask(client_at("https://example.com", extra_ca_file=path))
    assert caught.value.kind == "tls"


# Proxies


def test_the_systems_proxy_is_used(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", server.url)
    server.reply(openai_answer("x"))
    assert text_of(ask(client_at("http://model.test/v1"))) == "x"
    assert server.requests[0].target == "http://model.test/v1/chat/completions"


def test_tls_goes_through_a_tunnel(authority: trustme.CA, ca_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(tls=tls_of(authority, "model.test")) as server, ConnectProxy(server.port) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        server.reply(openai_answer("x"))
        assert text_of(ask(client_at("https://model.test/v1", extra_ca_file=ca_file))) == "x"
        assert (proxy.requests[0].method, proxy.requests[0].target) == ("CONNECT", "model.test:443")


def test_a_proxy_of_the_servers_own(authority: trustme.CA, ca_file: Path) -> None:
    credentials = "Basic " + base64.b64encode(b"ann:hush-hush").decode()
    with (
        ScriptedServer(tls=tls_of(authority, "model.test")) as server,
        ConnectProxy(server.port, credentials=credentials) as proxy,
    ):
        server.reply(openai_answer("x"))
        url = proxy.url.replace("//", "//ann:hush-hush@")
        assert text_of(ask(client_at("https://model.test/v1", extra_ca_file=ca_file, proxy=url))) == "x"


def test_a_proxy_that_wants_a_password(authority: trustme.CA) -> None:
    with ConnectProxy(1, credentials="Basic x") as proxy:
        with pytest.raises(ConnectionFailed, match="proxy on the way to Workshop wants a user name") as caught:
            ask(client_at("https://model.test/v1", proxy=proxy.url.replace("//", "//ann:hush-hush@")))
        assert caught.value.kind == "proxy"
        assert "hush" not in str(caught.value)


def test_a_plain_proxy_that_wants_a_password(server: ScriptedServer) -> None:
    server.reply(error_reply(407))
    with pytest.raises(ConnectionFailed, match="wants a user name and password") as caught:
        ask(client_at("http://model.test", proxy=server.url))
    assert caught.value.kind == "proxy"


@pytest.mark.parametrize("host", ["127.0.0.1:9", "proxy.invalid:3128"])
def test_a_proxy_that_is_not_there_is_named_and_not_the_server(host: str) -> None:
    with pytest.raises(ConnectionFailed, match=rf"The proxy on the way to Workshop \({host}\) cannot be") as caught:
        ask(client_at("http://model.test", proxy=f"http://ann:hush-hush@{host}"))
    assert caught.value.kind == "proxy"
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize("proxy", ["socks5://ann:hush-hush@localhost:1", "nonsense://ann:hush-hush@x"])
def test_a_proxy_that_cannot_be_used(proxy: str) -> None:
    with pytest.raises(ConnectionFailed, match="proxy for Workshop cannot be used") as caught:
        ask(client_at("http://model.test", proxy=proxy))
    assert caught.value.kind == "proxy"
    assert "hush" not in f"{caught.value}{caught.value.__cause__}"


@pytest.mark.parametrize(
    ("url", "own", "environment", "chosen"),
    [
        ("https://a.test", "", {}, None),
        ("https://a.test", "", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.test", "", {"HTTPS_PROXY": "p:1"}, "http://p:1"),
        ("http://a.test", "", {"HTTPS_PROXY": "http://p:1"}, None),
        ("https://a.test", "", {"ALL_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.test", "", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "a.test"}, None),
        ("https://a.test", "", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "*"}, None),
        ("https://b.test", "", {"HTTPS_PROXY": "http://p:1", "NO_PROXY": "a.test"}, "http://p:1"),
        ("https://a.test", "none", {"HTTPS_PROXY": "http://p:1"}, None),
        ("https://a.test", "http://q:1", {"HTTPS_PROXY": "http://p:1"}, "http://q:1"),
        ("http://localhost:1", "http://q:1", {"HTTP_PROXY": "http://p:1"}, None),
        ("http://127.0.0.1:1", "", {"HTTP_PROXY": "http://p:1", "NO_PROXY": "localhost"}, None),
    ],
)
def test_which_proxy_is_chosen(
    monkeypatch: pytest.MonkeyPatch, url: str, own: str, environment: dict[str, str], chosen: str | None
) -> None:
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert choose_proxy(ServerConfig(name="A", base_url=url, proxy=own)) == chosen


# Keys

PLANTED = "sk-planted-0123456789abcdef"


def test_a_key_is_in_no_message_and_no_log(server: ScriptedServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = f"Incorrect API key provided: {PLANTED}. Bearer {PLANTED}"
    for status in (400, 401, 403, 404, 429, 500, 529):
        server.reply(error_reply(status, echo))
    server.reply(Head(500, {"content-type": "text/plain"}), Send(f"?key={PLANTED}&x"))
    server.reply(Drop())
    said = []
    for _ in range(9):
        config_url = f"{server.url}/v1?key={PLANTED}"
        with pytest.raises(ModelError) as caught:
            ask(client_at(config_url, key=lambda: PLANTED, headers={"x-key": PLANTED}))
        said.append(str(caught.value))
    assert len(server.requests) == 9
    assert PLANTED not in "\n".join((*said, caplog.text))
    assert PLANTED not in repr(ServerConfig(name="A", base_url="http://a", key=lambda: PLANTED))


def test_a_key_goes_to_its_own_host_alone(server: ScriptedServer) -> None:
    with pytest.raises(AuthenticationError, match=r"belongs to api\.example\.com, not to 127\.0\.0\.1"):
        ask(client_at(server.url, key=lambda: PLANTED, key_host="api.example.com"))
    assert server.requests == []
    server.reply(openai_answer("x"))
    assert text_of(ask(client_at(server.url, key=lambda: PLANTED, key_host="127.0.0.1"))) == "x"


def test_a_redirect_is_not_followed_with_the_key(server: ScriptedServer) -> None:
    server.reply(Head(307, {"location": "http://elsewhere.test/"}))
    with pytest.raises(ModelError, match="moved to another address"):
        ask(client_at(server.url, key=lambda: PLANTED))


@pytest.mark.parametrize("key", ["", None, "  "])
def test_a_key_that_is_not_there(server: ScriptedServer, key: str | None) -> None:
    with pytest.raises(AuthenticationError, match="key of Workshop was not found"):
        ask(client_at(server.url, key=lambda: key))


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines", "tab\there"])
def test_a_key_that_cannot_be_one_is_not_quoted(server: ScriptedServer, key: str) -> None:
    with pytest.raises(AuthenticationError, match="paste it again") as caught:
        ask(client_at(server.url, key=lambda: key))
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    ("host", "loopback", "location"),
    [
        ("localhost", True, "server"),
        ("127.0.0.1", True, "server"),
        ("::1", True, "server"),
        ("gpu", False, "server"),
        ("gpu.tideline.lan", False, "server"),
        ("192.168.1.4", False, "server"),
        ("8.8.8.8", False, "cloud"),
        ("api.openai.com", False, "cloud"),
    ],
)
def test_where_a_host_is(host: str, location: str, *, loopback: bool) -> None:
    assert is_loopback(host) is loopback
    assert location_of(host) == location
    shown = f"[{host}]" if ":" in host else host
    assert client_at(f"http://{shown}:1").info.location == location


def test_a_key_source_that_fails_says_why(server: ScriptedServer) -> None:
    def fail() -> str:
        raise ConfigError("The keyring is locked. Unlock it.")

    with pytest.raises(AuthenticationError, match="The keyring is locked"):
        ask(client_at(server.url, key=fail))
