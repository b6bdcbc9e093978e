from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes import FakeCliContext, FixedModels, MemorySettings, MemoryStorage, ScriptedClient, answer
from redraft.core.llm.messages import ChatRequest, Stop, StopReason, StreamEvent, TextDelta, Usage
from redraft_local_model import bench_texts
from redraft_local_model.bench import BenchReport, Comparison, Stopwatch
from redraft_local_model.cli import main
from redraft_local_model.tuning import FILE

SETTINGS = {
    "local_model.threads": 0,
    "local_model.gpu_layers": 0,
    "local_model.idle_minutes": 10.0,
    "local_model.speculation": "auto",
}


def speeds(*ratios: float) -> tuple[Comparison, ...]:
    return tuple(Comparison("x", "tokens/s", (10.0,), (10.0 * ratio,)) for ratio in ratios)


def test_the_ratio_is_the_median_of_the_rounds() -> None:
    comparison = Comparison("x", "s").plus(10, 1).plus(100, 20).plus(5, 4)
    assert comparison.ratio == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("ratios", "pays"),
    [((1.3, 1.0, 1.0), True), ((1.3, 0.9, 1.0), False), ((1.3, 1.0, 0.94), False), ((1.02, 1.0, 1.0), False)],
)
def test_guessing_pays_where_edits_gain_and_nothing_loses(ratios: tuple[float, ...], *, pays: bool) -> None:
    assert BenchReport((), speeds(*ratios)).speculation_pays is pays


class Ticking:
    """A clock that moves when a model writes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class SlowClient(ScriptedClient):
    """Takes two seconds to the first text, and half a second for each further piece."""

    def __init__(self, clock: Ticking, *scripts: str) -> None:
        super().__init__(*scripts)
        self._clock = clock

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        self._clock.now += 2
        yield TextDelta("one")
        self._clock.now += 3
        yield Usage(output_tokens=10)
        yield Stop(StopReason.END)


def test_a_stopwatch_times_the_first_text_and_the_writing() -> None:
    clock = Ticking()
    watch = Stopwatch(SlowClient(clock), clock)
    request = bench_texts.question()
    assert asyncio.run(watch.first_token(request)) == 2
    assert asyncio.run(watch.tokens_per_second(request)) == 2


def test_the_edits_of_a_bench_share_their_beginning_and_nothing_with_another_session() -> None:
    start = bench_texts.edit_start("1").messages
    for command in (bench_texts.KEEP, bench_texts.SECOND):
        edit = bench_texts.edit("1", command).messages
        assert edit[0] == start[0]
        assert edit[1].content == start[1].content + command
    assert bench_texts.edit_start("2").messages[0].content[:10] != start[0].content[:10]


def context_in(folder: Path) -> FakeCliContext:
    client = ScriptedClient(answer("x"))
    settings = MemorySettings()
    settings.values = dict(SETTINGS)
    return FakeCliContext(settings=settings, models=FixedModels(client), storage=MemoryStorage(folder))


@pytest.mark.model
@pytest.mark.timeout(900)  # Two models run at once; a busy machine takes its time.
def test_the_command_prints_its_table_and_keeps_what_it_found(
    tmp_path: Path, small_model: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_texts, "FILES", ("units",))
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / small_model.name).symlink_to(small_model)
    context = context_in(tmp_path)
    report = tmp_path / "report.json"
    assert main(["bench", "--rounds", "1", "--tokens", "8", "--report", str(report)], context) == 0

    shown = capsys.readouterr().out
    for words in ("second edit in a file", "first edit, prompt opened before", "free text", "Fastest here:"):
        assert words in shown
    assert all(len(line) <= 80 for line in shown.splitlines() if not line.startswith("Fastest"))
    assert "threads" in context.storage.files[FILE]
    second, opened = json.loads(report.read_text("utf-8"))["waits"]
    assert second["after"][0] < second["before"][0]
    assert opened["after"][0] < opened["before"][0]
