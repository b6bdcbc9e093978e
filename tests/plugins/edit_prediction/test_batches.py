"""Both vendors' batches, through the command line, against a loopback server that keeps their contracts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from batch_servers import AnthropicProvider, OpenAIProvider, Provider
from pipelines import (
    FENCE,
    GOOD,
    JUDGED_BAD,
    JUDGED_GOOD,
    PATCH,
    EpRunner,
    Outcome,
    example,
    names,
    predicted,
    prompt,
    read_lines,
    write_lines,
)
from redraft.core.paths import cache_folder, config_folder
from redraft.core.review.example import QaResult
from servers import Head, ScriptedServer, Send, error_reply

MODELS = {"anthropic": "teacher:sonnet45", "openai": "teacher:gpt54"}


class Vendor:
    """One vendor's server and what it answers: a prediction, a judgement, or a second try."""

    def __init__(self, kind: str, provider: Provider, server: ScriptedServer) -> None:
        self.kind, self.provider, self.server = kind, provider, server
        self.judgement = JUDGED_GOOD

    @property
    def teacher(self) -> str:
        return MODELS[self.kind]

    def answer(self, text: str) -> str:
        if "# Judge a predicted edit" in text:
            return self.judgement
        return f"Kept.\n{FENCE}\nKEEP_PREVIOUS\n{FENCE}" if "# Repair request" in text else GOOD

    def plan(self, name: str, *outcomes: str) -> None:
        """What comes of the requests of an example, one after the other."""
        self.plans[name] = list(outcomes)

    plans: dict[str, list[str]]

    def outcome(self, text: str) -> str:
        found = re.search(r"the history of (\w+)", text)
        planned = self.plans.get(found[1] if found else "", [])
        return planned.pop(0) if planned else "ok"

    @property
    def uploaded(self) -> list[int]:
        """How many requests each batch held."""
        return [len(batch["requests"]) for batch in self.provider.batches.values()]


@pytest.fixture(params=["anthropic", "openai"])
def vendor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    provider = AnthropicProvider() if request.param == "anthropic" else OpenAIProvider()
    with ScriptedServer(handler=provider) as server:
        made = Vendor(request.param, provider, server)
        made.plans = {}
        monkeypatch.setattr(provider, "reply_to", made.answer)
        monkeypatch.setattr("batch_servers.START", datetime.now(UTC))
        monkeypatch.setattr(provider, "outcome_of", made.outcome)
        (config_folder() / "settings.toml").write_text(
            f'[edit_prediction]\n{request.param}_url = "{server.url}/v1"\nbatch_poll_seconds = 0.01\n'
        )
        monkeypatch.setenv(f"{request.param.upper()}_API_KEY", "secret-key-of-a-test")
        yield made


@pytest.fixture
def three(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "three.jsonl", [example(f"e{number}") for number in range(3)])


def done(outcome: Outcome) -> dict[str, str | None]:
    """The first patch of each example that has predictions."""
    return {one.name: one.predictions[0].actual_patch for one in outcome.examples if one.predictions}


def test_a_first_run_sends_and_a_second_one_collects(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    vendor.provider.looks = 2
    first = ep("predict", "-p", vendor.teacher, three)
    assert done(first) == {}
    assert "3 of 3 examples wait for a batch" in first.err
    assert vendor.uploaded == [3]
    second = ep("predict", "-p", vendor.teacher, three)
    assert done(second) == {f"e{number}": PATCH for number in range(3)}
    assert vendor.uploaded == [3]


def test_waiting_sees_the_answers_in_one_run(ep: EpRunner, vendor: Vendor, three: Path, tmp_path: Path) -> None:
    vendor.provider.looks = 3
    outcome = ep("predict", "-p", vendor.teacher, "--wait", three)
    assert done(outcome) == {f"e{number}": PATCH for number in range(3)}
    assert "Reprocessed 3 example(s) with batch results" in outcome.err
    assert vendor.uploaded == [3]
    count = len(vendor.server.requests)
    again = ep("predict", "-p", vendor.teacher, "--wait", three, "-o", tmp_path / "out.jsonl")
    assert len(read_lines(tmp_path / "out.jsonl")) == 3
    assert len(vendor.server.requests) == count, again.err


def test_waiting_rewrites_a_file_and_leaves_failures_out(
    ep: EpRunner, vendor: Vendor, three: Path, tmp_path: Path
) -> None:
    vendor.plan("e1", "400")
    out = tmp_path / "out.jsonl"
    outcome = ep("predict", "-p", vendor.teacher, "--wait", three, "-o", out, "--failed", "skip")
    assert sorted(names(read_lines(out))) == ["e0", "e2"]
    assert "1 of 3 examples failed" in outcome.err
    assert [path.name for path in tmp_path.glob("out*")] == ["out.jsonl"]


def test_rows_that_failed_in_passing_are_sent_again(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    vendor.plan("e1", "529" if vendor.kind == "anthropic" else "503")
    vendor.plan("e2", "expired")
    outcome = ep("predict", "-p", vendor.teacher, "--wait", three)
    assert done(outcome) == {f"e{number}": PATCH for number in range(3)}
    assert vendor.uploaded == [3, 2]


def test_partial_results_leave_the_rest_to_another_batch(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    vendor.plan("e0", "missing")
    outcome = ep("predict", "-p", vendor.teacher, "--wait", three)
    assert len(done(outcome)) == 3
    assert vendor.uploaded == [3, 1]


def test_a_row_that_expires_again_and_again_fails_and_is_tried_anew_later(
    ep: EpRunner, vendor: Vendor, three: Path
) -> None:
    vendor.plan("e0", *["expired"] * 3)
    outcome = ep("predict", "-p", vendor.teacher, "--wait", three)
    assert sorted(done(outcome)) == ["e1", "e2"]
    assert "e0: " in outcome.err
    later = ep("predict", "-p", vendor.teacher, "--wait", three)
    assert "1 requests to" in later.err
    assert "are tried again" in later.err
    assert len(done(later)) == 3


def test_too_many_requests_is_waited_out(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    busy = error_reply(429, "slow down", headers={"retry-after": "0"})
    vendor.provider.faults = [(r"POST /v1/(messages/)?batches", busy), (r"GET /v1/(messages/)?batches/\w+", busy)]
    outcome = ep("predict", "-p", vendor.teacher, "--wait", three)
    assert len(done(outcome)) == 3, outcome.err
    assert vendor.uploaded == [3]


def test_a_restart_in_the_middle_uploads_nothing_twice(
    ep: EpRunner, vendor: Vendor, three: Path, tmp_path: Path
) -> None:
    vendor.provider.forgets_reply = True  # the batch is made, and the reply with its id is lost
    first = ep("predict", "-p", vendor.teacher, three, "-o", tmp_path / "out.jsonl")
    assert first.status != 0
    second = ep("predict", "-p", vendor.teacher, "--wait", three, "-o", tmp_path / "out.jsonl")
    assert second.status == 0, second.err
    assert len(read_lines(tmp_path / "out.jsonl")) == 3
    assert vendor.uploaded == [3]


def test_an_unreadable_reply_ends_the_run_in_words(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    vendor.provider.faults = [(r"POST .*", (Head(401, {"content-type": "text/plain"}), Send("no")))]
    outcome = ep("predict", "-p", vendor.teacher, three)
    assert outcome.status == 3
    assert "secret-key-of-a-test" not in outcome.err


def test_a_missing_key_is_named(ep: EpRunner, vendor: Vendor, three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variable = f"{vendor.kind.upper()}_API_KEY"
    monkeypatch.delenv(variable)
    assert f"{variable} is not set" in ep("predict", "-p", vendor.teacher, three).err


def test_judge_and_second_try_travel_in_batches_too(ep: EpRunner, vendor: Vendor, tmp_path: Path) -> None:
    data = write_lines(
        tmp_path / "d.jsonl",
        [
            example("good", prompt=prompt(), predictions=[predicted()], edit_history=""),
            example("bad", prompt=prompt(), predictions=[predicted()], qa=[QaResult(confidence=1, reasoning="no")]),
        ],
    )
    vendor.judgement = JUDGED_BAD
    judged = ep("qa", "--backend", vendor.kind, "--wait", "-i", data)
    assert judged.status == 0, judged.err
    assert [one.qa[0] and one.qa[0].confidence for one in read_lines(data)] == [1, 1]
    repaired = ep("repair", "--backend", vendor.kind, "--wait", "-i", data)
    assert "2/2 needed repair:" in repaired.err
    assert "2 repaired successfully" in repaired.err
    for one in read_lines(data):
        assert [prediction.provider for prediction in one.predictions] == ["teacher:sonnet45", "repair"]
        assert one.predictions[1].actual_patch == PATCH


def test_one_command_does_all_steps_in_batches(ep: EpRunner, vendor: Vendor, three: Path, tmp_path: Path) -> None:
    vendor.judgement = JUDGED_BAD
    out = tmp_path / "out.jsonl"
    outcome = ep("run", "-p", vendor.teacher, "--backend", vendor.kind, "--wait", three, "-o", out)
    assert outcome.status == 0, outcome.err
    for one in read_lines(out):
        assert len(one.predictions) == len(one.score) == 2
        assert one.score[1].delta_chr_f == pytest.approx(100)
    count = len(vendor.server.requests)
    ep("run", "-p", vendor.teacher, "--backend", vendor.kind, "--wait", three, "-o", tmp_path / "again.jsonl")
    assert len(vendor.server.requests) == count


def test_answers_of_a_lost_cache_are_fetched_by_the_batches_ids(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    ep("predict", "-p", vendor.teacher, three)
    for file in cache_folder("edit_prediction").glob("llm_cache*"):
        file.unlink()
    outcome = ep("import-batch", "--batch-ids", "batch_1", "--provider", vendor.kind)
    assert outcome.status == 0, outcome.err
    assert "3 answers kept" in outcome.err
    assert len(done(ep("predict", "-p", vendor.teacher, three))) == 3
    assert vendor.uploaded == [3]


def test_one_at_a_time_needs_no_batch(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    outcome = ep("predict", "-p", vendor.teacher.replace("teacher", "teacher-non-batching"), three, "--limit", "1")
    assert vendor.uploaded == []
    assert outcome.status == 1  # this server only knows batches


def test_nobody_is_asked_while_ai_is_switched_off(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    settings = config_folder() / "settings.toml"
    settings.write_text(settings.read_text() + "[privacy]\nai_enabled = false\n")
    assert "AI is switched off" in ep("predict", "-p", vendor.teacher, three).err
    assert not vendor.server.requests


def test_an_evaluation_waits_and_counts_every_example_once(ep: EpRunner, vendor: Vendor, three: Path) -> None:
    ep("predict", "-p", vendor.teacher, "--wait", three, "--limit", "1")
    outcome = ep("eval", "-p", vendor.teacher, "--wait", three, "--verbose")
    rows = [line for line in outcome.out.splitlines() if line.startswith("e")]
    assert sorted(row.split()[0] for row in rows) == ["e0", "e1", "e2"]
    assert all("100.00" in row for row in rows)
    assert "Reprocessed 2 example(s)" in outcome.err
