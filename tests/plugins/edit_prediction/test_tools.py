from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipelines import FENCE, EpRunner, Repository, example, inputs, names, predicted, read_lines, write_lines
from redraft.core.review.edit_order import count_edits
from redraft.core.review.loose_patch import apply_hunks_loosely, read_hunks
from redraft_edit_prediction.pipeline.markdown import read_markdown
from redraft_edit_prediction.tools.split_commit import SplitKind, kind_of
from redraft_edit_prediction.tools.typing_points import pause_weight
from servers import ScriptedServer, openai_answer

OLD = "def area(w, h):\n    return w + h\n\n\nprint(area(1, 2))\n"
NEW = "def area(width, height):\n    return width * height\n\n\nprint(area(1, 2))\nprint(area(3, 4))\n"
COMMIT = (
    "--- a/shape.py\n+++ b/shape.py\n@@ -1,5 +1,6 @@\n-def area(w, h):\n-    return w + h\n"
    "+def area(width, height):\n+    return width * height\n \n \n print(area(1, 2))\n+print(area(3, 4))\n"
)


def commit(patch: str = COMMIT, **fields: object) -> dict[str, object]:
    own: dict[str, object] = {
        "repo": "shapes",
        "repo_url": "https://example.com/shapes",
        "commit_sha": "0123456789abcdef",
        "reordered_commit": patch,
        "original_commit": patch,
        "diff_stats_match": True,
    }
    return own | fields


def test_a_dataset_is_split_by_shares_numbers_and_the_rest(ep: EpRunner, tmp_path: Path) -> None:
    data = [example(f"{number}", cursor_path=f"f{number % 20}.py") for number in range(100)]
    path = write_lines(tmp_path / "all.jsonl", data)
    parts = [tmp_path / f"{name}.jsonl" for name in ("train", "test", "left")]
    outcome = ep("split", path, f"{parts[0]}=60%", f"{parts[1]}=20", f"{parts[2]}=rest", "--seed", "3")
    assert outcome.status == 0, outcome.err
    train, test, left = (read_lines(part) for part in parts)
    assert (len(train), len(test), len(left)) == (60, 20, 20)
    groups = [{one.cursor_path for one in part} for part in (train, test, left)]
    assert not (groups[0] & groups[1])
    assert not (groups[0] & groups[2])
    assert not (groups[1] & groups[2])
    first = [part.read_text() for part in parts]
    ep("split", path, f"{parts[0]}=60%", f"{parts[1]}=20", f"{parts[2]}=rest", "--seed", "3")
    assert [part.read_text() for part in parts] == first


@pytest.mark.parametrize("parts", [["a.jsonl"], ["a.jsonl=x"], ["a.jsonl=120%"], ["a.jsonl=rest", "b.jsonl=rest"]])
def test_a_split_that_makes_no_sense_is_refused(ep: EpRunner, tmp_path: Path, parts: list[str]) -> None:
    assert ep("split", write_lines(tmp_path / "d.jsonl", [example()]), *parts).status == 2


def test_examples_are_kept_by_language(ep: EpRunner, tmp_path: Path) -> None:
    paths = ["a.py", "b.rs", "c.strange", "d.pyi", "Makefile"]
    data = write_lines(tmp_path / "d.jsonl", [example(path, cursor_path=path) for path in paths])
    assert names(ep("filter-languages", "-l", "python", data).examples) == ["a.py", "d.pyi"]
    assert names(ep("filter-languages", "-e", ".rs", data).examples) == ["b.rs"]
    assert names(ep("filter-languages", "-l", "Rust", "--include-unknown", data).examples) == ["b.rs", "c.strange"]
    assert "2 python (excluded)" in ep("filter-languages", "-l", "rust", "--show-top-excluded", "1", data).err
    assert "2 python" in ep("filter-languages", "--stats", data).out
    assert "typescript" in ep("filter-languages", "--list").out
    assert ep("filter-languages", "-l", "klingon", data).status == 2
    out = tmp_path / "out.jsonl"
    ep("filter-languages", "-l", "python", data, "-o", out)
    assert names(read_lines(out)) == ["a.py", "d.pyi"]


def test_patches_are_cut_to_their_first_groups(ep: EpRunner, tmp_path: Path) -> None:
    patch = (
        "/// first\n// a note\n--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n+b\n@@ -5,1 +5,1 @@\n-e\n+f\n/// second\n"
        "@@ -9,1 +9,1 @@\n-i\n+j\n--- a/g\n+++ b/g\n@@ -1,1 +1,1 @@\n-x\n+y\n"
    )
    data = write_lines(tmp_path / "d.jsonl", [example(expected_patches=[patch], cursor_path="f")])
    [first] = ep("truncate-patch", "--num-groups", "1", data).examples
    assert first.expected_patches[0].count("@@ -") == 2
    assert "//" not in first.expected_patches[0]
    [second] = ep("truncate-patch", "--num-groups", "2", "--current-file-only", data).examples
    assert second.expected_patches[0].count("@@ -") == 3
    assert "b/g" not in second.expected_patches[0]


def test_a_commit_with_a_separator_that_ends_no_line_of_json_is_read(ep: EpRunner, tmp_path: Path) -> None:
    data = tmp_path / "c.jsonl"
    patch = COMMIT.replace("print(area(3, 4))", "print('\u2028')")
    data.write_text(json.dumps(commit(patch), ensure_ascii=False) + "\n", encoding="utf-8")
    [made] = ep("split-commit", "-s", "1", data).examples
    assert "\u2028" in made.expected_patches[0]


@pytest.mark.parametrize("point", ["1", "0.5", "4", "0"])
def test_a_commit_is_split_into_history_and_expectation(ep: EpRunner, tmp_path: Path, point: str) -> None:
    data = write_lines(tmp_path / "c.jsonl", [commit()])
    [made] = ep("split-commit", "-s", point, data).examples
    assert (made.name, made.revision) == ("shapes-01234567", "0123456789abcdef~1")
    text = apply_hunks_loosely(OLD, read_hunks(made.edit_history)) if made.edit_history else OLD
    assert made.cursor_position.replace("<|user_cursor|>", "") in text
    [expected] = made.expected_patches
    assert apply_hunks_loosely(text, read_hunks(expected)) == NEW


def test_part_of_the_next_line_is_typed_already(ep: EpRunner, tmp_path: Path) -> None:
    data = write_lines(tmp_path / "c.jsonl", [commit()])
    made = ep("split-commit", "-s", "4", "-n", "8", data).examples
    assert len({one.cursor_position for one in made}) > 1
    assert names(made)[1] == "shapes-01234567-1"
    for one in made:
        line = next(line for line in one.cursor_position.split("\n") if "<|user_cursor|>" in line)
        assert "print(area(3, 4))".startswith(line.replace("<|user_cursor|>", ""))


def test_everything_is_history_at_the_end(ep: EpRunner, tmp_path: Path) -> None:
    [made] = ep("split-commit", "-s", "5", write_lines(tmp_path / "c.jsonl", [commit()])).examples
    assert made.expected_patches == [""]
    assert apply_hunks_loosely(OLD, read_hunks(made.edit_history)) == NEW


def test_kinds_of_splits() -> None:
    assert count_edits(COMMIT) == 5
    assert kind_of(COMMIT, 3) is SplitKind.FIM
    assert kind_of(COMMIT, 4) is SplitKind.SAME_FILE_NEAR
    assert kind_of(COMMIT + COMMIT.replace("shape", "other"), 5) is SplitKind.CROSS_FILE
    far = "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n@@ -90,1 +89,1 @@\n-b\n"
    assert kind_of(far, 1) is SplitKind.SAME_FILE_FAR
    assert kind_of(COMMIT, 0) is None


@pytest.mark.parametrize(
    ("point", "patch", "reason"),
    [
        ("cross-file", COMMIT, "no place to split of kind cross-file"),
        ("fim:4", COMMIT, "no place for a split of kind fim"),
        ("99", COMMIT, "After 99 of 5 edits"),
        ("1", "-Subproject commit 1\n+Subproject commit 2\n", "submodule"),
    ],
)
def test_a_commit_that_cannot_be_split_there_is_named(
    ep: EpRunner, tmp_path: Path, point: str, patch: str, reason: str
) -> None:
    outcome = ep("split-commit", "-s", point, write_lines(tmp_path / "c.jsonl", [commit(patch)]))
    assert reason in outcome.err
    assert outcome.out == ""


def test_a_line_that_is_no_commit_is_named(ep: EpRunner, tmp_path: Path) -> None:
    outcome = ep("split-commit", write_lines(tmp_path / "c.jsonl", [commit(), "{}"]))
    assert outcome.status == 2
    assert "line 2 is no commit: it has no repo." in outcome.err
    assert ep("split-commit", "-s", "middle", tmp_path / "c.jsonl").status == 2


def test_people_pause_after_opening_marks() -> None:
    assert pause_weight("f(a)", 2) == 10
    assert pause_weight("f(a) + b", 4) == 8
    assert pause_weight("ab cd", 3) == 6
    assert pause_weight("a+b", 2) == 5
    assert pause_weight("abc", 2) == 1


def test_metrics_of_one_prediction(ep: EpRunner, tmp_path: Path) -> None:
    files = {"base": OLD, "expected": COMMIT, "actual": COMMIT}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    flags = [
        "--base",
        tmp_path / "base",
        "--expected-patch",
        tmp_path / "expected",
        "--actual-patch",
        tmp_path / "actual",
    ]
    out = ep("metrics", *flags).out
    assert "kept rate            1.000" in out
    assert "delta-chrF           100.00" in out
    (tmp_path / "one.json").write_text(example(predictions=[predicted()], prompt_inputs=inputs()).to_json())
    assert "recall rate          1.000" in ep("metrics", "--json", tmp_path / "one.json").out
    lines = write_lines(tmp_path / "some.jsonl", [example(predictions=[predicted()]), example("second")])
    assert "recall rate          1.000" in ep("metrics", "--json", lines).out
    assert ep("metrics", "--json", tmp_path / "one.json", "--prediction-index", "3").status == 2
    assert ep("metrics").status == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--base", "gone", "--expected-patch", "gone", "--actual-patch", "gone"), "gone cannot be read (No such file"),
        (("--json", "empty.jsonl"), "empty.jsonl holds no example."),
    ],
)
def test_what_cannot_be_measured_is_named(
    ep: EpRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.jsonl").touch()
    outcome = ep("metrics", *arguments)
    assert outcome.status == 2
    assert sentence in outcome.err


def test_examples_are_made_of_commits_with_the_help_of_a_model(
    ep: EpRunner, tmp_path: Path, server: ScriptedServer
) -> None:
    repository = Repository(tmp_path / "shapes")
    lines = [f"value_{number} = {number}\n" for number in range(120)]
    repository.commit(shape__py="".join(lines))
    changed = [
        line.replace("value", "size") if number % 12 == 0 or number > 100 else line for number, line in enumerate(lines)
    ]
    repository.commit(shape__py="".join(changed))
    choice = {"name": "rename on", "history": [0], "expected": 1, "reasoning": "the same again"}
    server.reply(*openai_answer(f"They rename.\n{FENCE}json\n{json.dumps(choice)}\n{FENCE}"))
    server.reply(*openai_answer("NO_PATTERN: nothing"))
    out = tmp_path / "made"
    command = ["synthesize", "--repos", repository.folder, "--backend", "model:scripted", "-o", out]
    outcome = ep(*command)
    assert outcome.status == 0, outcome.err
    assert out.exists(), outcome.err
    [file] = out.iterdir()
    made = read_markdown(file.read_text())
    assert (made.name, made.revision.endswith("~1")) == ("rename on", True)
    assert "+size_0 = 0" in made.edit_history
    assert "+size_" in made.expected_patches[0]
    assert "Hunk 1 (shape.py):" in server.requests[0].json()["messages"][0]["content"]
    count = len(server.requests)
    assert "0 examples written" in ep(*command).err
    assert len(server.requests) == count


def test_a_choice_that_does_not_fit_is_named(ep: EpRunner, tmp_path: Path, server: ScriptedServer) -> None:
    repository = Repository(tmp_path / "shapes")
    repository.commit(shape__py="".join(f"value_{number} = {number}\n" for number in range(60)))
    repository.commit(shape__py="".join(f"size_{number} = {number}\n" for number in range(60)))
    for answer in ('{"history": [0], "expected": 9}', "{}"):
        server.reply(*openai_answer(answer))
    outcome = ep("synthesize", "--repos", repository.folder, "--backend", "model:scripted", "-o", tmp_path / "made")
    assert "hunks that are not in the commit" in outcome.err
    assert "0 examples written" in outcome.err
