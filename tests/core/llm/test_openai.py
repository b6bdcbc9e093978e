from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from redraft.core.errors import (
    BadRequest,
    ConnectionFailed,
    ContextTooLong,
    MalformedStream,
    RateLimited,
    ServerError,
)
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason, TextDelta, Usage
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.server import Prefill, ServerConfig
from servers import (
    Drop,
    Head,
    ScriptedServer,
    Send,
    Step,
    error_reply,
    json_reply,
    openai_answer,
    openai_chunk,
    openai_end,
    openai_text,
)
from streams import HELLO, ask, reason_of, reasoning_of, text_of


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def client_of(server: ScriptedServer, **more: Any) -> OpenAIClient:
    return OpenAIClient(ServerConfig(name="Workshop", base_url=server.url, model="m1", **more))


def test_text_comes_in_pieces_and_ends(server: ScriptedServer) -> None:
    server.reply(openai_chunk({"role": "assistant", "content": ""}), openai_answer("Hel", "lo"))
    events = ask(client_of(server))
    assert [event.text for event in events if isinstance(event, TextDelta)] == ["Hel", "lo"]
    assert reason_of(events) is StopReason.END


def test_the_request_says_all_that_was_asked(server: ScriptedServer) -> None:
    server.reply(openai_answer("x"))
    request = ChatRequest(
        (ChatMessage(Role.SYSTEM, "Be short"), ChatMessage(Role.USER, "Hé \ud800")),
        max_tokens=9,
        temperature=0.5,
        stop=("</a>",),
        seed=7,
        extra={"top_k": 3},
    )
    ask(client_of(server, key=lambda: " secret-1\n", headers={"X-Team": "blue"}, extra={"cache_prompt": True}), request)
    seen = server.requests[0]
    assert (seen.method, seen.target) == ("POST", "/v1/chat/completions")
    assert seen.headers["authorization"] == "Bearer secret-1"
    assert seen.headers["x-team"] == "blue"
    assert seen.json() == {
        "model": "m1",
        "messages": [{"role": "system", "content": "Be short"}, {"role": "user", "content": "Hé ?"}],
        "max_tokens": 9,
        "temperature": 0.5,
        "stop": ["</a>"],
        "seed": 7,
        "cache_prompt": True,
        "top_k": 3,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_what_was_not_asked_is_not_sent(server: ScriptedServer) -> None:
    server.reply(openai_answer("x"))
    ask(OpenAIClient(ServerConfig(name="Any", base_url=server.url)))
    assert set(server.requests[0].json()) == {"messages", "stream", "stream_options"}
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize(
    ("prefill", "tail", "more"),
    [
        (Prefill.NONE, "user", {}),
        (Prefill.MESSAGE, "assistant", {}),
        (Prefill.CONTINUE, "assistant", {"continue_final_message": True, "add_generation_prompt": False}),
    ],
)
def test_prefill_goes_the_servers_way(
    server: ScriptedServer, prefill: Prefill, tail: str, more: dict[str, bool]
) -> None:
    server.reply(openai_answer("x"))
    client = client_of(server, prefill=prefill)
    ask(client, ChatRequest(HELLO.messages, prefill="<GENERATEDCODE>"))
    body = server.requests[0].json()
    assert body["messages"][-1]["role"] == tail
    assert more.items() <= body.items()
    assert client.capabilities.prefill is (prefill is not Prefill.NONE)


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/v1", "/v1/chat/completions"),
        ("/api/v1/", "/api/v1/chat/completions"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("/deploy/x?api-version=1", "/deploy/x/chat/completions?api-version=1"),
    ],
)
def test_the_address_may_be_written_in_several_ways(server: ScriptedServer, path: str, target: str) -> None:
    server.reply(openai_answer("x"))
    ask(OpenAIClient(ServerConfig(name="Any", base_url=server.url + path)))
    assert server.requests[0].target == target


@pytest.mark.parametrize(
    ("delta", "thinking"),
    [
        ({"reasoning_content": "hm"}, "hm"),
        ({"reasoning": "hm"}, "hm"),
        ({"reasoning_content": "hm", "reasoning": "hm"}, "hm"),
        ({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}, "hm"),
        ({"reasoning_content": None, "content": None}, ""),
    ],
)
def test_thinking_is_kept_apart(server: ScriptedServer, delta: dict[str, Any], thinking: str) -> None:
    server.reply(openai_chunk(delta), openai_chunk({"content": [{"type": "text", "text": "a"}]}), openai_answer("b"))
    events = ask(client_of(server))
    assert (reasoning_of(events), text_of(events)) == (thinking, "ab")


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("stop", StopReason.END),
        ("eos", StopReason.END),
        ("tool_calls", StopReason.END),
        ("length", StopReason.LENGTH),
        ("max_tokens", StopReason.LENGTH),
        ("content_filter", StopReason.CONTENT_FILTER),
        ("abort", StopReason.DISCONNECTED),
        ("a_new_word", StopReason.UNSPECIFIED),
        (None, StopReason.UNSPECIFIED),
    ],
)
def test_finish_reasons(server: ScriptedServer, word: str | None, reason: StopReason) -> None:
    server.reply(openai_answer("x", finish=word))
    assert reason_of(ask(client_of(server))) is reason


def test_a_named_stop_text_is_a_stop_sequence(server: ScriptedServer) -> None:
    choice = {"index": 0, "delta": {}, "finish_reason": "stop", "stop_reason": "</a>"}
    server.reply(openai_text("x"), Send(f"data: {json.dumps({'choices': [choice]})}\n\n"), Send("data: [DONE]\n\n"))
    assert reason_of(ask(client_of(server))) is StopReason.STOP_SEQUENCE


def test_a_refusal_is_words_and_not_an_answer(server: ScriptedServer) -> None:
    server.reply(openai_chunk({"refusal": "I will not."}), openai_end())
    events = ask(client_of(server))
    assert (text_of(events), reason_of(events)) == ("I will not.", StopReason.CONTENT_FILTER)


DONE = Send("data: [DONE]\n\n")
FINISH = openai_chunk({}, finish="stop")


@pytest.mark.parametrize("bare", [True, False])
@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ([], StopReason.DISCONNECTED),
        ([DONE], StopReason.UNSPECIFIED),
        ([openai_chunk({}, finish=None), DONE], StopReason.UNSPECIFIED),
        ([openai_chunk(), DONE], StopReason.UNSPECIFIED),
        ([FINISH], StopReason.END),
        ([FINISH, DONE], StopReason.END),
        ([FINISH, Drop()], StopReason.END),
        ([Drop()], StopReason.DISCONNECTED),
        ([Send('data: {"choi'), Drop()], StopReason.DISCONNECTED),
        ([Send('data: {"choi')], StopReason.DISCONNECTED),
    ],
)
def test_complete_only_with_a_terminal_signal(
    server: ScriptedServer, end: list[Step], reason: StopReason, *, bare: bool
) -> None:
    head = Head(chunked=not bare)
    server.reply(head, openai_text("half"), end)
    events = ask(client_of(server))
    assert (text_of(events), reason_of(events)) == ("half", reason)


def test_a_connection_lost_before_any_text_is_an_error(server: ScriptedServer) -> None:
    server.reply(openai_chunk({"role": "assistant"}), Drop())
    with pytest.raises(ConnectionFailed, match="Workshop closed the connection") as caught:
        ask(client_of(server))
    assert caught.value.kind == "closed"


def test_a_connection_lost_before_the_head_is_an_error(server: ScriptedServer) -> None:
    server.reply(Drop())
    with pytest.raises(ConnectionFailed, match="closed the connection"):
        ask(client_of(server))


@pytest.mark.parametrize(
    ("fields", "usage"),
    [
        (
            {"usage": {"prompt_tokens": 10, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 6}}},
            Usage(10, 4, 6),
        ),
        ({"usage": {"prompt_tokens": 10, "completion_tokens": 4, "prompt_cache_hit_tokens": 6}}, Usage(10, 4, 6)),
        ({"usage": {"prompt_tokens": 10, "completion_tokens": 4, "prompt_tokens_details": None}}, Usage(10, 4)),
        (
            {"timings": {"cache_n": 6, "prompt_n": 4, "prompt_ms": 12.5, "predicted_n": 3, "predicted_ms": 100}},
            Usage(10, 3, 6, 12.5, 100.0),
        ),
        (
            {
                "usage": {"prompt_tokens": 10, "completion_tokens": 4},
                "timings": {"cache_n": 6, "prompt_n": 4, "prompt_ms": 12.5, "predicted_n": 4, "predicted_ms": 100},
            },
            Usage(10, 4, 6, 12.5, 100.0),
        ),
    ],
)
def test_counts_come_before_the_stop(server: ScriptedServer, fields: dict[str, Any], usage: Usage) -> None:
    server.reply(openai_text("x"), FINISH, openai_chunk(**fields), DONE)
    events = ask(client_of(server))
    assert events[-2] == usage


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        ({"error": {"message": "Overloaded", "type": "overloaded_error"}}, RateLimited),
        ({"error": {"message": "Slow down", "code": 429}}, RateLimited),
        ({"error": {"message": "boom", "code": 502}}, ServerError),
        ({"error": {"message": "boom"}}, ServerError),
        ({"error": "boom"}, ServerError),
        ({"error": {"message": "no", "type": "invalid_request_error"}}, BadRequest),
        ({"error": {"message": "the request exceeds the available context size", "code": 400}}, ContextTooLong),
    ],
)
def test_an_error_inside_the_stream_is_an_error(
    server: ScriptedServer, payload: dict[str, Any], kind: type[Exception]
) -> None:
    server.reply(openai_text("half"), Send(f"data: {json.dumps(payload)}\n\n"), DONE)
    with pytest.raises(kind, match=r"Workshop|m1"):
        ask(client_of(server))


def test_an_error_event_is_an_error(server: ScriptedServer) -> None:
    server.reply(openai_text("half"), Send('event: error\ndata: {"message": "boom"}\n\n'))
    with pytest.raises(ServerError, match="boom"):
        ask(client_of(server))


def test_an_error_as_finish_reason_is_an_error(server: ScriptedServer) -> None:
    choice = {"index": 0, "delta": {}, "finish_reason": "error", "error": {"code": 502, "message": "upstream broke"}}
    server.reply(openai_text("x"), Send(f"data: {json.dumps({'choices': [choice]})}\n\n"))
    with pytest.raises(ServerError, match="upstream broke"):
        ask(client_of(server))


@pytest.mark.parametrize("data", ["nonsense", "[]", '"text"', "{"])
def test_events_that_are_not_the_protocol_are_an_error(server: ScriptedServer, data: str) -> None:
    server.reply(Send(f"data: {data}\n\n"))
    with pytest.raises(MalformedStream, match="not its protocol"):
        ask(client_of(server))


def test_a_web_page_is_an_error(server: ScriptedServer) -> None:
    server.reply(Head(200, {"content-type": "text/html; charset=utf-8"}), Send("<html>Log in</html>"))
    with pytest.raises(MalformedStream, match="did not answer as a model server"):
        ask(client_of(server))


def test_a_whole_answer_where_a_stream_was_asked_for_is_taken(server: ScriptedServer) -> None:
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hello"}, "finish_reason": "length"}
    server.reply(json_reply({"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}))
    events = ask(client_of(server))
    assert (text_of(events), reason_of(events)) == ("Hello", StopReason.LENGTH)
    assert Usage(1, 2) in events


@pytest.mark.parametrize("body", [{"hello": 1}, [], "x"])
def test_json_that_is_no_answer_is_an_error(server: ScriptedServer, body: object) -> None:
    server.reply(json_reply(body))
    with pytest.raises(MalformedStream):
        ask(client_of(server))


def test_an_error_in_a_body_of_status_200_is_an_error(server: ScriptedServer) -> None:
    server.reply(json_reply({"error": {"message": "boom", "type": "server_error"}}))
    with pytest.raises(ServerError, match="boom"):
        ask(client_of(server))


def test_comments_and_other_choices_say_nothing(server: ScriptedServer) -> None:
    other = {"choices": [{"index": 1, "delta": {"content": "other"}}]}
    server.reply(Send(": OPENROUTER PROCESSING\n\n"), Send(f"data: {json.dumps(other)}\n\n"), openai_answer("x"))
    assert text_of(ask(client_of(server))) == "x"


@pytest.mark.parametrize(
    ("refusal", "left_out"),
    [
        ({"message": "Unsupported", "param": "temperature", "code": "unsupported_parameter"}, "temperature"),
        ({"message": "Unsupported parameter: 'stop' is not supported with this model."}, "stop"),
        ({"message": "x", "param": "stream_options", "code": "unknown_parameter"}, "stream_options"),
    ],
)
def test_a_refused_option_is_left_out(server: ScriptedServer, refusal: dict[str, str], left_out: str) -> None:
    server.reply(json_reply({"error": refusal}, 400))
    server.reply(openai_answer("x"))
    request = ChatRequest(HELLO.messages, temperature=0, stop=("z",))
    assert text_of(ask(client_of(server), request)) == "x"
    first, second = (seen.json() for seen in server.requests)
    assert {name: value for name, value in first.items() if name != left_out} == second


def test_the_answers_limit_goes_under_its_other_name(server: ScriptedServer) -> None:
    server.reply(error_reply(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."))
    server.reply(openai_answer("x"))
    ask(client_of(server), ChatRequest(HELLO.messages, max_tokens=5))
    body = server.requests[1].json()
    assert body["max_completion_tokens"] == 5
    assert "max_tokens" not in body


def test_refusals_without_end_are_given_up(server: ScriptedServer) -> None:
    for name in ("temperature", "seed", "stop", "stream_options"):
        server.reply(error_reply(400, "no", param=name))
    with pytest.raises(BadRequest):
        ask(client_of(server), ChatRequest(HELLO.messages, temperature=0, seed=1, stop=("x",)))
    assert len(server.requests) == 4


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r"])
def test_an_answer_cut_at_every_byte(server: ScriptedServer, end: str) -> None:
    events = [step.chunk for step in openai_answer("你好🌍", "é") if isinstance(step, Send)]
    stream = "".join(str(event).replace("\n\n", end) for event in events).encode()
    server.reply(Send(stream[at : at + 1]) for at in range(len(stream)))
    result = ask(client_of(server))
    assert (text_of(result), reason_of(result)) == ("你好🌍é", StopReason.END)


def test_a_character_whose_halves_come_in_two_events_is_whole(server: ScriptedServer) -> None:
    start, end = 'data: {"choices": [{"index": 0, "delta": {"content": "', '"}}]}\n\n'
    halves = [Send(f"{start}{text}{end}") for text in (r"a\ud83d", r"\ude00b", r"c\ud83d", "d", r"\ud83d")]
    server.reply(*halves, openai_end())
    assert text_of(ask(client_of(server))) == "a😀bc\ufffdd\ufffd"


def test_the_effort_of_reasoning_is_sent_where_it_is_asked_for_and_left_out_where_it_is_refused(
    server: ScriptedServer,
) -> None:
    server.reply(openai_answer("x"))
    ask(client_of(server), HELLO)
    server.reply(error_reply(400, "Unsupported parameter", param="reasoning_effort"))
    server.reply(openai_answer("x"))
    ask(client_of(server), ChatRequest(HELLO.messages, effort="low"))
    assert [request.json().get("reasoning_effort") for request in server.requests] == [None, "low", None]
