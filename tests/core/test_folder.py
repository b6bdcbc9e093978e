from __future__ import annotations

from pathlib import Path

import pytest

from redraft.core.errors import FileError
from redraft.core.folder import branch_name, excluding, is_junk, list_folder, path_below, walk_files


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")


def test_folders_stand_before_files_and_names_sort_as_people_do(project: Path) -> None:
    make(project, "b.py", "A.py", "zoo/a.py", "Cat/a.py")
    assert [entry.name for entry in list_folder(project)] == ["Cat", "zoo", "A.py", "b.py"]


def test_folders_that_hold_one_folder_are_joined(project: Path) -> None:
    make(project, "src/tideline/a.py", "src/tideline/b.py")
    assert [(entry.name, entry.path) for entry in list_folder(project)] == [
        ("src/tideline", project / "src" / "tideline")
    ]


def test_junk_is_left_out(project: Path) -> None:
    make(project, "a.py", "__pycache__/a.pyc", ".git/HEAD", "node_modules/x/y.js", "b.pyc", ".gitignore")
    assert [entry.name for entry in list_folder(project)] == [".gitignore", "a.py"]
    assert is_junk(".venv")
    assert not is_junk(".github")


def test_a_folder_that_is_not_there_is_named(project: Path) -> None:
    with pytest.raises(FileError, match="gone"):
        list_folder(project / "gone")


def test_walking_obeys_gitignore_files_on_the_way(project: Path) -> None:
    make(project, "a.py", "build/out.txt", "sub/keep.py", "sub/drop.log", "other/drop.log")
    (project / ".gitignore").write_text("build/\n", encoding="utf-8")
    (project / "sub" / ".gitignore").write_text("*.log\n", encoding="utf-8")
    found = {path.relative_to(project).as_posix() for path in walk_files(project)}
    assert found == {".gitignore", "a.py", "sub/.gitignore", "sub/keep.py", "other/drop.log"}


def test_walking_ends_at_its_limit_and_does_not_follow_links_round(project: Path) -> None:
    make(project, "a.py", "b.py", "c.py")
    (project / "round").symlink_to(project)
    assert len(list(walk_files(project, limit=2))) == 2
    assert len(list(walk_files(project))) == 3


def test_branch_is_found_from_below(project: Path) -> None:
    make(project, "src/a.py")
    assert branch_name(project / "src") == ""
    (project / ".git").mkdir()
    (project / ".git" / "HEAD").write_text("ref: refs/heads/feature/tides\n", encoding="utf-8")
    assert branch_name(project / "src") == "feature/tides"
    (project / ".git" / "HEAD").write_text("0123456789abcdef0123\n", encoding="utf-8")
    assert branch_name(project) == "01234567"


def test_the_users_patterns_are_left_out_of_lists_and_walks(project: Path) -> None:
    make(project, "a.py", "a.log", "build/out.py", "src/build/x.py", "src/b.py")
    excluded = excluding(project, ("*.log", "/build/"))
    assert [entry.name for entry in list_folder(project, excluded)] == ["src", "a.py"]
    found = {path.relative_to(project).as_posix() for path in walk_files(project, excluded=excluded)}
    assert found == {"a.py", "src/build/x.py", "src/b.py"}
    assert excluding(project, ()) == ()


def test_a_path_below_a_folder_is_named_from_there(tmp_path: Path) -> None:
    assert path_below(tmp_path / "src" / "a.py", tmp_path) == "src/a.py"
    assert path_below(tmp_path / "a.py", tmp_path / "src") is None
    assert path_below(tmp_path / "a.py", None) is None
    assert path_below(None, tmp_path) is None
