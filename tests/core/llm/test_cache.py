from __future__ import annotations

import asyncio
import multiprocessing
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cache_worker import claim_all
from redraft.core.errors import FileError, ServerError
from redraft.core.llm.batch_queue import BatchQueue
from redraft.core.llm.cache import LlmCache
from redraft.core.llm.cache_format import (
    RowState,
    decode_answer,
    decode_request,
    encode_answer,
    encode_request,
    request_key,
)
from redraft.core.llm.caching import CachingClient, scope_of
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason, Usage
from redraft.core.llm.openai import OpenAIClient
from redraft.core.llm.server import ServerConfig
from servers import Drop, ScriptedServer, openai_answer, openai_chunk, openai_end, openai_text
from streams import HELLO, ask, reason_of, text_of

SCOPE = "openai@host/m"
ANSWER = ChatAnswer("Hi é🌍", StopReason.END, Usage(3, 2, 1, 1.5, None))


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[LlmCache]:
    with LlmCache(tmp_path / "deep" / "answers.sqlite") as opened:
        yield opened


def question(text: str) -> ChatRequest:
    return ChatRequest((ChatMessage(Role.USER, text),))


def test_an_answer_comes_back(cache: LlmCache) -> None:
    assert cache.get(SCOPE, HELLO) is None
    cache.put(SCOPE, HELLO, ANSWER)
    row = cache.get(SCOPE, HELLO)
    assert row is not None
    assert (row.request, row.answer, row.state) == (HELLO, ANSWER, RowState.DONE)


def test_it_outlives_the_process_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with LlmCache(path) as cache:
        cache.put(SCOPE, HELLO, ANSWER)
    assert path.stat().st_mode & 0o077 == 0
    with LlmCache(path) as cache:
        row = cache.get(SCOPE, HELLO)
        assert row is not None
        assert row.answer == ANSWER


@pytest.mark.parametrize(
    "other",
    [
        question("hello"),
        ChatRequest((ChatMessage(Role.SYSTEM, "Hello"),)),
        ChatRequest((ChatMessage(Role.ASSISTANT, "Hello"),)),
        ChatRequest((ChatMessage(Role.USER, "Hel"), ChatMessage(Role.USER, "lo"))),
        replace(HELLO, model="other"),
        replace(HELLO, max_tokens=5),
        replace(HELLO, temperature=0.0),
        replace(HELLO, stop=("x",)),
        replace(HELLO, prefill="x"),
        replace(HELLO, seed=0),
        replace(HELLO, extra={"top_k": 1}),
    ],
)
def test_every_part_of_a_request_is_part_of_its_key(other: ChatRequest) -> None:
    assert request_key(SCOPE, HELLO) != request_key(SCOPE, other)
    assert request_key(SCOPE, HELLO) != request_key("anthropic@host/m", HELLO)
    assert request_key(SCOPE, other) == request_key(SCOPE, decode_request(encode_request(other)))


def test_a_key_can_be_a_custom_id() -> None:
    key = request_key(SCOPE, HELLO)
    assert len(key) == 64
    assert set(key) <= set("0123456789abcdef")
    assert request_key(SCOPE, replace(HELLO, temperature=0)) == request_key(SCOPE, replace(HELLO, temperature=0.0))


requests = st.builds(
    ChatRequest,
    st.lists(st.builds(ChatMessage, st.sampled_from(Role), st.text()), max_size=3).map(tuple),
    model=st.text(max_size=5),
    max_tokens=st.none() | st.integers(1, 99),
    temperature=st.none() | st.floats(0, 2),
    stop=st.lists(st.text(min_size=1, max_size=5), max_size=2).map(tuple),
    prefill=st.text(max_size=5),
    seed=st.none() | st.integers(0, 9),
    extra=st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(requests)
def test_any_request_is_read_as_it_was_written(request: ChatRequest) -> None:
    assert decode_request(encode_request(request)) == request


@given(st.text(), st.sampled_from(StopReason), st.none() | st.builds(Usage, st.integers(0), st.integers(0)))
def test_any_answer_is_read_as_it_was_written(text: str, reason: StopReason, usage: Usage | None) -> None:
    answer = ChatAnswer(text, reason, usage)
    assert decode_answer(encode_answer(answer)) == answer


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    path.write_text("not a database, but someone's text " * 50)
    with pytest.raises(FileError, match="move it away"):
        LlmCache(path)
    assert path.read_text().startswith("not a database")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be used"):
        LlmCache(tmp_path / "file" / "answers.sqlite")


def test_a_failed_write_changes_nothing(cache: LlmCache) -> None:
    queue = BatchQueue(cache, SCOPE)
    cache.put(SCOPE, HELLO, ANSWER)

    def fail() -> None:
        with cache.writing() as write:
            write("DELETE FROM answers", ())
            write("nonsense", ())

    with pytest.raises(sqlite3.OperationalError):
        fail()
    assert queue.enqueue([HELLO]) == 0


# The queue


def test_rows_go_from_queued_to_done(cache: LlmCache) -> None:
    queue = BatchQueue(cache, SCOPE)
    cache.put(SCOPE, question("known"), ANSWER)
    assert queue.enqueue([question("a"), question("b"), question("a"), question("known")]) == 2
    rows = queue.claim("claim-1", rows=10, size=10**6)
    assert sorted(row.request.messages[0].content for row in rows) == ["a", "b"]
    assert queue.claim("claim-2", rows=10, size=10**6) == []
    queue.settle("claim-1", "batch-1")
    assert queue.batches() == ["batch-1"]
    queue.finish({rows[0].key: ANSWER, rows[1].key: ServerError("broke", status=500)})
    assert queue.batches() == []
    assert queue.counts() == {
        RowState.QUEUED: 0,
        RowState.CLAIMED: 0,
        RowState.IN_FLIGHT: 0,
        RowState.DONE: 2,
        RowState.FAILED: 1,
    }
    failed = queue.failures()
    assert [(row.key, row.error, row.attempts) for row in failed] == [(rows[1].key, "broke", 1)]
    assert queue.retry_failed() == 1
    assert queue.counts()[RowState.QUEUED] == 1


def test_a_late_error_does_not_undo_an_answer(cache: LlmCache) -> None:
    queue = BatchQueue(cache, SCOPE)
    cache.put(SCOPE, HELLO, ANSWER)
    queue.finish({request_key(SCOPE, HELLO): ServerError("late", status=500)})
    row = cache.get(SCOPE, HELLO)
    assert row is not None
    assert row.answer == ANSWER


def test_claims_are_cut_by_count_and_by_size(cache: LlmCache) -> None:
    queue = BatchQueue(cache, SCOPE)
    queue.enqueue(question(f"{number} " + "x" * 1000) for number in range(10))
    assert len(queue.claim("c1", rows=3, size=10**6)) == 3
    assert len(queue.claim("c2", rows=9, size=2500)) == 2
    assert len(queue.claim("c3", rows=9, size=1)) == 1
    claims = {claim.id: claim for claim in queue.claims()}
    assert [len(claims[name].keys) for name in ("c1", "c2", "c3")] == [3, 2, 1]
    queue.release("c1")
    assert queue.counts()[RowState.QUEUED] == 7


def test_scopes_do_not_mix(cache: LlmCache) -> None:
    BatchQueue(cache, SCOPE).enqueue([HELLO])
    other = BatchQueue(cache, "anthropic@host/m")
    assert other.claim("c", rows=9, size=10**6) == []
    assert other.counts()[RowState.QUEUED] == 0


def test_answers_without_requests_are_adopted(cache: LlmCache) -> None:
    queue = BatchQueue(cache, SCOPE)
    queue.adopt({request_key(SCOPE, HELLO): ANSWER})
    queue.enqueue([HELLO])
    row = cache.get(SCOPE, HELLO)
    assert row is not None
    assert row.answer == ANSWER
    queue.enqueue([question("a")])
    queue.adopt({request_key(SCOPE, question("a")): ANSWER})
    known = cache.get(SCOPE, question("a"))
    assert known is not None
    assert (known.request, known.answer) == (question("a"), ANSWER)


# Several processes


def test_several_processes_never_claim_the_same_row(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(4, mp_context=context) as pool:
        claimed = [
            key for future in [pool.submit(claim_all, path, name) for name in range(4)] for key in future.result()
        ]
    assert len(claimed) == len(set(claimed)) == 40
    with LlmCache(path) as cache:
        assert BatchQueue(cache, SCOPE).counts()[RowState.DONE] == 44


# The client


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def client_of(server: ScriptedServer, cache: LlmCache) -> CachingClient:
    config = ServerConfig(name="Workshop", base_url=server.url, model="m")
    return CachingClient(OpenAIClient(config), cache, scope_of(config))


def test_a_question_is_paid_for_once(server: ScriptedServer, cache: LlmCache) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    server.reply(openai_text("Hel", "lo"), openai_end("length", usage=usage))
    first = ask(client_of(server, cache))
    second = ask(client_of(server, cache))
    assert text_of(first) == text_of(second) == "Hello"
    assert reason_of(second) is StopReason.LENGTH
    assert Usage(3, 2) in second
    assert len(server.requests) == 1


def test_a_question_asked_twice_at_once_is_sent_once(server: ScriptedServer, cache: LlmCache) -> None:
    server.reply(openai_answer("x"))
    client = client_of(server, cache)

    async def both() -> list[str]:
        async def one() -> str:
            return text_of([event async for event in client.stream(HELLO)])

        try:
            return list(await asyncio.gather(one(), one()))
        finally:
            await client.aclose()

    assert asyncio.run(both()) == ["x", "x"]
    assert len(server.requests) == 1


def test_a_cut_off_answer_is_not_kept(server: ScriptedServer, cache: LlmCache) -> None:
    server.reply(openai_text("half"), Drop())
    server.reply(openai_text("half"), openai_chunk(error={"message": "boom"}))
    server.reply(openai_answer("whole"))
    assert reason_of(ask(client_of(server, cache))) is StopReason.DISCONNECTED
    with pytest.raises(ServerError):
        ask(client_of(server, cache))
    assert text_of(ask(client_of(server, cache))) == "whole"


def test_an_empty_answer_is_kept_too(server: ScriptedServer, cache: LlmCache) -> None:
    server.reply(openai_answer())
    ask(client_of(server, cache))
    assert text_of(ask(client_of(server, cache))) == ""
    assert client_of(server, cache).info.model == "m"
    assert client_of(server, cache).capabilities.stop_sequences


def test_what_decides_an_answer() -> None:
    config = ServerConfig(name="A", base_url="https://api.test/v1", model="m")
    assert scope_of(config) == "openai@api.test/m"
    local = replace(config, base_url="http://127.0.0.1:1", location="embedded")
    assert scope_of(local) == scope_of(replace(local, base_url="http://127.0.0.1:2")) == "openai@embedded/m"
