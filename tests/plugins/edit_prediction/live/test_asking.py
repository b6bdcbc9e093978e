from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes import FixedModels
from redraft.core.diff.lines import diff_lines
from redraft.core.errors import AuthenticationError
from redraft.core.llm.registry import make_client
from redraft.core.llm.server import Prefill, ServerConfig
from redraft.core.prompts import PromptLibrary
from redraft.core.review.example import BufferChange
from redraft.core.review.teacher import REGION_END, REGION_START
from redraft.core.text import TextIndex, apply_edits, without_end
from redraft_edit_prediction.live.asking import Asker, edits_of
from redraft_edit_prediction.live.history import event_diff
from redraft_edit_prediction.live.moment import Moment, Offer, OpenText
from redraft_edit_prediction.live.region import Budget, region_at
from servers import ScriptedServer, error_reply, openai_answer, openai_text

BEFORE = "def total(items):\n    n = 0\n    for item in items:\n        n += 1\n    return n\n"
NOW = BEFORE.replace("n = 0", "count = 0")
RENAMED = "    count = 0\n    for item in items:\n        count += 1\n    return count\n"
EVENT = BufferChange(path="sums.py", diff=event_diff(BEFORE, NOW))
MOMENT = Moment(OpenText(1, "sums.py", NOW), NOW.index("count") + 5, (EVENT,), BEFORE)


def asker_for(server: ScriptedServer, *, prefill: Prefill = Prefill.NONE) -> Asker:
    config = ServerConfig(name="test", base_url=f"{server.url}/v1", model="m", prefill=prefill, location="embedded")
    return Asker(FixedModels(make_client(config)), PromptLibrary(), clock=lambda: 0.0)


async def offers(asker: Asker, moment: Moment = MOMENT) -> list[Offer]:
    model = asker.models.default("edit_prediction")
    assert model is not None
    return [offer async for offer in asker.predict(moment, model)]


def applied(offer: Offer) -> str:
    return apply_edits(NOW, [edit.edit for edit in offer.edits])


@pytest.mark.parametrize("prefill", [Prefill.NONE, Prefill.MESSAGE])
def test_a_servers_answer_becomes_edits(prefill: Prefill) -> None:
    with ScriptedServer() as server:
        whole = f"{REGION_START}\ndef total(items):\n{RENAMED}{REGION_END}"
        server.reply(*openai_answer(*(whole if prefill is Prefill.NONE else RENAMED).partition("items")))
        last = asyncio.run(offers(asker_for(server, prefill=prefill)))[-1]
        assert last.is_last
        assert applied(last) == NOW.replace("n += 1", "count += 1").replace("return n", "return count")
        sent = server.requests[0].json()
        assert sent["temperature"] == 0.0
        assert REGION_END in sent["stop"]
        said = sent["messages"][0]["content"]
        assert "`n` became `count`, and `n` still stands in these lines." in said
        assert (len(sent["messages"]) == 2) is (prefill is Prefill.MESSAGE)


def test_giving_up_closes_the_connection() -> None:
    async def ask(asker: Asker) -> None:
        model = asker.models.default("edit_prediction")
        assert model is not None
        task = asyncio.ensure_future(_first(asker.predict(MOMENT, model)))
        while not server.requests:  # noqa: ASYNC110 - a thread fills it
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with ScriptedServer() as server:
        live = server.live()
        asyncio.run(ask(asker_for(server)))
        assert server.client_gone.wait(30)
        live.end()


async def _first(events: object) -> object:
    async with aclosing(events) as stream:  # type: ignore[type-var]  # an async generator
        async for event in stream:  # type: ignore[attr-defined]
            return event
    return None


def test_the_first_changed_place_is_offered_before_the_answer_ends() -> None:
    async def ask(asker: Asker) -> Offer:
        model = asker.models.default("edit_prediction")
        assert model is not None
        async with aclosing(asker.predict(MOMENT, model)) as stream:  # type: ignore[type-var]
            async for offer in stream:
                return offer
        raise AssertionError

    begun = "    count = 1\n    for item in items:\n"
    with ScriptedServer() as server:
        live = server.live(*openai_text(begun))
        offer = asyncio.run(ask(asker_for(server, prefill=Prefill.MESSAGE)))
        live.end()
    assert not offer.is_last
    assert applied(offer) == NOW.replace("count = 0", "count = 1")


def test_a_servers_failure_is_raised_by_name() -> None:
    with ScriptedServer() as server:
        server.route("POST", "/v1/chat/completions", *error_reply(401))
        with pytest.raises(AuthenticationError):
            asyncio.run(offers(asker_for(server)))


LINES = st.lists(st.sampled_from(["a", "b", "", "    c", "é"]), max_size=8)


@given(LINES, LINES, st.sampled_from(["\n", "\r\n"]), st.data())
def test_edits_of_a_region_lead_to_its_new_rows_and_leave_the_rest(
    lines: list[str], new: list[str], end: str, data: st.DataObject
) -> None:
    text = end.join(lines)
    index = TextIndex(text)
    region = region_at(index, data.draw(st.integers(0, len(text))), Budget(2, 3, 1, 1))
    hunks = diff_lines(region.lines, [f"{line}\n" for line in new])
    after = apply_edits(text, [edit.edit for edit in edits_of(region, hunks)])
    rows = [without_end(index.line_range(row).of(text)) for row in range(index.line_count)]
    wanted = [*rows[: region.start], *new, *rows[region.end :]]
    assert [row for row in wanted if row] == [row for row in after.split(region.end_of_line) if row]


@pytest.mark.parametrize(
    ("new", "after"),
    [
        (["a\n", "B\n", "c\n"], "a\r\nB\nc\r\n"),
        (["a\n", "b\n", "x\n", "c\n"], "a\r\nb\nx\nc\r\n"),
        (["x\n", "a\n", "b\n", "c\n"], "x\r\na\r\nb\nc\r\n"),
        (["A\n", "B\n", "C\n", "D\n"], "A\r\nB\nC\r\nD\r\n"),
    ],
)
def test_in_a_file_of_mixed_line_ends_each_row_ends_as_the_one_in_its_place(new: list[str], after: str) -> None:
    text = "a\r\nb\nc\r\n"
    region = region_at(TextIndex(text), 0, Budget(9, 9, 9, 9))
    edits = edits_of(region, diff_lines(region.lines, new))
    assert apply_edits(text, [edit.edit for edit in edits]) == after
