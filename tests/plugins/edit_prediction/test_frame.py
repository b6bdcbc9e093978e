from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines import GOOD, PATCH, EpRunner, example, names, predicted, read_lines, write_lines
from redraft.core.paths import state_folder
from redraft.core.review.example import Example
from redraft_edit_prediction.pipeline.markdown import write_markdown
from servers import Hang, Head, ScriptedServer, openai_answer


@pytest.fixture
def five(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "five.jsonl", [example(f"e{number}") for number in range(5)])


def test_examples_pass_through_with_what_is_not_known(ep: EpRunner, tmp_path: Path) -> None:
    data = write_lines(tmp_path / "a.jsonl", [json.loads(example().to_json()) | {"mood": {"is": "fine"}}])
    outcome = ep("read", data)
    assert outcome.status == 0
    assert json.loads(outcome.out)["mood"] == {"is": "fine"}


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (["--limit", "2"], ["e0", "e1"]),
        (["--offset", "3"], ["e3", "e4"]),
        (["--offset", "1", "--limit=1"], ["e1"]),
        (["--name", "3"], ["e3"]),
        (["--repo", "x"], []),
    ],
)
def test_flags_choose_before_or_behind_the_command(
    ep: EpRunner, five: Path, flags: list[str], expected: list[str]
) -> None:
    assert names(ep(*flags, "read", five).examples) == expected
    assert names(ep("read", five, *flags).examples) == expected


def test_examples_come_by_repository_then_revision_downwards(ep: EpRunner, tmp_path: Path) -> None:
    rows = [("b", "1"), ("a", "1"), ("a", "2"), ("b", "2"), ("a", "2")]
    data = [example(f"{i}", repository_url=url, revision=revision) for i, (url, revision) in enumerate(rows)]
    outcome = ep("read", write_lines(tmp_path / "d.jsonl", data))
    assert names(outcome.examples) == ["2", "4", "1", "3", "0"]


def test_the_limit_counts_after_the_filters(ep: EpRunner, tmp_path: Path) -> None:
    data = write_lines(tmp_path / "d.jsonl", [example(name) for name in ("a1", "b1", "a2", "a3")])
    assert names(ep("read", data, "--name", "a", "--limit", "2").examples) == ["a1", "a2"]


def test_nameless_examples_are_called_after_file_and_line(ep: EpRunner, tmp_path: Path) -> None:
    data = write_lines(tmp_path / "set.jsonl", [example(""), example("")])
    (tmp_path / "one.json").write_text(example("").to_json())
    assert names(ep("read", data, tmp_path / "one.json").examples) == ["set-0", "set-1", "one"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{not json", "line 3 is no example: its JSON is broken (key must be a string, at column 2)"),
        ('{"name": "cut o', "line 3 is no example: its JSON is broken (EOF while parsing a string, at column 15)"),
        ("", "line 3 is empty; every line holds one example."),
        ("{}", "line 3 is no example: it has no repository_url."),
        ("[1]", "line 3 is no example: Input should be an object."),
    ],
)
def test_a_broken_line_is_named_before_anything_is_done(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer, line: str, reason: str
) -> None:
    data = write_lines(tmp_path / "d.jsonl", [example(), example("b"), line])
    outcome = ep("predict", "-p", "model:scripted", data, "-o", tmp_path / "out.jsonl")
    assert outcome.status == 2
    assert f"{data}, {reason}" in outcome.err
    assert not server.requests
    assert not (tmp_path / "out.jsonl").exists()


def test_a_byte_order_mark_does_no_harm(ep: EpRunner, tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "d.jsonl", [example("a"), example("b")])
    lines.write_bytes(b"\xef\xbb\xbf" + lines.read_bytes())
    single = tmp_path / "one.md"
    single.write_bytes(b"\xef\xbb\xbf" + write_markdown(example("one")).encode())
    assert names(ep("read", lines, single).examples) == ["a", "b", "one"]


@pytest.mark.parametrize("name", ["gone.jsonl", "words.txt", "folder"])
def test_an_input_that_is_no_dataset_is_named(ep: EpRunner, tmp_path: Path, name: str) -> None:
    (tmp_path / "words.txt").write_text("hello")
    (tmp_path / "folder").mkdir()
    outcome = ep("read", tmp_path / name)
    assert outcome.status == 2
    assert str(tmp_path / name) in outcome.err


def test_standard_input_is_a_dataset(five: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "redraft", "ep", "read", "-", "--limit", "1"],
        input=five.read_bytes(),
        capture_output=True,
        check=True,
    )
    assert Example.model_validate_json(done.stdout).name == "e0"


def test_in_place_replaces_the_one_input(ep: EpRunner, five: Path) -> None:
    write_lines(five, [example(f"e{number}", predictions=[predicted("")]) for number in range(5)])
    assert ep("distill", "-i", five).status == 0
    assert names(read_lines(five)) == [f"e{number}" for number in range(5)]
    assert all(one.expected_patches == [""] for one in read_lines(five))
    assert [path.name for path in five.parent.glob("five*")] == ["five.jsonl"]


@pytest.mark.parametrize("flags", [["--limit", "2"], ["--offset", "3"], ["--name", "e1"], ["--max-duplicates", "1"]])
def test_in_place_loses_no_example_that_flags_leave_out(ep: EpRunner, five: Path, flags: list[str]) -> None:
    write_lines(five, [example(f"e{number}", predictions=[predicted("")]) for number in range(5)])
    assert ep("distill", "-i", five, *flags).status == 0
    lines = read_lines(five)
    assert sorted(names(lines)) == [f"e{number}" for number in range(5)]
    assert 0 < sum(one.expected_patches == [""] for one in lines) < 5


def test_in_place_takes_one_input_only(ep: EpRunner, five: Path) -> None:
    outcome = ep("read", "-i", five, five)
    assert (outcome.status, "--in-place" in outcome.err) == (2, True)


def test_in_place_with_a_full_disk_leaves_the_original(
    ep: EpRunner, five: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = five.read_text()
    (five.parent / "five.jsonl.tmp").symlink_to("/dev/full")
    outcome = ep("read", "-i", five)
    assert outcome.status == 1
    assert "no space left" in outcome.err
    assert five.read_text() == before


def test_a_full_disk_is_said_in_words(ep: EpRunner, five: Path, tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").symlink_to("/dev/full")
    outcome = ep("read", five, "-o", tmp_path / "out.jsonl")
    assert outcome.status == 1
    assert "There is no space left for" in outcome.err


def test_a_disk_that_fills_up_keeps_whole_lines_and_a_second_run_goes_on(ep: EpRunner, five: Path) -> None:
    out = five.with_name("out.jsonl")
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500)); "
        "from redraft.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", limited, "ep", "read", str(five), "-o", str(out)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, "What is done is in it: free some space, run again." in done.stderr) == (1, True)
    assert 0 < len(read_lines(out)) < 5
    assert out.read_text().endswith("\n")
    assert "Resuming:" in ep("read", five, "-o", out).err
    assert sorted(names(read_lines(out))) == [f"e{number}" for number in range(5)]


def test_failures_that_cannot_be_written_down_stop_nothing(ep: EpRunner, five: Path) -> None:
    (state_folder("edit_prediction", "runs")).rmdir()
    (state_folder("edit_prediction") / "runs").write_text("in the way")
    outcome = ep("score", five)
    assert len(outcome.examples) == 5
    assert outcome.err.count("Failures are not written down any more") == 1
    assert "5 of 5 examples failed (100%)" in outcome.err
    assert "0 of 5 examples done" in outcome.err


def test_a_second_run_goes_on_where_the_first_one_stopped(ep: EpRunner, five: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ep("read", five, "-o", out, "--limit", "2")
    with out.open("a") as file:
        file.write('{"name": "e2", "repos')  # the power went
    outcome = ep("read", five, "-o", out)
    assert "Resuming: 2/5 examples already processed" in outcome.err
    assert sorted(names(read_lines(out))) == [f"e{number}" for number in range(5)]


def test_lines_of_other_datasets_leave_the_output(ep: EpRunner, five: Path, tmp_path: Path) -> None:
    out = write_lines(tmp_path / "out.jsonl", [example("stranger"), example("e1"), example("e1")])
    ep("read", five, "-o", out)
    assert sorted(names(read_lines(out))) == [f"e{number}" for number in range(5)]


def test_an_output_among_the_inputs_is_refused(ep: EpRunner, five: Path) -> None:
    outcome = ep("read", five, "-o", five)
    assert (outcome.status, "--in-place" in outcome.err) == (2, True)
    assert len(read_lines(five)) == 5


def test_markdown_needs_a_folder(ep: EpRunner, five: Path, tmp_path: Path) -> None:
    assert ep("read", "--markdown", five).status == 2
    assert ep("read", "-m", five, "-o", tmp_path / "md").status == 0
    assert ep("read", "-m", five, "-o", tmp_path / "md").status == 0
    assert sorted(path.name for path in (tmp_path / "md").iterdir()) == [f"e{number}.md" for number in range(5)]


def test_failed_examples_stay_and_are_written_down(ep: EpRunner, tmp_path: Path) -> None:
    good, bad = example("good", predictions=[predicted()]), example("bad/one")
    data = write_lines(tmp_path / "d.jsonl", [good, bad])
    outcome = ep("score", data)
    assert (outcome.status, names(outcome.examples)) == (0, ["good", "bad/one"])
    assert "1 of 2 examples failed (50%)" in outcome.err
    assert "--provider" in outcome.err
    latest = state_folder("edit_prediction", "runs") / "latest_failed"
    assert names(read_lines(latest / "failed.jsonl")) == ["bad/one"]
    assert "redraft ep score" in (latest / "failed" / "bad-one_err.txt").read_text()


def test_failed_examples_may_be_left_out(ep: EpRunner, tmp_path: Path) -> None:
    data = write_lines(tmp_path / "d.jsonl", [example("good", predictions=[predicted()]), example("bad")])
    assert names(ep("score", data, "--failed", "skip").examples) == ["good"]
    before = list(state_folder("edit_prediction", "runs").iterdir())
    assert names(ep("score", data, "--failed", "skip-no-files").examples) == ["good"]
    assert list(state_folder("edit_prediction", "runs").iterdir()) == before


def test_failfast_ends_with_the_first_failure(ep: EpRunner, tmp_path: Path) -> None:
    data = write_lines(tmp_path / "d.jsonl", [example("bad"), example("good", predictions=[predicted()])])
    outcome = ep("score", data, "--failfast", "--max-parallelism", "1")
    assert outcome.status == 2
    assert names(outcome.examples) == ["bad"]


def test_a_run_in_which_everything_failed_says_so_by_its_status(ep: EpRunner, tmp_path: Path) -> None:
    assert ep("score", write_lines(tmp_path / "d.jsonl", [example("a"), example("b")])).status == 1


def test_one_worker_takes_all_of_a_repository(ep: EpRunner, tmp_path: Path) -> None:
    data = [example(f"{i}", repository_url=f"r{i % 2}", revision="x") for i in range(6)]
    outcome = ep("read", write_lines(tmp_path / "d.jsonl", data), "--group-by-repo", "--max-parallelism", "2")
    assert sorted(names(outcome.examples)) == [str(i) for i in range(6)]


@pytest.mark.parametrize("flags", [["--limit", "-1"], ["--failed", "maybe"], ["--max-parallelism", "0"], ["--what"]])
def test_flags_that_make_no_sense_are_named(ep: EpRunner, five: Path, flags: list[str]) -> None:
    outcome = ep("read", five, *flags)
    assert outcome.status == 2
    assert flags[0] in outcome.err


@pytest.mark.parametrize("flag", ["-o", "-i"])
def test_what_is_done_is_kept_on_ctrl_c(tmp_path: Path, five: Path, flag: str, server: ScriptedServer) -> None:
    server.reply(*openai_answer("NO_EDITS"))
    server.reply(*openai_answer("NO_EDITS"))
    server.reply(Head(), Hang())
    out = five if flag == "-i" else tmp_path / "out.jsonl"
    where = ["-i"] if flag == "-i" else ["-o", str(out)]
    command = ["ep", "predict", "-p", "model:scripted", str(five), "--max-parallelism", "1", *where]
    with subprocess.Popen(
        [sys.executable, "-m", "redraft", *command], env=os.environ, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            server.wait_for_request(3)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130, err
    lines = read_lines(out)
    assert [one.name for one in lines if one.predictions] == ["e0", "e1"]
    assert len(lines) == (5 if flag == "-i" else 2)
    assert "2 of 5 examples done" in err


def test_two_processes_share_one_cache(ep: EpRunner, tmp_path: Path, five: Path, server: ScriptedServer) -> None:
    for _ in range(10):
        server.reply(*openai_answer(GOOD))
    command = [sys.executable, "-m", "redraft", "ep", "predict", "-p", "model:scripted", str(five), "-o"]
    outputs = [tmp_path / "one.jsonl", tmp_path / "other.jsonl"]
    running = [subprocess.Popen([*command, str(out)], stderr=subprocess.PIPE, text=True) for out in outputs]
    told = [process.communicate(timeout=120)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], told
    for out in outputs:
        assert sorted(names(read_lines(out))) == [f"e{number}" for number in range(5)]
        assert all(one.predictions[0].actual_patch == PATCH for one in read_lines(out))
    asked = len(server.requests)
    assert asked <= 10
    again = ep("predict", "-p", "model:scripted", five)
    assert (again.status, len(server.requests)) == (0, asked), again.err
