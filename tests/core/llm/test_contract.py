"""What every client must keep, whatever its protocol: each is run against a real server on loopback that speaks it."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trustme

from redraft.core.errors import (
    AuthenticationError,
    BadRequest,
    ConnectionFailed,
    ContextTooLong,
    ModelError,
    ModelNotFound,
    QuotaExceeded,
    RateLimited,
    ServerError,
    TimedOut,
)
from redraft.core.llm.client import ChatClient
from redraft.core.llm.loop import EventLoopThread
from redraft.core.llm.messages import RetryScheduled, StopReason, Usage
from redraft.core.llm.registry import make_client
from redraft.core.llm.retry import RetryPolicy
from redraft.core.llm.server import ServerConfig, ServerKind, Timeouts
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
    anthropic_end,
    anthropic_event,
    anthropic_start,
    anthropic_text,
    error_reply,
    openai_end,
    openai_text,
)
from streams import HELLO, ask, reason_of, text_of

SHORT = 0.15
TEXT = "你好🌍\n    return x\r\n"


@dataclass(frozen=True)
class Protocol:
    """How a protocol says the same things.

    Attributes:
        kind: Which one.
        begin: What comes before the first text.
        text: A piece of the answer.
        end: A proper end.
        cut: An end at the limit.
        fault: An error inside a stream of status 200.
    """

    kind: ServerKind
    begin: tuple[Step, ...]
    text: Callable[..., tuple[Step, ...]]
    end: tuple[Step, ...]
    cut: tuple[Step, ...]
    fault: Step

    def answer(self, *texts: str) -> tuple[Step, ...]:
        return (*self.begin, *self.text(*texts), *self.end)


OVERLOADED = {"type": "overloaded_error", "message": "busy"}
CHAT = ((), openai_text, openai_end(usage={"prompt_tokens": 3, "completion_tokens": 2}), openai_end("length"))
CHAT_FAULT = Send('data: {"error": {"type": "overloaded_error", "message": "busy"}}\n\n')
PROTOCOLS = (
    Protocol(ServerKind.OPENAI, *CHAT, CHAT_FAULT),
    Protocol(ServerKind.TABBY, *CHAT, CHAT_FAULT),
    Protocol(
        ServerKind.ANTHROPIC,
        anthropic_start(input_tokens=3),
        anthropic_text,
        anthropic_end(),
        anthropic_end("max_tokens"),
        anthropic_event("error", error=OVERLOADED),
    ),
)


@pytest.fixture(params=PROTOCOLS, ids=lambda protocol: protocol.kind.value)
def protocol(request: pytest.FixtureRequest) -> Protocol:
    found = request.param
    assert isinstance(found, Protocol)
    return found


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def client_at(url: str, protocol: Protocol, *, attempts: int = 1, **more: Any) -> ChatClient:
    config = ServerConfig(name="Workshop", base_url=url, kind=protocol.kind, model="m", key=lambda: "secret-1", **more)
    return make_client(config, RetryPolicy(attempts=attempts, first_delay=0.01))


def test_text_reason_and_counts_are_read(server: ScriptedServer, protocol: Protocol) -> None:
    server.reply(protocol.answer("Hel", "lo"))
    events = ask(client_at(server.url, protocol))
    assert text_of(events) == "Hello"
    assert reason_of(events) is StopReason.END
    [usage] = [event for event in events if isinstance(event, Usage)]
    assert (usage.input_tokens, usage.output_tokens) == (3, 2)


def test_a_stream_cut_at_every_byte_says_the_same(server: ScriptedServer, protocol: Protocol) -> None:
    whole = b"".join(
        step.chunk if isinstance(step.chunk, bytes) else step.chunk.encode()
        for step in protocol.answer(TEXT)
        if isinstance(step, Send)
    )
    server.reply(Send(whole[place : place + 1]) for place in range(len(whole)))
    events = ask(client_at(server.url, protocol))
    assert (text_of(events), reason_of(events)) == (TEXT, StopReason.END)


def test_the_answers_limit_is_no_proper_end(server: ScriptedServer, protocol: Protocol) -> None:
    server.reply(*protocol.begin, *protocol.text("half"), *protocol.cut)
    assert reason_of(ask(client_at(server.url, protocol))) is StopReason.LENGTH


@pytest.mark.parametrize("end", [(), (Drop(),)], ids=["ends", "breaks"])
def test_an_end_without_a_terminal_signal_is_a_lost_connection(
    server: ScriptedServer, protocol: Protocol, end: tuple[Step, ...]
) -> None:
    server.reply(*protocol.begin, *protocol.text("half"), *end)
    events = ask(client_at(server.url, protocol))
    assert (text_of(events), reason_of(events)) == ("half", StopReason.DISCONNECTED)


def test_line_ends_and_comments_of_the_stream_make_no_difference(server: ScriptedServer, protocol: Protocol) -> None:
    for end in ("\r\n", "\r", "\n"):
        steps = [
            Send(f": ping\n\n{step.chunk if isinstance(step.chunk, str) else step.chunk.decode()}".replace("\n", end))
            for step in protocol.answer("x")
            if isinstance(step, Send)
        ]
        server.reply(*steps)
        assert text_of(ask(client_at(server.url, protocol))) == "x"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, BadRequest),
        (401, AuthenticationError),
        (402, QuotaExceeded),
        (403, AuthenticationError),
        (404, ModelNotFound),
        (413, ContextTooLong),
        (422, BadRequest),
        (429, RateLimited),
        (500, ServerError),
        (502, ServerError),
        (503, RateLimited),
        (529, RateLimited),
    ],
)
def test_every_status_has_its_error(
    server: ScriptedServer, protocol: Protocol, status: int, kind: type[ModelError]
) -> None:
    for _ in range(2):  # Tabby has two addresses
        server.reply(error_reply(status))
    with pytest.raises(kind, match=r"Workshop|127\.0\.0\.1|larger than m"):
        ask(client_at(server.url, protocol))


def test_an_error_inside_a_stream_of_status_200_is_an_error(server: ScriptedServer, protocol: Protocol) -> None:
    server.reply(*protocol.begin, protocol.fault)
    with pytest.raises(RateLimited):
        ask(client_at(server.url, protocol))


@pytest.mark.parametrize("wait", ["0.01", "Wed, 21 Oct 2015 07:28:00 GMT"], ids=["seconds", "date"])
def test_a_busy_server_is_asked_again_when_it_says(server: ScriptedServer, protocol: Protocol, wait: str) -> None:
    server.reply(error_reply(429, headers={"retry-after": wait}))
    server.reply(protocol.answer("x"))
    events = ask(client_at(server.url, protocol, attempts=2))
    assert isinstance(events[0], RetryScheduled)
    assert text_of(events) == "x"


def test_silence_is_ended_by_the_limit_for_it(server: ScriptedServer, protocol: Protocol) -> None:
    server.reply(Hang())
    with pytest.raises(TimedOut) as first:
        ask(client_at(server.url, protocol, timeouts=Timeouts(first_byte=SHORT)))
    server.reply(*protocol.begin, *protocol.text("x"), Hang())
    with pytest.raises(TimedOut) as idle:
        ask(client_at(server.url, protocol, timeouts=Timeouts(idle=SHORT)))
    assert (first.value.limit, idle.value.limit) == ("first byte", "idle")


def test_keep_alives_and_a_long_first_wait_are_no_idleness(server: ScriptedServer, protocol: Protocol) -> None:
    gate = Gate()
    server.reply(Send(": ping\n\n"), WaitFor(gate), protocol.answer("x"))
    threading.Timer(SHORT * 3, gate.open).start()
    assert text_of(ask(client_at(server.url, protocol, timeouts=Timeouts(idle=SHORT)))) == "x"


def test_a_private_authority_and_a_proxy(protocol: Protocol, tmp_path: Path) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("model.test").configure_cert(context)
    with ScriptedServer(tls=context) as server, ConnectProxy(server.port) as proxy:
        server.reply(protocol.answer("x"))
        trusting: dict[str, Any] = {"proxy": proxy.url, "extra_ca_file": tmp_path / "ca.pem"}
        assert text_of(ask(client_at("https://model.test", protocol, **trusting))) == "x"
        with pytest.raises(ConnectionFailed) as caught:
            ask(client_at("https://model.test", protocol, proxy=proxy.url))
        assert caught.value.kind == "tls"


@pytest.mark.parametrize("state", ["asked", "answered", "writing"])
def test_a_cancel_closes_the_connection_within_a_tenth_of_a_second(
    server: ScriptedServer, protocol: Protocol, state: str
) -> None:
    steps = {"asked": (), "answered": (Head(),), "writing": (*protocol.begin, *protocol.text("x"))}[state]
    waits = []
    with EventLoopThread() as thread:
        for count in range(1, 6):
            server.client_gone.clear()
            server.reply(*steps, Hang())
            client = client_at(server.url, protocol)

            async def consume(client: ChatClient = client) -> None:
                async for _ in client.stream(HELLO):
                    pass

            running = thread.submit(consume())
            server.wait_for_request(count)
            started = time.monotonic()
            running.cancel()
            assert server.client_gone.wait(PATIENCE)
            waits.append(time.monotonic() - started)
    assert min(waits) < 0.1, "the machine may be busy once, not every time"
