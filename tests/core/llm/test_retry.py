from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from redraft.core.errors import (
    AuthenticationError,
    BadRequest,
    ConnectionFailed,
    ModelError,
    QuotaExceeded,
    RateLimited,
    ServerError,
    TimedOut,
)
from redraft.core.llm.client import complete
from redraft.core.llm.loop import EventLoopThread
from redraft.core.llm.messages import RetryScheduled, StopReason
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.retry import RetryingClient, RetryPolicy
from redraft.core.llm.server import ServerConfig
from servers import (
    PATIENCE,
    Drop,
    Gate,
    ScriptedServer,
    error_reply,
    json_reply,
    openai_answer,
    openai_chunk,
    openai_text,
)
from streams import HELLO, ask, reason_of, reasoning_of, text_of


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


DEFAULT = RetryPolicy()


class Clock:
    """Sleeps that take no time, and are remembered."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def client_of(server: ScriptedServer, clock: Clock, policy: RetryPolicy = DEFAULT) -> RetryingClient:
    return RetryingClient(
        OpenAIClient(ServerConfig(name="Workshop", base_url=server.url, model="m")), policy, sleep=clock.sleep
    )


def test_the_wait_the_server_names_is_told_and_kept(server: ScriptedServer) -> None:
    clock = Clock()
    server.reply(error_reply(429, "slow down", {"retry-after": "7"}))
    server.reply(openai_answer("x"))
    events = ask(client_of(server, clock))
    sentence = "Workshop has had too many requests (429); try again in 7 s."
    assert events[0] == RetryScheduled(2, 4, 7.0, sentence)
    assert clock.slept == [7.0]
    assert (text_of(events), reason_of(events)) == ("x", StopReason.END)


def test_a_date_is_waited_for(server: ScriptedServer) -> None:
    clock = Clock()
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    server.reply(error_reply(503, "busy", {"retry-after": date}))
    server.reply(openai_answer("x"))
    ask(client_of(server, clock))
    assert 0 < clock.slept[0] <= 60


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 529])
def test_without_a_named_wait_it_doubles_up_to_a_limit(server: ScriptedServer, status: int) -> None:
    clock = Clock()
    policy = RetryPolicy(attempts=6, first_delay=1, longest_delay=5)
    for _ in range(5):
        server.reply(error_reply(status))
    server.reply(openai_answer("x"))
    assert text_of(ask(client_of(server, clock, policy))) == "x"
    for slept, least in zip(clock.slept, [1, 2, 4, 5, 5], strict=True):
        assert least <= slept <= least * 1.25


def test_it_gives_up_in_the_end(server: ScriptedServer) -> None:
    clock = Clock()
    for _ in range(3):
        server.reply(error_reply(529))
    with pytest.raises(RateLimited):
        ask(client_of(server, clock, RetryPolicy(attempts=3)))
    assert (len(server.requests), len(clock.slept)) == (3, 2)


def test_nobody_waits_for_an_hour(server: ScriptedServer) -> None:
    server.reply(error_reply(429, "no", {"retry-after": "3600"}))
    with pytest.raises(RateLimited, match="in 60 min"):
        ask(client_of(server, Clock()))
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, BadRequest), (401, AuthenticationError), (402, QuotaExceeded), (403, AuthenticationError)],
)
def test_what_will_not_pass_is_not_tried_again(server: ScriptedServer, status: int, kind: type[ModelError]) -> None:
    server.reply(error_reply(status))
    with pytest.raises(kind):
        ask(client_of(server, Clock()))
    assert len(server.requests) == 1


@pytest.mark.parametrize("field", ["content", "reasoning_content"])
def test_never_again_once_an_answer_has_begun(server: ScriptedServer, field: str) -> None:
    server.reply(openai_chunk({field: "half"}), openai_chunk(error={"message": "boom", "code": 500}))
    with pytest.raises(ServerError):
        ask(client_of(server, Clock()))
    assert len(server.requests) == 1


def test_an_error_in_the_stream_before_any_text_is_tried_again(server: ScriptedServer) -> None:
    server.reply(openai_chunk({"role": "assistant"}), openai_chunk(error={"message": "busy", "code": 529}))
    server.reply(openai_answer("x"))
    assert text_of(ask(client_of(server, Clock()))) == "x"


def test_a_connection_closed_before_any_answer_is_tried_again(server: ScriptedServer) -> None:
    server.reply(Drop())
    server.reply(openai_answer("x"))
    assert text_of(ask(client_of(server, Clock()))) == "x"


def test_a_cut_off_answer_is_kept_and_not_tried_again(server: ScriptedServer) -> None:
    server.reply(openai_text("half"), Drop())
    events = ask(client_of(server, Clock()))
    assert (text_of(events), reasoning_of(events), reason_of(events)) == ("half", "", StopReason.DISCONNECTED)
    assert len(server.requests) == 1


def test_the_wait_can_be_cancelled(server: ScriptedServer) -> None:
    server.reply(error_reply(429, "no", {"retry-after": "100"}))
    client = RetryingClient(OpenAIClient(ServerConfig(name="Workshop", base_url=server.url)))
    waits = Gate()

    async def consume() -> None:
        async for event in client.stream(HELLO):
            assert isinstance(event, RetryScheduled)
            waits.open()

    with EventLoopThread() as thread:
        future = thread.submit(consume())
        thread.submit(waits.passed()).result(PATIENCE)
        assert future.cancel()
        thread.submit(client.aclose()).result(PATIENCE)
    assert len(server.requests) == 1


def test_nothing_listening_is_said_at_once() -> None:
    with ScriptedServer() as server:
        client = client_of(server, clock := Clock())
    with pytest.raises(ConnectionFailed):
        ask(client)
    assert clock.slept == []


def test_a_time_limit_is_said_at_once() -> None:
    assert RetryPolicy().delay(TimedOut("", limit="idle"), 1, 0) is None


def test_it_speaks_for_the_client_inside(server: ScriptedServer) -> None:
    client = client_of(server, Clock())
    assert client.info.model == "m"
    assert client.capabilities.stop_sequences


def test_complete_gathers_an_answer(server: ScriptedServer) -> None:
    server.reply(json_reply({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}))
    client = client_of(server, Clock())

    async def run() -> str:
        try:
            return (await complete(client, HELLO)).text
        finally:
            await client.aclose()

    assert asyncio.run(run()) == "Hi"
