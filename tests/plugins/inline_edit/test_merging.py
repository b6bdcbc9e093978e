from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fakes import FixedModels, OpenPrivacy, ScriptedClient, answer
from inline_edit_window import wrapped
from redraft.core.answer.pipeline import NoteKind
from redraft.core.diff.hunks import apply_hunks
from redraft.core.errors import ModelUnavailable, ServerError
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo
from redraft.core.llm.messages import Role, Stop, StopReason, Usage
from redraft.core.prompts import PromptLibrary
from redraft.core.text import TextRange, split_lines
from redraft_inline_edit.applier import Applier, applier_named
from redraft_inline_edit.edit import run_edit
from redraft_inline_edit.events import (
    EditEvent,
    EditOutcome,
    EditState,
    Finished,
    MergeStarted,
    Progressed,
    RepairStarted,
)
from redraft_inline_edit.options import EditOptions
from redraft_inline_edit.request import EditRequest, FileFacts, Target

BODY = "".join(f"    step({number})\n" for number in range(40))
LARGE = f"def work():\n{BODY}    return 1\n"
FILE = f"import os\n\n\n{LARGE}\n\ndef rest():\n    return 2\n"
SKETCH = "def work():\n    start()\n    step(0)\n    # ... existing code ...\n    step(39)\n    return 2\n"
MERGED = LARGE.replace("def work():\n", "def work():\n    start()\n").replace("return 1", "return 2")
CHEAP = ModelInfo("fast", "test", "fast-1", input_price=1.0, output_price=2.0)
DEAR = ModelInfo("clever", "test", "clever-1", input_price=10.0, output_price=20.0)


def large_request(text: str = FILE, large: str = LARGE, command: str = "begin with start, give 2") -> EditRequest:
    start = text.index(large)
    line_end = "\r\n" if "\r\n" in text else "\n"
    return EditRequest(
        text, Target(TextRange(start, start + len(large))), FileFacts("a.py", "python", line_end), command
    )


def writer(*scripts: object) -> ScriptedClient:
    return ScriptedClient(*scripts, info=DEAR, capabilities=Capabilities(stop_sequences=False))  # type: ignore[arg-type]  # as it takes them


def merger(*scripts: object, info: ModelInfo = CHEAP) -> ScriptedClient:
    return ScriptedClient(*scripts, info=info)  # type: ignore[arg-type]  # as it takes them


def applying(client: ScriptedClient, *, lines: int = 40, repairs: int = 0) -> EditOptions:
    async def open_it() -> ChatClient:
        return client

    return EditOptions(repairs=repairs, applier=Applier(client.info, open_it), sketch_lines=lines)


def events_of(
    client: ScriptedClient, options: EditOptions, request: EditRequest | None = None, so_far: str = ""
) -> Sequence[EditEvent]:
    async def collect() -> list[EditEvent]:
        asked = request or large_request()
        return [event async for event in run_edit(asked, client, PromptLibrary(), options, so_far=so_far)]

    return asyncio.run(collect())


def outcome_of(
    client: ScriptedClient, options: EditOptions, request: EditRequest | None = None, so_far: str = ""
) -> EditOutcome:
    last = events_of(client, options, request, so_far)[-1]
    assert isinstance(last, Finished)
    return last.outcome


def test_a_sketch_is_merged_into_a_whole_proposal() -> None:
    clever, fast = writer(wrapped(SKETCH)), merger(MERGED)
    outcome = outcome_of(clever, applying(fast))
    assert outcome.state is EditState.COMPLETED
    assert outcome.proposed == MERGED
    assert outcome.faults == 0
    assert (outcome.model, outcome.merged_by) == (DEAR, CHEAP)
    assert "# ... existing code ..." in clever.requests[0].messages[0].content
    (message,) = fast.requests[0].messages
    assert message.role is Role.USER
    assert message.content == (
        f"<instruction>begin with start, give 2</instruction>\n<code>{LARGE}</code>\n<update>{SKETCH}</update>"
    )
    assert not fast.requests[0].prefill


@pytest.mark.parametrize(
    "form",
    ["{}", "```python\n{}```\n", "<updated-code>{}</updated-code>", "<think>hm, # ...</think>\n{}"],
    ids=["bare", "fence", "marks", "thoughts"],
)
def test_the_merged_text_is_understood_in_each_of_its_forms(form: str) -> None:
    assert outcome_of(writer(wrapped(SKETCH)), applying(merger(form.format(MERGED)))).proposed == MERGED


def test_fences_inside_the_merged_text_are_part_of_it() -> None:
    doc = LARGE.replace("    step(7)\n", '    """\n    ```\n    x\n    ```\n    """\n')
    request = large_request(FILE.replace(LARGE, doc), doc)
    merged = doc.replace("return 1", "return 2").replace("def work():\n", "def work():\n    start()\n")
    assert outcome_of(writer(wrapped(SKETCH)), applying(merger(merged)), request).proposed == merged


def test_line_ends_of_the_file_stay() -> None:
    text, large = FILE.replace("\n", "\r\n"), LARGE.replace("\n", "\r\n")
    fast = merger(MERGED)
    outcome = outcome_of(writer(wrapped(SKETCH)), applying(fast), large_request(text, large))
    assert outcome.proposed == MERGED.replace("\n", "\r\n")
    assert "\r" not in fast.requests[0].messages[0].content


def test_the_merged_text_streams_and_nothing_behind_a_gap_is_shown_as_removed() -> None:
    events = events_of(writer(wrapped(SKETCH)), applying(merger(MERGED)))
    started = next(place for place, event in enumerate(events) if isinstance(event, MergeStarted))
    before, after = (
        [e.progress for e in part if isinstance(e, Progressed)] for part in (events[:started], events[started:])
    )
    assert before
    assert all(progress.counts[1] == 0 and progress.frontier <= 2 for progress in before)
    assert len(after) > 20
    assert after[-1].frontier > 30
    lines = split_lines(LARGE)
    for progress in (*before, *after):
        kept = set(apply_hunks(lines, progress.hunks))
        assert set(lines) - kept <= {"    return 1\n"}


def test_tokens_cost_and_time_of_both_are_counted() -> None:
    clever = writer([*answer(wrapped(SKETCH))[:-1], Usage(1000, 100), Stop(StopReason.END)])
    fast = merger([*answer(MERGED)[:-1], Usage(2000, 500), Stop(StopReason.END)])
    numbers = outcome_of(clever, applying(fast)).numbers
    assert (numbers.sent_tokens, numbers.received_tokens) == (3000, 600)
    assert numbers.cost == pytest.approx((1000 * 10 + 100 * 20 + 2000 + 500 * 2) / 1e6)


def test_an_answer_in_full_is_not_merged() -> None:
    fast = merger()
    outcome = outcome_of(writer(wrapped(MERGED)), applying(fast))
    assert outcome.proposed == MERGED
    assert not fast.requests
    assert outcome.merged_by is None


def test_a_small_selection_is_asked_for_in_full_and_a_gap_is_merged_all_the_same() -> None:
    clever, fast = writer(wrapped(SKETCH.replace("existing code", "rest of the code"))), merger(MERGED)
    outcome = outcome_of(clever, applying(fast, lines=100, repairs=1))
    assert "existing code" not in clever.requests[0].messages[0].content
    assert outcome.proposed == MERGED
    assert len(clever.requests) == 1


def test_without_a_model_for_it_nothing_is_left_out() -> None:
    clever = writer(wrapped(MERGED))
    outcome_of(clever, EditOptions(sketch_lines=10))
    assert "existing code" not in clever.requests[0].messages[0].content


def test_a_merge_that_loses_lines_is_told_blocks_and_goes_back_to_the_writer() -> None:
    lossy = MERGED.replace("    step(20)\n    step(21)\n", "")
    outcome = outcome_of(writer(wrapped(SKETCH)), applying(merger(lossy)))
    lost = next(note for note in outcome.notes if note.kind is NoteKind.LOST)
    assert lost.blocks_accept
    assert lost.details == ("step(20)", "step(21)")
    assert outcome.faults == 1

    clever = writer(wrapped(SKETCH), wrapped(MERGED))
    outcome = outcome_of(clever, applying(merger(lossy), repairs=1))
    assert outcome.proposed == MERGED
    assert outcome.repaired
    again = clever.requests[1].messages
    assert "existing code" not in again[0].content
    assert "“step(20)”, “step(21)”" in again[-1].content


@pytest.mark.parametrize(
    "answered",
    [SKETCH, MERGED.replace("start()", "start("), ""],
    ids=["a gap is left", "it does not parse", "nothing came"],
)
def test_a_merge_with_another_fault_goes_back_to_the_writer_too(answered: str) -> None:
    clever = writer(wrapped(SKETCH), wrapped(MERGED))
    events = events_of(clever, applying(merger(answered), repairs=1))
    assert any(isinstance(event, RepairStarted) for event in events)
    assert isinstance(events[-1], Finished)
    assert events[-1].outcome.proposed == MERGED


@pytest.mark.parametrize("why", [ServerError("The server is busy.", status=500), ModelUnavailable("It is gone.")])
def test_where_the_model_cannot_be_reached_the_writer_is_asked_again_and_else_it_is_told(why: Exception) -> None:
    outcome = outcome_of(writer(wrapped(SKETCH), wrapped(MERGED)), applying(merger([why]), repairs=1))
    assert (outcome.proposed, outcome.merged_by) == (MERGED, None)

    outcome = outcome_of(writer(wrapped(SKETCH)), applying(merger([why])))
    note = next(note for note in outcome.notes if note.kind is NoteKind.NOT_MERGED)
    assert note.text == f"fast could not merge the answer: {why}"
    assert any(note.blocks_accept for note in outcome.notes)


def test_a_model_that_cannot_be_opened_is_told() -> None:
    async def fail() -> ChatClient:
        raise ModelUnavailable("AI is switched off.")

    options = EditOptions(repairs=0, applier=Applier(CHEAP, fail), sketch_lines=40)
    notes = outcome_of(writer(wrapped(SKETCH)), options).notes
    assert "fast could not merge the answer: AI is switched off." in [note.text for note in notes]


def test_a_merge_that_is_cut_off_keeps_the_lines_it_never_reached() -> None:
    half = MERGED[: MERGED.index("    step(10)")]
    outcome = outcome_of(writer(wrapped(SKETCH)), applying(merger(answer(half, StopReason.LENGTH)), repairs=1))
    assert outcome.state is EditState.INCOMPLETE
    assert outcome.proposed == MERGED.replace("return 2", "return 1")


def test_a_sketch_that_is_cut_off_behind_a_gap_ends_before_it() -> None:
    half = wrapped(SKETCH).partition("    return 2")[0]
    fast = merger()
    outcome = outcome_of(writer(answer(half, StopReason.LENGTH)), applying(fast))
    assert outcome.state is EditState.INCOMPLETE
    assert not fast.requests
    assert outcome.proposed == LARGE.replace("def work():\n", "def work():\n    start()\n")
    assert "existing code" in outcome.code


def test_a_sketch_that_goes_on_is_merged_in_the_end() -> None:
    head, _, tail = SKETCH.partition("    step(39)\n")
    clever, fast = writer(f"<GENERATEDCODE>\n    step(39)\n{tail}</GENERATEDCODE>"), merger(MERGED)
    outcome = outcome_of(clever, applying(fast), so_far=head)
    assert outcome.proposed == MERGED
    assert f"<update>{SKETCH}</update>" in fast.requests[0].messages[0].content


def test_a_text_with_the_forms_own_marks_is_not_put_into_it() -> None:
    large = LARGE.replace("step(7)", "step('</code>')")
    fast = merger()
    request = large_request(FILE.replace(LARGE, large), large)
    outcome = outcome_of(writer(wrapped(SKETCH)), applying(fast), request)
    assert not fast.requests
    assert any(note.kind is NoteKind.PLACEHOLDER for note in outcome.notes)


@pytest.mark.parametrize("limit", [{"context_tokens": 400}, {"max_output_tokens": 100}])
def test_what_does_not_fit_into_the_model_is_not_sent_to_it(limit: dict[str, int]) -> None:
    fast = merger(info=replace(CHEAP, **limit))  # type: ignore[arg-type]  # numbers, all of them
    outcome = outcome_of(writer(wrapped(SKETCH), wrapped(MERGED)), applying(fast, repairs=1))
    assert not fast.requests
    assert outcome.proposed == MERGED


def test_closing_the_edit_closes_the_merge() -> None:
    fast = merger(MERGED)

    async def stop_early() -> int:
        events = run_edit(large_request(), writer(wrapped(SKETCH)), PromptLibrary(), applying(fast))
        async for event in events:
            if isinstance(event, MergeStarted):
                break
        await events.aclose()
        return len(fast.requests)

    assert asyncio.run(stop_early()) == 0


def test_the_model_is_found_by_its_name_and_only_for_edits() -> None:
    models = FixedModels(merger())
    request = large_request()
    assert applier_named("", request, models, OpenPrivacy()) is None
    assert applier_named("fast", replace(request, is_question=True), models, OpenPrivacy()) is None
    found = applier_named("fast", request, models, OpenPrivacy())
    assert found is not None
    assert found.info == CHEAP
    with pytest.raises(ModelUnavailable, match="gone"):
        applier_named("gone", request, models, OpenPrivacy())


def test_a_file_that_must_not_leave_goes_to_no_second_model() -> None:
    request = large_request()
    secret = replace(request, file=replace(request.file, path=Path("/project/.env")))
    privacy = OpenPrivacy(secret={Path("/project/.env")})
    assert applier_named("fast", request, FixedModels(merger()), privacy) is not None
    assert applier_named("fast", secret, FixedModels(merger()), privacy) is None
