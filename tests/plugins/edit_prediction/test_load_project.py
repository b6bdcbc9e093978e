from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipelines import EpRunner, Repository, example, read_lines, sample, write_lines
from redraft.core.paths import cache_folder
from redraft.core.review.example import BufferChange, Example

BEFORE = "def area(w, h):\n    return w + h\n"
HISTORY = "--- a/shape.py\n+++ b/shape.py\n@@ -1,2 +1,2 @@\n-def area(w, h):\n+def area(wide, h):\n     return w + h\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repository")


def task(repository: Repository, revision: str, **fields: object) -> Example:
    own: dict[str, object] = {
        "repository_url": str(repository.folder),
        "revision": revision,
        "cursor_position": "    return <|user_cursor|>w + h",
        "edit_history": "",
        "prompt_inputs": None,
    }
    return example(**(own | fields))  # type: ignore[arg-type]  # fields of any type, checked by the model


def load(ep: EpRunner, tmp_path: Path, *tasks: Example) -> tuple[list[Example], str]:
    outcome = ep("load-project", write_lines(tmp_path / "tasks.jsonl", tasks))
    return outcome.examples, outcome.err


def test_the_file_is_that_of_the_revision(ep: EpRunner, tmp_path: Path, repository: Repository) -> None:
    old = repository.commit(shape__py=BEFORE)
    repository.commit(shape__py="# new\n")
    [loaded], _ = load(ep, tmp_path, task(repository, old))
    assert loaded.prompt_inputs is not None
    assert loaded.prompt_inputs.cursor_excerpt == BEFORE
    assert loaded.prompt_inputs.cursor_offset_in_excerpt == BEFORE.index("w + h")
    assert loaded.prompt_inputs.excerpt_start_row == 0
    assert loaded.prompt_inputs.related_files is None
    assert loaded.prompt_inputs.syntax_ranges is not None
    assert loaded.prompt_inputs.syntax_ranges[-1] == (0, len(BEFORE))


def test_a_parent_that_a_shallow_clone_lacks_is_fetched(ep: EpRunner, tmp_path: Path, repository: Repository) -> None:
    repository.commit(shape__py=BEFORE)
    new = repository.commit(shape__py="# new\n" + BEFORE)
    newer = task(repository, new, name="new")
    first, second = (load(ep, tmp_path, one)[0][0] for one in (newer, task(repository, f"{new}~1", name="old")))
    assert first.prompt_inputs is not None
    assert first.prompt_inputs.excerpt_start_row == 0
    assert first.prompt_inputs.cursor_excerpt.startswith("# new")
    assert second.prompt_inputs is not None
    assert second.prompt_inputs.cursor_excerpt == BEFORE


def test_branches_and_tags_are_revisions(ep: EpRunner, tmp_path: Path, repository: Repository) -> None:
    repository.commit(shape__py=BEFORE)
    repository.git("tag", "v1")
    examples, err = load(ep, tmp_path, task(repository, "main", name="a"), task(repository, "v1", name="b"))
    assert all(one.prompt_inputs for one in examples), err


def test_uncommitted_changes_and_edits_are_laid_over_it(ep: EpRunner, tmp_path: Path, repository: Repository) -> None:
    revision = repository.commit(shape__py=BEFORE)
    uncommitted = "--- /dev/null\n+++ b/other.py\n@@ -0,0 +1,1 @@\n+x = 1\n"
    [loaded], _ = load(ep, tmp_path, task(repository, revision, uncommitted_diff=uncommitted, edit_history=HISTORY))
    assert loaded.prompt_inputs is not None
    assert loaded.prompt_inputs.cursor_excerpt == BEFORE.replace("area(w,", "area(wide,")
    diff = HISTORY.split("\n", 2)[2]
    assert loaded.prompt_inputs.events == [BufferChange(path="shape.py", old_path="shape.py", diff=diff)]


def test_edits_may_be_in_the_uncommitted_changes_already(ep: EpRunner, tmp_path: Path, repository: Repository) -> None:
    revision = repository.commit(shape__py=BEFORE)
    one = task(
        repository,
        revision,
        uncommitted_diff=HISTORY,
        edit_history=HISTORY,
        uncommitted_diff_contains_edit_history=True,
    )
    [loaded], _ = load(ep, tmp_path, one)
    assert loaded.prompt_inputs is not None
    assert len(loaded.prompt_inputs.events) == 1
    assert loaded.prompt_inputs.cursor_excerpt == BEFORE.replace("area(w,", "area(wide,")


def test_accepted_predictions_are_marked(ep: EpRunner, tmp_path: Path, repository: Repository) -> None:
    revision = repository.commit(shape__py=BEFORE)
    second = "--- a/shape.py\n+++ b/shape.py\n@@ -1,1 +1,1 @@\n-def area(wide, h):\n+def area(wide, high):\n"
    history = f"{HISTORY}// User accepted prediction:\n{second}"
    [loaded], _ = load(ep, tmp_path, task(repository, revision, edit_history=history))
    assert loaded.prompt_inputs is not None
    assert [event.predicted for event in loaded.prompt_inputs.events] == [False, True]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"revision": "0" * 40}, "has no revision"),
        ({"revision": "--upload-pack=x"}, "is no revision"),
        ({"cursor_path": "gone.py"}, "did not exist"),
        ({"cursor_position": "nowhere<|user_cursor|>"}, "did not exist in shape.py"),
        ({"cursor_position": "w<|user_cursor|>"}, "more than one match"),
        ({"cursor_position": "return w"}, "neither <|user_cursor|> nor"),
        (
            {"uncommitted_diff": "--- a/shape.py\n+++ b/shape.py\n@@ -1,1 +1,1 @@\n-x\n+y\n"},
            "diff does not apply: shape",
        ),
        ({"uncommitted_diff": "--- a/no.py\n+++ b/no.py\n@@ -1,1 +1,1 @@\n-x\n+y\n"}, "no.py, which is not in"),
        ({"uncommitted_diff": "--- a/shape.py\n+++ b/shape.py\n@@ -1,9 +1,1 @@\n-x\n"}, "diff cannot be read"),
        (
            {"edit_history": "--- a/shape.py\n+++ b/shape.py\n@@ -1,1 +1,1 @@\n-x\n+y\n"},
            "history does not apply: shape",
        ),
    ],
)
def test_what_does_not_fit_is_said(
    ep: EpRunner, tmp_path: Path, repository: Repository, fields: dict[str, object], reason: str
) -> None:
    revision = repository.commit(shape__py=BEFORE)
    one = task(repository, revision).changed(**fields)
    [kept], err = load(ep, tmp_path, one)
    assert reason in err
    assert kept.prompt_inputs is None


def test_a_repository_that_is_not_there_is_named(ep: EpRunner, tmp_path: Path) -> None:
    one = example(repository_url=str(tmp_path / "gone"), revision="main", prompt_inputs=None)
    _, err = load(ep, tmp_path, one)
    assert f"The repository {tmp_path / 'gone'} cannot be fetched (" in err
    assert "does not appear to be a git repository). Check its address and your access." in err


def test_a_symbolic_link_out_of_the_project_is_not_followed(
    ep: EpRunner, tmp_path: Path, repository: Repository
) -> None:
    (tmp_path / "secret.py").write_text(BEFORE)
    (repository.folder / "shape.py").symlink_to(tmp_path / "secret.py")
    revision = repository.commit(other__py="x = 1\n")
    [kept], err = load(ep, tmp_path, task(repository, revision))
    assert kept.prompt_inputs is None
    assert "did not exist" in err


def test_without_a_repository_the_excerpt_is_the_file(ep: EpRunner, tmp_path: Path) -> None:
    position = "def area(wide, h):\n    return <|user_cursor|>w + h\n"
    one = example(cursor_position=position, edit_history=HISTORY, prompt_inputs=None)
    [loaded], _ = load(ep, tmp_path, one)
    assert loaded.prompt_inputs is not None
    assert loaded.prompt_inputs.cursor_excerpt == BEFORE.replace("area(w,", "area(wide,")
    assert len(loaded.prompt_inputs.events) == 1


def test_the_older_form_of_the_path_names_the_project_first(
    ep: EpRunner, tmp_path: Path, repository: Repository
) -> None:
    revision = repository.commit(shape__py=BEFORE)
    [loaded], _ = load(ep, tmp_path, task(repository, revision, cursor_path="repository/shape.py"))
    assert loaded.prompt_inputs is not None
    assert loaded.prompt_inputs.cursor_path == "shape.py"


def test_a_large_file_is_cut_to_a_window(ep: EpRunner, tmp_path: Path, repository: Repository) -> None:
    lines = [f"number_{n} = {n}  # ünïcode" for n in range(3000)]
    revision = repository.commit(shape__py="\n".join(lines) + "\n")
    [loaded], _ = load(ep, tmp_path, task(repository, revision, cursor_position="number_1500 = <|user_cursor|>1500"))
    found = loaded.prompt_inputs
    assert found is not None
    assert 20_000 < len(found.cursor_excerpt.encode()) <= 24_000
    before = found.cursor_excerpt.encode()[: found.cursor_offset_in_excerpt].decode()
    assert before.endswith("number_1500 = ")
    assert (found.excerpt_start_row or 0) + before.count("\n") == 1500


def test_two_processes_share_one_cache(tmp_path: Path, repository: Repository) -> None:
    revisions = [repository.commit(shape__py=f"# {number}\n{BEFORE}") for number in range(4)]
    data = write_lines(
        tmp_path / "tasks.jsonl", [task(repository, revision, name=revision[:8]) for revision in revisions]
    )
    outputs = [tmp_path / f"out{number}.jsonl" for number in range(2)]
    command = [sys.executable, "-m", "redraft", "ep", "load-project", str(data), "-o"]
    processes = [
        subprocess.Popen([*command, str(out)], env=os.environ, stderr=subprocess.PIPE, text=True) for out in outputs
    ]
    for process in processes:
        _, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    for out in outputs:
        assert all(one.prompt_inputs for one in read_lines(out))


def test_the_samples_load(ep: EpRunner, tmp_path: Path) -> None:
    [loaded], err = load(ep, tmp_path, sample("uncommitted-work-comes-first"))
    assert loaded.prompt_inputs is not None, err
    assert "total = 0" in loaded.prompt_inputs.cursor_excerpt


def test_clean_removes_clones_and_answers(ep: EpRunner, tmp_path: Path) -> None:
    load(ep, tmp_path, sample("uncommitted-work-comes-first"))
    assert list(cache_folder("edit_prediction").iterdir())
    assert ep("clean").status == 0
    assert not list(cache_folder("edit_prediction").iterdir())
