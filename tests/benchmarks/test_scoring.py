"""What scoring costs: examples a second on one core, and memory over a large dataset.

Processor time is taken, not the clock's, so that a busy machine tells nearly the same.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from time import process_time

import pytest

from redraft.core.review.example import BufferChange, Example, Prediction, PromptInputs
from redraft.core.review.loose_patch import make_hunks
from redraft.core.review.scoring import score_example

HEADER = "--- a/f.py\n+++ b/f.py\n"
LINES = 100


def task(number: int) -> Example:
    """An example of a hundred lines: one was edited, four should change, and three of these do."""
    words = random.Random(number)  # noqa: S311 - nothing secret
    lines = [
        f"{'    ' * words.randint(0, 3)}{words.choice(['value', 'total', 'count'])}_{words.randint(0, 99)} = "
        f"{words.choice(['compute', 'load', 'find'])}({words.choice('abcxyz')}, {words.randint(0, 999)})\n"
        for _ in range(LINES)
    ]
    before = [*lines[:50], lines[50].replace(" = ", " += "), *lines[51:]]
    wanted = [*lines[:50], *(line.replace("(", "(self, ") for line in lines[50:54]), *lines[54:]]
    made = [*lines[:50], *(line.replace("(", "(self, ") for line in lines[50:53]), *lines[53:]]
    text = "".join(lines)
    inputs = PromptInputs(
        cursor_path="f.py",
        cursor_excerpt=text,
        cursor_offset_in_excerpt=1000,
        excerpt_start_row=0,
        events=[BufferChange(path="f.py", diff=make_hunks("".join(before), text))],
        related_files=[],
    )
    prediction = Prediction(
        provider="teacher", actual_patch=HEADER + make_hunks(text, "".join(made), context=40), actual_output="x"
    )
    return Example(
        name=f"{number}",
        repository_url="",
        revision="",
        cursor_path="f.py",
        cursor_position="",
        edit_history="",
        expected_patches=[HEADER + make_hunks(text, "".join(wanted))],
        prompt_inputs=inputs,
        predictions=[prediction],
    )


@pytest.fixture(scope="module")
def tasks() -> list[Example]:
    return [task(number) for number in range(300)]


def rate(tasks: list[Example]) -> float:
    """Examples scored in a second of processor time."""
    started = process_time()
    for one in tasks:
        score_example(one)
    return len(tasks) / (process_time() - started)


def test_three_hundred_examples_a_second(tasks: list[Example], capsys: pytest.CaptureFixture[str]) -> None:
    best = max(rate(tasks) for _ in range(3))
    with capsys.disabled():
        sys.stdout.write(f"\nscore: {best:.0f} examples of {LINES} lines a second\n")
    assert best >= 300


def test_the_cost_of_an_example_does_not_grow(tasks: list[Example], capsys: pytest.CaptureFixture[str]) -> None:
    few = max(rate(tasks[:100]) for _ in range(3))
    many = max(rate(tasks * 3) for _ in range(3))
    with capsys.disabled():
        sys.stdout.write(f"\nscore: {few / many:.2f} times as long for an example among nine times as many\n")
    assert few / many < 1.5


def test_memory_over_a_hundred_thousand_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only as many are scored as the limit says, but all are read, checked, indexed and sorted."""
    data, out = tmp_path / "many.jsonl", tmp_path / "out.jsonl"
    with data.open("w") as file:
        for number in range(100_000):
            file.write(task(number % 50).changed(name=f"n{number}", revision=f"r{number}").to_json() + "\n")
    limit = os.environ.get("REDRAFT_BENCH_SCORED", "2000")
    # The peak that getrusage tells begins with that of the process that started this one.
    code = (
        "import pathlib, sys; from redraft.cli import main; status = main(sys.argv[1:]); "
        "print(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]); sys.exit(status)"
    )
    command = [sys.executable, "-c", code, "ep", "score", str(data), "-o", str(out), "--limit", limit]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    megabytes = int(done.stdout.split()[-1]) / 1024
    with capsys.disabled():
        sys.stdout.write(f"\nscore: {megabytes:.0f} MB at most over 100,000 examples\n")
    assert megabytes < 300
