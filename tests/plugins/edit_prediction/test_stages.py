"""Stages that ask models, through the command line, against a scripted server."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pipelines import (
    FENCE,
    GOOD,
    JUDGED_BAD,
    JUDGED_GOOD,
    PATCH,
    EpRunner,
    example,
    inputs,
    predicted,
    prompt,
    read_lines,
    sample,
    write_lines,
)
from redraft.core.llm.cache_format import request_key
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role
from redraft.core.llm.registry import PROVIDER_PRESETS
from redraft.core.review.example import Example, Prediction, QaResult, Score
from redraft_edit_prediction.pipeline.charts import histogram
from redraft_edit_prediction.pipeline.summary import Summary
from servers import Head, ScriptedServer, Send, error_reply, openai_answer

KEEP = f"It was right.\n{FENCE}\nKEEP_PREVIOUS\n{FENCE}"
BAD = GOOD.replace("w * h", "w - h")


def data(tmp_path: Path, *examples: Example) -> Path:
    return write_lines(tmp_path / "data.jsonl", examples)


def test_a_prediction_is_asked_for_with_all_that_was_found(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer
) -> None:
    server.reply(*openai_answer("They finish the command.\n", GOOD))
    [done] = ep("predict", "-p", "model:scripted", data(tmp_path, sample("a-command-for-removing"))).examples
    [asked] = server.requests[0].json()["messages"]
    assert asked["role"] == "user"
    assert 'elif options.command == "remove":\n        <|user_cursor|>' in asked["content"]
    assert "def remove(self, name: str) -> None:" in asked["content"].split("# 2. Related excerpts")[1]
    assert "+    remove.add_argument" in asked["content"]
    assert done.prompt is not None
    assert done.prompt.provider == "model:scripted"
    assert done.predictions[0].provider == "model:scripted"


def test_an_answer_becomes_a_patch(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer(GOOD))
    [done] = ep("predict", "-p", "model:scripted", data(tmp_path, example())).examples
    assert done.predictions[0].actual_patch == PATCH
    assert done.predictions[0].actual_output == GOOD


def test_an_unreadable_answer_is_kept_with_the_reason(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer("I do not know."))
    outcome = ep("predict", "-p", "model:scripted", data(tmp_path, example()))
    [prediction] = outcome.examples[0].predictions
    assert outcome.status == 0
    assert (prediction.actual_patch, prediction.actual_output) == (None, "I do not know.")
    assert "neither region tags nor a code block" in (prediction.error or "")


def test_an_answer_at_the_limit_is_not_read(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer(GOOD, finish="length"))
    [done] = ep("predict", "-p", "model:scripted", data(tmp_path, example())).examples
    assert done.predictions[0].actual_patch is None
    assert "cut off" in (done.predictions[0].error or "")


def test_predictions_of_another_provider_give_way(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    one = example(predictions=[predicted(output="x")], qa=[QaResult(confidence=5)], score=[Score()])
    path = data(tmp_path, one)
    assert ep("predict", path).examples == [one]
    assert ep("predict", "-p", "teacher:sonnet45", path).examples == [one]
    server.reply(*openai_answer(GOOD))
    [done] = ep("predict", "-p", "model:scripted", path).examples
    assert [prediction.provider for prediction in done.predictions] == ["model:scripted"]
    assert (done.qa, done.score) == ([], [])


def test_repetitions_are_questions_of_their_own(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer(GOOD))
    server.reply(*openai_answer(BAD))
    [done] = ep("predict", "-p", "model:scripted", "--repetitions", 2, data(tmp_path, example())).examples
    assert [seen.json().get("seed") for seen in server.requests] == [0, 1]
    assert [one.actual_output for one in done.predictions] == [GOOD, BAD]


def test_only_the_cache_is_asked_on_wish(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    path = data(tmp_path, example())
    assert ep("predict", "-p", "model:scripted", "--cache-only", path).examples[0].predictions == []
    server.reply(*openai_answer(GOOD))
    ep("predict", "-p", "model:scripted", path)
    assert ep("predict", "-p", "model:scripted", "--cache-only", path).examples[0].predictions[0].actual_patch == PATCH
    assert len(server.requests) == 1


def test_errors_are_shown_and_tried_again(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    path = data(tmp_path, example())
    server.reply(*error_reply(400, "the model is on holiday"))
    outcome = ep("predict", "-p", "model:scripted", path)
    assert outcome.status == 1
    assert "on holiday" in outcome.err
    server.reply(*openai_answer(GOOD))
    assert ep("predict", "-p", "model:scripted", path).examples[0].predictions[0].actual_patch == PATCH


@pytest.mark.parametrize("provider", ["nobody", "teacher:gpt99!", "model:", "zeta2:V0", "repair"])
def test_providers_that_cannot_be_asked_are_named(ep: EpRunner, tmp_path: Path, provider: str) -> None:
    outcome = ep("predict", "-p", provider, data(tmp_path, example()))
    assert outcome.status in {1, 2}
    assert len(outcome.err.splitlines()) <= 5


@pytest.mark.parametrize(
    ("command", "one", "words"),
    [
        ("score", example(), "--provider"),
        ("predict", example(), "--provider"),
        ("score", example(predictions=[predicted()], prompt_inputs=None), "prompt_inputs missing"),
        ("parse-output", example(predictions=[predicted()], prompt_inputs=None), "run context retrieval first"),
        ("qa", example(), "no predictions available (run predict first)"),
        ("qa", example(prompt_inputs=None), "prompt_inputs missing (run context retrieval first)"),
        ("qa", example(predictions=[predicted(None, "")]), "no actual_patch available (run predict first)"),
        ("repair", example(qa=[QaResult(confidence=1)]), "no predictions available (run predict first)"),
        (
            "repair",
            example(qa=[QaResult(confidence=1)], predictions=[predicted("", "")]),
            "prompt missing (run format_prompt first)",
        ),
        (
            "repair",
            example(qa=[QaResult(confidence=1)], predictions=[predicted("", "")], prompt=prompt()),
            "teacher response is empty (run predict first)",
        ),
        (
            "repair",
            example(qa=[QaResult(confidence=1)], predictions=[predicted()], prompt_inputs=None),
            "prompt_inputs missing (run context retrieval first)",
        ),
    ],
)
def test_a_missing_stage_is_named(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer, command: str, one: Example, words: str
) -> None:
    backend = ["--backend", "model:scripted"] if command in {"qa", "repair"} else []
    outcome = ep(command, *backend, data(tmp_path, one))
    assert words in outcome.err
    assert outcome.status == 1
    assert not server.requests


def test_outputs_are_read_again(ep: EpRunner, tmp_path: Path) -> None:
    one = example(
        prompt=prompt(), predictions=[predicted(None, GOOD, error="old"), predicted(None, "words", provider="repair")]
    )
    [done] = ep("parse-output", data(tmp_path, one)).examples
    assert (done.predictions[0].actual_patch, done.predictions[0].error) == (PATCH, None)
    assert "Failed to parse repair response" in (done.predictions[1].error or "")


def test_the_judge_sees_words_and_answers_with_a_number(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer(JUDGED_GOOD))
    event = {"path": "shape.py", "diff": "@@ -1,1 +1,1 @@\n-old = 1\n+new = 1\n"}
    one = example(prompt=prompt(), predictions=[predicted(), predicted()], prompt_inputs=inputs(events=[event]))
    path = data(tmp_path, one)
    [done] = ep("qa", "--backend", "model:scripted", path).examples
    asked = server.requests[0].json()["messages"][0]["content"]
    assert "    return w [-+-]{+*+} h" in asked
    assert "--- a/shape.py\n+++ b/shape.py\n@@ -1,1 +1,1 @@\n[-old-]{+new+} = 1" in asked
    assert f"{FENCE}shape.py\n<|editable_region_start|>\ndef area" in asked
    assert done.qa[0] is not None
    assert (done.qa[0].confidence, done.qa[0].reverts_edits, done.qa[0].reasoning) == (5, False, "right")
    assert done.qa[1] is None
    assert ep("qa", "--backend", "model:scripted", write_lines(tmp_path / "b.jsonl", [done])).examples == [done]
    assert len(server.requests) == 1


def test_an_unreadable_judgement_is_asked_for_anew_on_wish(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer
) -> None:
    path = data(tmp_path, example(prompt=prompt(), predictions=[predicted()]))
    server.reply(*openai_answer("Hm."))
    ep("qa", "--backend", "model:scripted", "-i", path)
    assert read_lines(path)[0].qa[0] == QaResult(
        reasoning="Hm.", response="Hm.", error="Could not parse JSON from response"
    )
    ep("qa", "--backend", "model:scripted", "-i", path)
    assert len(server.requests) == 1  # the same question has the same answer
    server.reply(*openai_answer(JUDGED_GOOD))
    ep("qa", "--backend", "model:scripted", "--attempt", 2, "-i", path)
    assert read_lines(path)[0].judgement is not None


def test_a_second_try_goes_on_with_the_conversation(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer(GOOD))
    one = example(
        prompt=prompt(), predictions=[predicted("", BAD)], qa=[QaResult(confidence=1, reasoning="minus is wrong")]
    )
    outcome = ep("repair", "--backend", "model:scripted", data(tmp_path, one))
    [done] = outcome.examples
    turns = server.requests[0].json()["messages"]
    assert [turn["role"] for turn in turns[:3]] == ["user", "assistant", "user"]
    assert (turns[0]["content"], turns[1]["content"]) == (prompt().input, BAD)
    assert "- **Reasoning**: minus is wrong" in turns[2]["content"]
    assert "{+-+}" in turns[2]["content"]
    assert [prediction.provider for prediction in done.predictions] == ["teacher:sonnet45", "repair"]
    assert done.predictions[1].actual_patch == PATCH
    assert "Repair summary (1 examples):" in outcome.err
    assert "0/1 didn't need repair (confidence > 2)" in outcome.err
    assert "    1 repaired successfully" in outcome.err
    again = ep("repair", "--backend", "model:scripted", write_lines(tmp_path / "again.jsonl", [done]))
    assert again.examples == [done]
    assert len(server.requests) == 1


def test_what_is_good_is_not_repaired(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    one = example(prompt=prompt(), predictions=[predicted()], qa=[QaResult(confidence=3)])
    outcome = ep("repair", "--backend", "model:scripted", data(tmp_path, one))
    assert outcome.examples == [one]
    assert not server.requests
    assert "1/1 didn't need repair" in outcome.err
    assert "needed repair:" not in outcome.err


def test_keeping_the_first_prediction_copies_it(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer(KEEP))
    one = example(prompt=prompt(), predictions=[predicted()], qa=[QaResult(confidence=2)])
    [done] = ep("repair", "--backend", "model:scripted", data(tmp_path, one)).examples
    assert done.predictions[1].actual_patch == done.predictions[0].actual_patch


def test_a_failed_second_try_blocks_nothing(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    failed = predicted(None, "words", provider="repair", error="Failed to parse repair response: x")
    one = example(prompt=prompt(), predictions=[predicted(), failed], qa=[QaResult(confidence=1), None])
    path = data(tmp_path, one)
    server.reply(*openai_answer(JUDGED_BAD))
    assert ep("qa", "--backend", "model:scripted", data(tmp_path, one.changed(qa=[]))).status == 0
    server.reply(*openai_answer(GOOD))
    [done] = ep("repair", "--backend", "model:scripted", write_lines(path, [one])).examples
    assert [prediction.actual_patch for prediction in done.predictions] == [PATCH, PATCH]


def test_a_second_try_that_cannot_be_read_is_noted(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer("I would rather not."))
    one = example(prompt=prompt(), predictions=[predicted()], qa=[QaResult(reverts_edits=True, confidence=5)])
    outcome = ep("repair", "--backend", "model:scripted", data(tmp_path, one))
    assert outcome.status == 0
    assert "1 failed to repair" in outcome.err
    assert "Failed to parse repair response" in (outcome.examples[0].predictions[1].error or "")


def test_control_words_never_enter_a_patch(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    leaking = GOOD.replace("return w * h", "return w * h  # NO_EDITS")
    server.reply(*openai_answer(leaking))
    [done] = ep("predict", "-p", "model:scripted", data(tmp_path, example())).examples
    assert done.predictions[0].actual_patch is None
    assert "control words" in (done.predictions[0].error or "")


def test_distilling_takes_the_first_good_second_try(ep: EpRunner, tmp_path: Path) -> None:
    failed = predicted(None, "x", provider="repair")
    good = predicted("second", "x", provider="repair")
    one = example(prompt=prompt(), predictions=[predicted("first"), failed, good], score=[Score()])
    [done] = ep("distill", data(tmp_path, one)).examples
    assert done.expected_patches == ["second"]
    assert (done.predictions, done.prompt, done.score, done.qa) == ([], None, [], [])


@pytest.mark.parametrize(
    ("predictions", "words"),
    [([], "no predictions available (run predict first)"), ([predicted(None, "prose")], "no prediction could be read")],
)
def test_distilling_nothing_loses_no_expected_patch(
    ep: EpRunner, tmp_path: Path, predictions: list[Prediction], words: str
) -> None:
    outcome = ep("distill", data(tmp_path, example(prompt=prompt(), predictions=predictions)))
    assert words in outcome.err
    assert outcome.examples[0].expected_patches == example().expected_patches


def test_what_was_distilled_stays(ep: EpRunner, tmp_path: Path) -> None:
    [done] = ep("distill", data(tmp_path, example(expected_patches=["distilled"]))).examples
    assert done.expected_patches == ["distilled"]


def test_examples_that_nobody_judged_are_counted_apart(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    one = example(predictions=[predicted()])
    outcome = ep("repair", "--backend", "model:scripted", data(tmp_path, one, one.changed(score=[Score()], name="b")))
    assert "2/2 didn't need repair (confidence > 2)" in outcome.err
    assert "1 of these have neither a judgement nor scores (run qa or score first)" in outcome.err
    assert not server.requests


def test_distilling_writes_the_cursor_into_the_patch(ep: EpRunner, tmp_path: Path) -> None:
    cursor = {"path": "shape.py", "row": 1, "column": 12, "offset": 28, "editable_region_offset": 28}
    [done] = ep("distill", data(tmp_path, example(predictions=[predicted(actual_cursor=cursor)]))).examples
    assert "+    return w <|user_cursor|>* h" not in done.expected_patches[0]
    assert done.expected_patches[0].count("<|user_cursor|>") == 1


def test_all_steps_run_in_one_go_and_a_second_run_asks_nobody(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer
) -> None:
    for answer in (BAD, JUDGED_BAD, GOOD):
        server.reply(*openai_answer(answer))
    page = tmp_path / "report.html"
    command = ["run", "-p", "model:scripted", data(tmp_path, example()), "-o", tmp_path / "out.jsonl", "--html", page]
    outcome = ep(*command)
    assert outcome.status == 0, outcome.err
    [done] = read_lines(tmp_path / "out.jsonl")
    assert [score.delta_chr_f == pytest.approx(100) for score in done.score] == [False, True]
    assert "after repair" in outcome.out
    assert "<h1>" in page.read_text()
    before = page.read_text()
    (tmp_path / "out.jsonl").unlink()
    again = ep(*command)
    assert "100.0%" in again.out
    assert "Requests: 0 went to models, 3 were answered from the cache." in again.err
    assert page.read_text() == before
    assert "Resuming: 1/1" in ep(*command).err
    assert len(server.requests) == 3


def test_a_failure_in_the_chain_keeps_what_was_paid_for(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    server.reply(*openai_answer(GOOD))
    server.reply(*error_reply(400, "no judge today"))
    out = tmp_path / "out.jsonl"
    outcome = ep("run", "-p", "model:scripted", data(tmp_path, example()), "-o", out)
    assert "no judge today" in outcome.err
    assert read_lines(out)[0].predictions[0].actual_patch == PATCH


def test_roles_are_part_of_what_the_cache_knows() -> None:
    one, other = (
        ChatRequest((ChatMessage(role, "a"), ChatMessage(Role.USER, "b"))) for role in (Role.SYSTEM, Role.ASSISTANT)
    )
    assert request_key("x", one) != request_key("x", other)


def test_teachers_can_be_asked_one_by_one(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, own_home: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    settings = own_home / "config" / "redraft" / "settings.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(f'[edit_prediction]\nopenai_url = "{server.url}/v1"\n')
    server.reply(*openai_answer(GOOD))
    [done] = ep("predict", "-p", "Teacher_non_batching:gpt54", data(tmp_path, example())).examples
    body = server.requests[0].json()
    assert (body["model"], body["max_completion_tokens"], "temperature" in body) == ("gpt-5.4", 16384, False)
    assert done.predictions[0].provider == "teacher-non-batching:gpt54"


def test_a_summary_for_machines(ep: EpRunner, tmp_path: Path) -> None:
    excerpt = {"row_range": {"start": 0, "end": 1}, "text": "0123456789abcdef\n", "context_source": "bm25"}
    other = excerpt | {"context_source": "git_log"}
    related = [{"path": "p/x.py", "max_row": 9, "excerpts": [excerpt, other]}]
    first = example("a", predictions=[predicted(), predicted("")], prompt_inputs=inputs(related_files=related))
    second = example("b", predictions=[predicted(None, "")], prompt_inputs=inputs(related_files=None))
    summary = tmp_path / "summary.json"
    outcome = ep("eval", data(tmp_path, first, second), "--type", "bm25", "--summary-json", summary)
    found = json.loads(summary.read_text())
    assert found["total_examples"] == 3
    assert found["total_retrieved_context_bytes"] == 17
    assert found["retrieved_context_examples"] == 1
    assert found["delta_chr_f_beta"] == 0.5
    assert "qa_avg_confidence" not in found
    assert found["exact_lines_true_positives"] == 2
    assert "TOTAL / AVERAGE" in outcome.out
    assert outcome.out.splitlines()[1] == "─" * 101


def test_an_evaluation_without_predictions_scores_their_absence(ep: EpRunner, tmp_path: Path) -> None:
    outcome = ep("eval", data(tmp_path, example()))
    assert outcome.status == 0
    assert "area " in outcome.out


def test_long_tables_are_cut_unless_everything_is_wanted(ep: EpRunner, tmp_path: Path) -> None:
    path = data(tmp_path, *(example(f"e{number:02}", predictions=[predicted()]) for number in range(23)))
    assert "... and 3 more" in ep("eval", path).out
    assert "e22" in ep("eval", "--verbose", path).out


def test_the_report_compares_runs_and_escapes_what_models_say(ep: EpRunner, tmp_path: Path) -> None:
    evil = PATCH.replace("w * h", "w</pre><script>alert(1)</script>")
    one = example(
        predictions=[predicted(evil)], score=[Score(delta_chr_f=10)], qa=[QaResult(confidence=2, reasoning="<b>")]
    )
    first = write_lines(tmp_path / "first.jsonl", [one])
    second = write_lines(
        tmp_path / "second.jsonl", [example(predictions=[predicted()], score=[Score(delta_chr_f=100)])]
    )
    outcome = ep("report", first, second, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "10.0%" in outcome.out
    assert "second" in outcome.out
    assert "<script" not in page
    assert "&lt;script" in page or "script" in page
    assert "<b></span>" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_page_shows_what_a_second_try_brought(ep: EpRunner, tmp_path: Path) -> None:
    bad = PATCH.replace("w * h", "w - h")
    repaired = example(
        "mended",
        predictions=[predicted(bad), predicted(provider="repair")],
        score=[Score(delta_chr_f=20), Score(delta_chr_f=60)],
    )
    unread = example("unread", predictions=[predicted(None, "just <prose>", error="no block")], score=[Score()])
    right = example("right", predictions=[predicted()], score=[Score(delta_chr_f=100)])
    runs = write_lines(tmp_path / "run.jsonl", [repaired, unread, right])
    ep("report", runs, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "run: 3 examples, 1 repaired: 1 better, 0 as good, 0 worse." in page
    assert '<small class="up">+13.3</small>' in page  # from 20 + 0 + 100 to 60 + 0 + 100, over three examples
    changed, worst = page.split("<h2>Worst examples</h2>")
    assert "What second tries changed most" in changed
    assert '<span class="up">+40.0</span><span>delta-chrF 60.0</span>' in changed
    assert worst.index("<b>unread</b>") < worst.index("<b>mended</b>")
    assert "<b>right</b>" not in page
    assert "just &lt;prose&gt;" in page
    assert "<i>@@ -1,2 +1,2 @@</i>\n def area(w, h):\n    return w <del>+</del><ins>-</ins> h\n" in page


def test_charts_count_values_between_edges() -> None:
    scores = histogram("scores", [("run", [0, 9.9, 10, 100])], edges=(0, 10, 100))
    assert [tick.label for tick in scores.groups] == ["0–10", "10–100"]
    assert [bar.words for bar in scores.bars] == ["run, 0–10: 2", "run, 10–100: 2"]
    sizes = histogram("sizes", [("run", [0, 1, 7, 1000])], edges=(0, 1, 5), is_open=True)
    assert [bar.words for bar in sizes.bars] == ["run, 0: 1", "run, 1–5: 1", "run, 5+: 2"]


def test_a_broken_stream_is_no_answer(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    for _ in range(8):
        server.reply(Head(chunked=False), Send('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n'))
    outcome = ep("predict", "-p", "model:scripted", data(tmp_path, example()))
    assert outcome.status == 1
    assert outcome.examples[0].predictions == []


def test_edits_in_several_places_all_the_way(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    path = data(tmp_path, sample("rename-a-method-at-its-call"))
    [shown] = ep("format-prompt", "-p", "jumps-model:scripted", path).examples
    assert shown.prompt is not None
    found = re.findall(r"(<\|marker_[\w-]{4}\|>)", shown.prompt.input.split("# 3. Current File")[1])
    new = (
        "    def stale(self, today: date) -> list[Item]:\n"
        '        """What should have been eaten."""\n'
        "        return [item for item in self.items if item.is_overdue(today)]\n"
    )
    answer = f"The call follows.\n{FENCE}\n{found[-2]}\n{new}{found[-1]}\n{FENCE}"
    server.reply(*openai_answer(answer))
    scored = ep("score", "-p", "jumps-model:scripted", path).examples
    assert scored[0].predictions[0].error is None
    assert scored[0].score[0].delta_chr_f == pytest.approx(100)
    assert scored[0].score[0].jump_location is not None
    assert scored[0].score[0].jump_location["line_f1"] == 1
    server.reply(*openai_answer(answer.replace("The call", "Again the call")))
    poor = scored[0].changed(qa=[QaResult(confidence=1)])
    [repaired] = ep("repair", "--backend", "model:scripted", write_lines(tmp_path / "poor.jsonl", [poor])).examples
    assert repaired.predictions[1].actual_patch == repaired.predictions[0].actual_patch


def test_small_models_are_led_where_their_server_allows_it(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    preset = PROVIDER_PRESETS["llama-server"]
    monkeypatch.setattr("redraft.host.server_models.usual_setup", lambda _: preset)
    server.reply(*openai_answer("    return w * h"))
    [done] = ep("predict", "-p", "model:scripted", data(tmp_path, example())).examples
    body = server.requests[0].json()
    opening = f"{FENCE}\n<|editable_region_start|>\ndef area(w, h):\n"
    assert body["messages"][-1] == {"role": "assistant", "content": opening}
    assert body["stop"] == ["\n<|editable_region_end|>"]
    assert done.predictions[0].actual_patch == PATCH
    assert done.predictions[0].actual_output.endswith("<|editable_region_end|>")


@pytest.mark.rows(243)
def test_three_scores_of_two_examples_in_a_summary_with_a_limit_of_ten_bytes() -> None:
    excerpt = {"row_range": {"start": 0, "end": 1}, "text": "0123456789abcdef\n", "context_source": "bm25"}
    related = [{"path": "p/x.py", "max_row": 9, "excerpts": [excerpt, excerpt | {"context_source": "lsp"}]}]
    summary = Summary(frozenset({"bm25"}), context_bytes=10)
    summary.add(example(prompt_inputs=inputs(related_files=related), score=[Score(), Score()]))
    summary.add(example(prompt_inputs=inputs(related_files=None), score=[Score()]))
    found = summary.as_fields()
    assert found["total_examples"] == 3
    assert (found["avg_retrieved_context_bytes"], found["total_retrieved_context_bytes"]) == (10, 10)
    assert found["retrieved_context_examples"] == 1


def test_an_empty_summary_is_all_zeros() -> None:
    found = json.loads(Summary().as_json())
    assert found["total_examples"] == found["avg_delta_chr_f"] == found["exact_lines_f1"] == 0
    assert found["isolated_whitespace_rate"] is None


def test_percentiles_round_to_the_nearest_place() -> None:
    summary = Summary(tokens={"total": [5, 1, 3, 2, 4]})
    assert summary.percentiles("total") == {"p25": 2, "p50": 3, "p75": 4, "p90": 5, "p99": 5}
    assert Summary(tokens={"total": [1, 2]}).percentiles("total") == {"p25": 1, "p50": 2, "p75": 2, "p90": 2, "p99": 2}
