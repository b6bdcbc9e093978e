from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from redraft.core.errors import BadRequest, MalformedStream, ModelError, QuotaExceeded, RateLimited, ServerError
from redraft.core.llm.anthropic import AnthropicClient
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason, Usage
from redraft.core.llm.server import Prefill, ServerConfig, ServerKind
from servers import (
    Drop,
    Head,
    ScriptedServer,
    Send,
    Step,
    anthropic_answer,
    anthropic_end,
    anthropic_event,
    anthropic_start,
    anthropic_text,
    error_reply,
    json_reply,
)
from streams import HELLO, ask, reason_of, reasoning_of, text_of


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def client_of(server: ScriptedServer, **more: Any) -> AnthropicClient:
    config = {"prefill": Prefill.MESSAGE, **more}
    return AnthropicClient(
        ServerConfig(name="Cloud", kind=ServerKind.ANTHROPIC, base_url=server.url, model="claude", **config)
    )


def test_the_request_says_all_that_was_asked(server: ScriptedServer) -> None:
    server.reply(anthropic_answer("x"))
    messages = (ChatMessage(Role.SYSTEM, "Be short"), ChatMessage(Role.USER, "Hi"))
    request = ChatRequest(messages, max_tokens=9, temperature=0.0, stop=("</a>", "\n"), prefill="<a>\n", seed=3)
    ask(client_of(server, key=lambda: "secret-1"), request)
    seen = server.requests[0]
    assert (seen.method, seen.target) == ("POST", "/v1/messages")
    assert seen.headers["x-api-key"] == "secret-1"
    assert seen.headers["anthropic-version"] == "2023-06-01"
    assert seen.json() == {
        "model": "claude",
        "max_tokens": 9,
        "system": "Be short",
        "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "<a>"}],
        "temperature": 0.0,
        "stop_sequences": ["</a>"],
        "stream": True,
    }


def test_a_limit_is_always_sent_and_a_blank_prefill_never(server: ScriptedServer) -> None:
    server.reply(anthropic_answer("x"))
    ask(client_of(server), ChatRequest(HELLO.messages, prefill="\n"))
    body = server.requests[0].json()
    assert body["max_tokens"] == 8192
    assert body["messages"] == [{"role": "user", "content": "Hello"}]
    assert "system" not in body


def test_every_event_of_a_message(server: ScriptedServer) -> None:
    start = {"usage": {"input_tokens": 5, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 2}}
    delta = "content_block_delta"
    server.reply(
        anthropic_event("message_start", message=start),
        anthropic_event("ping"),
        anthropic_event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""}),
        anthropic_event(delta, index=0, delta={"type": "thinking_delta", "thinking": "hm"}),
        anthropic_event(delta, index=0, delta={"type": "signature_delta", "signature": "abc"}),
        anthropic_event("content_block_stop", index=0),
        anthropic_event("content_block_start", index=1, content_block={"type": "redacted_thinking", "data": "abc"}),
        anthropic_event("content_block_start", index=2, content_block={"type": "text", "text": "A"}),
        anthropic_event(delta, index=2, delta={"type": "text_delta", "text": "B"}),
        anthropic_event(delta, index=2, delta={"type": "input_json_delta", "partial_json": "{"}),
        anthropic_event("something_new", text="C"),
        anthropic_event("message_delta", delta={"stop_reason": "end_turn"}, usage={"output_tokens": 7}),
        anthropic_event("message_stop"),
    )
    events = ask(client_of(server))
    assert (reasoning_of(events), text_of(events), reason_of(events)) == ("hm", "AB", StopReason.END)
    assert events[-2] == Usage(input_tokens=27, output_tokens=7, cached_tokens=20)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", StopReason.END),
        ("tool_use", StopReason.END),
        ("stop_sequence", StopReason.STOP_SEQUENCE),
        ("max_tokens", StopReason.LENGTH),
        ("model_context_window_exceeded", StopReason.LENGTH),
        ("refusal", StopReason.CONTENT_FILTER),
        ("a_new_word", StopReason.UNSPECIFIED),
        (None, StopReason.UNSPECIFIED),
    ],
)
def test_stop_reasons(server: ScriptedServer, word: str | None, reason: StopReason) -> None:
    server.reply(anthropic_answer("x", reason=word))
    assert reason_of(ask(client_of(server))) is reason


@pytest.mark.parametrize("bare", [True, False])
@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ([], StopReason.DISCONNECTED),
        ([Drop()], StopReason.DISCONNECTED),
        (anthropic_end()[:1], StopReason.DISCONNECTED),
        (anthropic_end()[:2], StopReason.END),
        ([*anthropic_end()[:2], Drop()], StopReason.END),
        (anthropic_end()[2:], StopReason.UNSPECIFIED),
    ],
)
def test_complete_only_with_a_terminal_signal(
    server: ScriptedServer, end: list[Step], reason: StopReason, *, bare: bool
) -> None:
    server.reply(Head(chunked=not bare), anthropic_start(), anthropic_text("half"), end)
    events = ask(client_of(server))
    assert (text_of(events), reason_of(events)) == ("half", reason)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("overloaded_error", RateLimited),
        ("rate_limit_error", RateLimited),
        ("api_error", ServerError),
        ("invalid_request_error", BadRequest),
        ("billing_error", QuotaExceeded),
        ("unheard_of", ServerError),
    ],
)
def test_an_error_event_inside_a_200_is_an_error(server: ScriptedServer, kind: str, expected: type[ModelError]) -> None:
    error = anthropic_event("error", error={"type": kind, "message": "No"})
    server.reply(anthropic_start(), anthropic_text("half"), error)
    with pytest.raises(expected, match="Cloud"):
        ask(client_of(server))


def test_overloaded_is_said_with_its_status(server: ScriptedServer) -> None:
    server.reply(json_reply({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, 529))
    with pytest.raises(RateLimited, match=r"Cloud is overloaded \(529\)") as caught:
        ask(client_of(server))
    assert caught.value.status == 529


@pytest.mark.parametrize(
    "words",
    [
        "This model does not support assistant message prefill.",
        "Your API request included an `assistant` message ; the final assistant content is refused",
    ],
)
def test_a_refused_prefill_is_left_out(server: ScriptedServer, words: str) -> None:
    server.reply(error_reply(400, words, type="invalid_request_error"))
    server.reply(anthropic_answer("x"))
    assert text_of(ask(client_of(server), ChatRequest(HELLO.messages, prefill="<a>"))) == "x"
    assert [len(seen.json()["messages"]) for seen in server.requests] == [2, 1]


def test_a_refused_temperature_is_left_out(server: ScriptedServer) -> None:
    server.reply(error_reply(400, "`temperature` is deprecated for this model."))
    server.reply(anthropic_answer("x"))
    ask(client_of(server), ChatRequest(HELLO.messages, temperature=0))
    assert "temperature" not in server.requests[1].json()


def test_other_refusals_stand(server: ScriptedServer) -> None:
    server.reply(error_reply(400, "max_tokens: too small"))
    with pytest.raises(BadRequest, match="max_tokens: too small"):
        ask(client_of(server))


def test_a_whole_answer_where_a_stream_was_asked_for_is_taken(server: ScriptedServer) -> None:
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hello"}]
    server.reply(json_reply({"content": content, "stop_reason": "end_turn", "usage": {"output_tokens": 2}}))
    events = ask(client_of(server))
    assert (reasoning_of(events), text_of(events), reason_of(events)) == ("hm", "Hello", StopReason.END)


def test_json_that_is_no_answer_is_an_error(server: ScriptedServer) -> None:
    server.reply(json_reply({"hello": 1}))
    with pytest.raises(MalformedStream):
        ask(client_of(server))


def test_an_answer_cut_at_every_byte(server: ScriptedServer) -> None:
    stream = "".join(str(step.chunk) for step in anthropic_answer("你好🌍", "é") if isinstance(step, Send)).encode()
    server.reply(Send(stream[at : at + 1]) for at in range(len(stream)))
    result = ask(client_of(server))
    assert (text_of(result), reason_of(result)) == ("你好🌍é", StopReason.END)
