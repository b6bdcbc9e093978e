from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.llm.messages import ChatRequest, ReasoningDelta, StopReason, TextDelta
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.server import ServerConfig
from redraft.core.llm.stops import StopCutter
from servers import PATIENCE, Drop, Hang, Head, ScriptedServer, Step, openai_answer, openai_end, openai_text
from streams import HELLO, ask, reason_of, text_of


def cut(stops: list[str], *chunks: str) -> tuple[str, bool]:
    cutter = StopCutter(stops)
    passed = [event for chunk in chunks for event in cutter.feed(TextDelta(chunk))]
    return text_of([*passed, *cutter.close()]), cutter.has_stopped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", ("abc", False)),
        ("ab</a>c", ("ab", True)),
        ("ab</a", ("ab</a", False)),
        ("</<</a>", ("</<", True)),
        ("ab\n\nc</a>", ("ab", True)),
        ("</a></a>", ("", True)),
        ("", ("", False)),
    ],
)
def test_text_ends_at_the_first_stop_however_it_is_cut(text: str, expected: tuple[str, bool]) -> None:
    stops = ["</a>", "\n\n", ""]
    assert cut(stops, *text) == expected
    for at in range(len(text) + 1):
        assert cut(stops, text[:at], text[at:]) == expected


@given(st.text("ab<", max_size=12), st.lists(st.text("ab<", min_size=1, max_size=3), max_size=2))
def test_no_stop_is_passed_on_and_no_other_text_is_lost(text: str, stops: list[str]) -> None:
    whole = text
    if ends := [text.find(stop) for stop in stops if stop in text]:
        whole = text[: min(ends)]
    assert cut(stops, text) == (whole, bool(ends))
    for stop in stops:
        assert cut([stop], *text) == cut([stop], text)


def test_only_what_may_be_a_stop_is_held_back() -> None:
    cutter = StopCutter(["</a>"])
    assert list(cutter.feed(TextDelta("ab<"))) == [TextDelta("ab")]
    assert list(cutter.feed(ReasoningDelta("hm"))) == [ReasoningDelta("hm")]
    assert list(cutter.feed(TextDelta("b"))) == [TextDelta("<b")]


def test_a_server_that_does_not_stop_is_left() -> None:
    with ScriptedServer() as server:
        server.reply(openai_text("one", "\n", "\ntwo"), Hang())
        client = OpenAIClient(ServerConfig(name="A", base_url=server.url))
        events = ask(client, ChatRequest(HELLO.messages, stop=("\n\n",)))
        assert (text_of(events), reason_of(events)) == ("one", StopReason.STOP_SEQUENCE)
        assert server.client_gone.wait(PATIENCE)


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (openai_end(), StopReason.STOP_SEQUENCE),
        (openai_end(None), StopReason.STOP_SEQUENCE),
        (openai_end("length"), StopReason.LENGTH),
        ((), StopReason.DISCONNECTED),
        ((Drop(),), StopReason.DISCONNECTED),
    ],
    ids=["end", "done", "length", "end of connection", "lost connection"],
)
def test_a_stop_text_is_no_proof_that_the_answer_came_whole(ending: tuple[Step, ...], reason: StopReason) -> None:
    with ScriptedServer() as server:
        server.reply(Head(chunked=False), openai_text("one</a>", " two"), ending)
        client = OpenAIClient(ServerConfig(name="A", base_url=server.url))
        events = ask(client, ChatRequest(HELLO.messages, stop=("</a>",)))
        assert (text_of(events), reason_of(events)) == ("one", reason)


def test_what_was_held_back_is_not_lost_at_the_end() -> None:
    with ScriptedServer() as server:
        server.reply(openai_answer("one", "\n"))
        server.reply(openai_text("one", "\n"), Drop())
        config = ServerConfig(name="A", base_url=server.url)
        for reason in (StopReason.END, StopReason.DISCONNECTED):
            events = ask(OpenAIClient(config), ChatRequest(HELLO.messages, stop=("\n\n",)))
            assert (text_of(events), reason_of(events)) == ("one\n", reason)
