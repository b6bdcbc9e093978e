from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from batch_servers import START, AnthropicProvider, OpenAIProvider, Provider
from redraft.core.errors import BadRequest, MalformedStream, ModelError, RateLimited
from redraft.core.llm import batch as batch_module
from redraft.core.llm.anthropic_batch import AnthropicBatches
from redraft.core.llm.batch import BatchProgress, BatchRunner
from redraft.core.llm.batch_queue import BatchQueue
from redraft.core.llm.batch_service import BatchService
from redraft.core.llm.cache import LlmCache
from redraft.core.llm.cache_format import RowState
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason, Usage
from redraft.core.llm.openai_batch import OpenAIBatches
from redraft.core.llm.retry import RetryPolicy
from redraft.core.llm.server import ServerConfig, ServerKind
from servers import Drop, Head, ScriptedServer, Send, error_reply


class Bench:
    """A provider, its server, a queue, and the means to run them."""

    def __init__(self, kind: str, server: ScriptedServer, provider: Provider, cache: LlmCache) -> None:
        self.kind, self.server, self.provider = kind, server, provider
        self.config = ServerConfig(
            name="Cloud", kind=ServerKind(kind), base_url=server.url, model="m", key=lambda: "secret-1"
        )
        self.queue = BatchQueue(cache, f"{kind}@cloud/m")
        self.slept: list[float] = []

    @property
    def service(self) -> BatchService:
        return AnthropicBatches(self.config) if self.kind == "anthropic" else OpenAIBatches(self.config)

    def runner(self) -> BatchRunner:
        policy = RetryPolicy(attempts=3, is_patient=True)
        return BatchRunner(self.queue, self.service, policy=policy, sleep=self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def enqueue(self, *texts: str) -> None:
        self.queue.enqueue(question(text) for text in texts)

    def run(self) -> list[BatchProgress]:
        async def gather() -> list[BatchProgress]:
            async with aclosing(self.runner().run(poll=30)) as reports:
                return [report async for report in reports]

        return asyncio.run(gather())

    def answer(self, text: str) -> str | None:
        row = self.queue.cache.get(self.queue.scope, question(text))
        return row.answer.text if row is not None and row.answer is not None else None

    def uploads(self) -> int:
        return len(self.provider.batches)


def question(text: str) -> ChatRequest:
    return ChatRequest((ChatMessage(Role.USER, text),), max_tokens=9, prefill="")


def question_key(bench: Bench) -> str:
    row = bench.queue.cache.get(bench.queue.scope, question("a"))
    assert row is not None
    return row.key


@pytest.fixture(params=["anthropic", "openai"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    provider = AnthropicProvider() if request.param == "anthropic" else OpenAIProvider()
    with (
        ScriptedServer(handler=provider) as server,
        LlmCache(tmp_path / "answers.sqlite", clock=START.timestamp) as cache,
    ):
        yield Bench(request.param, server, provider, cache)


def test_everything_is_uploaded_polled_and_collected(bench: Bench) -> None:
    bench.provider.looks = 3
    bench.enqueue("a", "b", "c")
    reports = bench.run()
    assert [bench.answer(text) for text in "abc"] == ["re: a", "re: b", "re: c"]
    assert [(report.in_flight, report.done) for report in reports] == [(3, 0), (3, 0), (0, 3)]
    assert bench.slept == [30, 30]
    row = bench.queue.cache.get(bench.queue.scope, question("a"))
    assert row is not None
    assert row.answer is not None
    assert (row.answer.reason, row.answer.usage) == (StopReason.END, Usage(3, 2))


def test_what_is_answered_is_not_asked_again(bench: Bench) -> None:
    bench.enqueue("a")
    bench.run()
    bench.enqueue("a")
    count = len(bench.server.requests)
    bench.run()
    assert len(bench.server.requests) == count


def test_rows_that_may_pass_are_tried_again(bench: Bench) -> None:
    bench.provider.outcomes = {"a": ["529"], "b": ["expired"], "c": ["missing", "expired"]}
    bench.enqueue("a", "b", "c", "d")
    bench.run()
    assert [bench.answer(text) for text in "abcd"] == ["re: a", "re: b", "re: c", "re: d"]
    assert bench.uploads() == 3


def test_rows_that_never_pass_are_given_up_and_shown(bench: Bench) -> None:
    bench.provider.outcomes = {"a": ["529"] * 9, "b": ["400"] * 9}
    bench.enqueue("a", "b", "c")
    last = bench.run()[-1]
    assert (last.done, last.failed) == (1, 2)
    shown = {row.request.messages[0].content: row for row in bench.queue.failures()}
    assert (shown["a"].attempts, shown["b"].attempts) == (3, 1)
    assert "overloaded" in shown["a"].error
    assert "refused the request" in shown["b"].error
    bench.provider.outcomes = {}
    bench.queue.retry_failed()
    bench.run()
    assert bench.answer("a") == "re: a"


def test_a_busy_server_is_waited_for(bench: Bench) -> None:
    slow = error_reply(429, "slow down", {"retry-after": "7"})
    bench.provider.faults = [("POST .*", slow), ("GET .*batch_1", error_reply(500))]
    bench.enqueue("a")
    reports = bench.run()
    assert bench.answer("a") == "re: a"
    assert bench.slept[0] == 7
    assert "try again in 7 s" in reports[0].trouble
    assert bench.uploads() == 1


def test_a_server_that_stays_busy_is_given_up_and_nothing_is_lost(bench: Bench) -> None:
    bench.provider.faults = [("POST .*", error_reply(429))] * 9
    bench.enqueue("a")
    with pytest.raises(RateLimited):
        bench.run()
    assert bench.queue.counts()[RowState.QUEUED] == 1


def test_an_upload_that_is_refused_frees_its_rows(bench: Bench) -> None:
    bench.provider.faults = [("POST .*", error_reply(400, "bad"))]
    bench.enqueue("a")
    with pytest.raises(BadRequest):
        bench.run()
    assert bench.queue.counts()[RowState.QUEUED] == 1


def test_an_upload_whose_reply_is_lost_is_found_and_not_paid_twice(bench: Bench) -> None:
    bench.provider.forgets_reply = True
    bench.provider.looks = 2
    bench.enqueue("a", "b")
    bench.run()
    assert [bench.answer(text) for text in "ab"] == ["re: a", "re: b"]
    assert bench.uploads() == 1


def test_an_upload_that_never_arrived_is_made_again(bench: Bench) -> None:
    bench.provider.faults = [("POST .*", (Drop(),))]
    bench.enqueue("a")
    bench.run()
    assert bench.answer("a") == "re: a"
    assert bench.uploads() == 1


def test_a_process_that_died_while_uploading_is_followed_up(bench: Bench) -> None:
    bench.enqueue("a", "b")
    rows = bench.queue.claim("redraft-dead", rows=9, size=10**6)
    asyncio.run(bench.service.submit(rows, "redraft-dead"))
    bench.run()
    assert [bench.answer(text) for text in "ab"] == ["re: a", "re: b"]
    assert bench.uploads() == 1


def test_the_claim_of_a_process_that_died_before_uploading_runs_out(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.enqueue("a")
    bench.queue.claim("redraft-dead", rows=9, size=10**6)
    asyncio.run(bench.runner().recover())
    assert bench.queue.counts()[RowState.CLAIMED] == 1
    monkeypatch.setattr(batch_module, "CLAIM_SECONDS", -1)
    bench.run()
    assert bench.answer("a") == "re: a"


def test_a_restart_in_the_middle_goes_on_where_it_was(bench: Bench) -> None:
    bench.provider.looks = 2
    bench.enqueue("a", "b")

    async def begin() -> None:
        async with aclosing(bench.runner().run()) as reports:
            async for report in reports:
                assert report.in_flight == 2
                return

    asyncio.run(begin())
    bench.run()
    assert [bench.answer(text) for text in "ab"] == ["re: a", "re: b"]
    assert bench.uploads() == 1


def test_results_that_break_off_are_kept_and_the_rest_taken_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_module, "_WRITE_ROWS", 1)
    bench.enqueue("a", "b")
    asyncio.run(bench.runner().upload())
    whole = bench.provider.results("batch_1")
    body = next(str(step.chunk) for step in whole if isinstance(step, Send))
    first = body.splitlines()[0]
    bench.provider.faults = [(r"GET .*(results|content)", (whole[0], Send(first + "\n" + '{"custom'), Drop()))]
    with pytest.raises(ModelError):
        asyncio.run(bench.runner().collect())
    counts = bench.queue.counts()
    assert (counts[RowState.DONE], counts[RowState.IN_FLIGHT]) == (1, 1)
    bench.run()
    assert [bench.answer(text) for text in "ab"] == ["re: a", "re: b"]
    assert bench.uploads() == 1


@pytest.mark.parametrize("line", ["nonsense", "[]"])
def test_results_that_are_none_are_an_error(bench: Bench, line: str) -> None:
    bench.enqueue("a")
    asyncio.run(bench.runner().upload())
    head = Head(200, {"content-type": "text/plain"})
    bench.provider.faults = [(r"GET .*(results|content)", (head, Send(line)))]
    with pytest.raises(MalformedStream):
        asyncio.run(bench.runner().collect())
    assert bench.queue.counts()[RowState.IN_FLIGHT] == 1


def test_a_batch_the_server_has_forgotten_is_uploaded_again(bench: Bench) -> None:
    bench.enqueue("a")
    asyncio.run(bench.runner().upload())
    bench.provider.faults = [("GET .*batch_1", error_reply(404))]
    bench.run()
    assert bench.answer("a") == "re: a"
    assert bench.uploads() == 2


def test_large_queues_go_up_in_pages(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_module, "PAGE_ROWS", 2)
    bench.enqueue(*"abcde")
    bench.run()
    assert [bench.answer(text) for text in "abcde"] == [f"re: {text}" for text in "abcde"]
    assert bench.uploads() == 3


def test_answers_are_adopted_by_the_id_of_their_batch(bench: Bench, tmp_path: Path) -> None:
    bench.provider.outcomes = {"b": ["expired"]}
    bench.enqueue("a", "b")
    asyncio.run(bench.runner().upload())
    with LlmCache(tmp_path / "new.sqlite") as cache:
        queue = BatchQueue(cache, bench.queue.scope)
        assert asyncio.run(BatchRunner(queue, bench.service).adopt(["batch_1"])) == 1
        row = cache.get(queue.scope, question("a"))
        assert row is not None
        assert row.answer is not None
        assert row.answer.text == "re: a"


def test_the_key_goes_to_the_server_alone(bench: Bench) -> None:
    bench.enqueue("a")
    bench.run()
    sent = {seen.headers.get("x-api-key") or seen.headers.get("authorization") for seen in bench.server.requests}
    assert sent <= {"secret-1", "Bearer secret-1"}
    assert all(seen.target.startswith("/") for seen in bench.server.requests)


def test_requests_go_up_as_the_vendor_wants_them(bench: Bench) -> None:
    bench.enqueue("a")
    bench.run()
    key = question_key(bench)
    posted = {seen.target: seen for seen in bench.server.requests if seen.method == "POST"}
    if bench.kind == "anthropic":
        [(target, seen)] = posted.items()
        assert target == "/v1/messages/batches"
        assert seen.headers["anthropic-version"] == "2023-06-01"
        asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "a"}]}
        assert seen.json() == {"requests": [{"custom_id": key, "params": asked}]}
        return
    line = json.loads(bench.provider.files["file_1"])
    body = line.pop("body")
    assert line == {"custom_id": key, "method": "POST", "url": "/v1/chat/completions"}
    assert body["messages"] == [{"role": "user", "content": "a"}]
    assert body["model"] == "m"
    assert not body.get("stream")
    order = posted["/v1/batches"].json()
    assert order.pop("metadata").keys() == {"claim"}
    assert order == {"input_file_id": "file_1", "endpoint": "/v1/chat/completions", "completion_window": "24h"}


def test_a_batch_that_was_cancelled_gives_what_it_has_and_the_rest_is_sent_again(bench: Bench) -> None:
    bench.provider.outcomes = {"b": ["canceled"], "c": ["missing"]}
    bench.enqueue("a", "b", "c")
    bench.run()
    assert [bench.answer(text) for text in "abc"] == ["re: a", "re: b", "re: c"]
    assert [len(batch["requests"]) for batch in bench.provider.batches.values()] == [3, 2]


@pytest.fixture
def openai(tmp_path: Path) -> Iterator[Bench]:
    provider = OpenAIProvider()
    with ScriptedServer(handler=provider) as server, LlmCache(tmp_path / "answers.sqlite") as cache:
        yield Bench("openai", server, provider, cache)


def test_a_line_that_spoils_its_batch_is_singled_out(openai: Bench) -> None:
    openai.provider.rejections = [[{"line": 2, "message": "This line is wrong", "code": "invalid"}]]
    openai.enqueue("a", "b", "c")
    openai.run()
    failed = openai.queue.failures()
    assert [row.error for row in failed] == ["This line is wrong"]
    assert sum(openai.answer(text) is not None for text in "abc") == 2
    assert openai.uploads() == 2


def test_a_batch_that_is_rejected_whole_is_tried_three_times(openai: Bench) -> None:
    openai.provider.rejections = [[{"line": None, "message": "Enqueued token limit reached"}]] * 3
    openai.enqueue("a")
    openai.run()
    assert [row.error for row in openai.queue.failures()] == ["Enqueued token limit reached"]
    assert openai.uploads() == 3


@pytest.mark.parametrize("ending", ["expired", "cancelled"])
def test_a_batch_that_ends_early_as_a_whole_gives_what_it_has(
    openai: Bench, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(OpenAIProvider, "ending", ending)
    openai.provider.outcomes = {"b": ["expired"]}
    openai.enqueue("a", "b")
    openai.run()
    assert [openai.answer(text) for text in "ab"] == ["re: a", "re: b"]
    assert [len(batch["requests"]) for batch in openai.provider.batches.values()] == [2, 1]
