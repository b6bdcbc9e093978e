"""What streaming costs: a 4,000-line replacement, twice that, and an answer in small chunks."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from redraft.core.answer.parser import AnswerParser
from redraft.core.answer.pipeline import AnswerFrame
from redraft.core.answer.stream import AnswerStream
from redraft.core.diff.proposal import Proposal
from redraft.core.diff.streaming import StreamingDiff


@dataclass(frozen=True)
class Cost:
    """Processor seconds in all, and of the worst single push."""

    total: float
    worst: float


def every_line(index: int) -> str:
    return f"    changed({index}, other)\n"


def one_in_ten(index: int) -> str:
    return every_line(index) if index % 10 == 0 else f"    value_{index} = compute({index})\n"


def braces(index: int) -> str:
    return ["}\n", "\n", f"f({index})\n", "end\n"][index % 4]


SHAPES: dict[str, Callable[[int], str]] = {"every line": every_line, "one in ten": one_in_ten, "repeated": braces}


def stream(count: int, changed: Callable[[int], str]) -> Cost:
    old = [
        f"    value_{index} = compute({index})\n" if changed is not braces else braces(index) for index in range(count)
    ]
    new = [changed(index) for index in range(count)]
    gc.collect()
    started = time.process_time()
    diff = StreamingDiff(old)
    worst = 0.0
    for line in new:
        before = time.process_time()
        diff.push(line)
        worst = max(worst, time.process_time() - before)
    diff.finish()
    return Cost(time.process_time() - started, worst)


def best(count: int, changed: Callable[[int], str]) -> Cost:
    """The best of five runs: the machine is shared, and only the code is to be measured."""
    runs = [stream(count, changed) for _ in range(5)]
    return Cost(min(run.total for run in runs), min(run.worst for run in runs))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_replacement_streams_in_time(shape: str, capsys: pytest.CaptureFixture[str]) -> None:
    single, double = best(4_000, SHAPES[shape]), best(8_000, SHAPES[shape])
    with capsys.disabled():
        print(
            f"\nstreaming diff, {shape}: 4,000 lines {single.total * 1000:.0f} ms in all, "
            f"worst push {single.worst * 1000:.2f} ms; 8,000 lines cost {double.total / single.total:.1f} times as much"
        )
    assert single.total < 0.5
    assert single.worst < 0.002
    assert double.total < 5 * single.total


def whole_way(count: int) -> float:
    """Chunks of eight characters through parser, normaliser, diff and proposal, shown every sixteen chunks."""
    old = [f"    value_{index} = compute({index})\n" for index in range(count)]
    answer = "<GENERATEDCODE>\n" + "".join(one_in_ten(index) for index in range(count)) + "</GENERATEDCODE>"
    started = time.process_time()
    parser, stream = AnswerParser(), AnswerStream(AnswerFrame("def f():\n", "".join(old), ""))
    diff, proposal = StreamingDiff(old), Proposal(old)
    for number, at in enumerate(range(0, len(answer), 8)):
        for event in parser.feed(answer[at : at + 8]):
            for line in stream.feed(event.text if hasattr(event, "text") else ""):
                diff.add(line)
        if number % 16 == 0:
            proposal.update(diff.progress)
    proposal.update(diff.finish())
    assert len(proposal.hunks) == count // 10
    return time.process_time() - started


def test_the_whole_way_of_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    single, double = min(whole_way(2_000) for _ in range(3)), min(whole_way(4_000) for _ in range(3))
    with capsys.disabled():
        print(f"\nfrom chunk to proposal: 4,000 lines {double:.2f} s; {double / single:.1f} times 2,000 lines")
    assert double < 5 * single


def parse(size: int) -> float:
    text = ("<GENERATEDCODE>\n" + "    total = add(first, second)  # <b>\n" * (size // 37))[:size]
    parser = AnswerParser()
    started = time.process_time()
    for char in text:
        parser.feed(char)
    parser.close(complete=False)
    return time.process_time() - started


def test_two_megabytes_in_single_characters(capsys: pytest.CaptureFixture[str]) -> None:
    single, double = parse(1_000_000), parse(2_000_000)
    with capsys.disabled():
        print(f"\nparser, one character at a time: 1 MB {single:.1f} s, 2 MB cost {double / single:.2f} times as much")
    assert double < 2.3 * single
