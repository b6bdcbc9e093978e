from __future__ import annotations

from pathlib import Path

import pytest

from redraft.host.launch import FileTarget


@pytest.mark.parametrize(
    ("text", "name", "line", "column"),
    [
        ("a.py", "a.py", 0, 0),
        ("a.py:3", "a.py", 3, 0),
        ("a.py:3:14", "a.py", 3, 14),
        ("a.py:3:14:", "a.py", 3, 14),
        ("a.py:3:", "a.py", 3, 0),
        ("a:b.py:3", "a:b.py", 3, 0),
        ("a.py:x", "a.py:x", 0, 0),
        (":3", ":3", 0, 0),
        ("a b.py:12", "a b.py", 12, 0),
    ],
)
def test_a_place_is_read_as_compilers_write_it(
    text: str, name: str, line: int, column: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert FileTarget.parse(text) == FileTarget(tmp_path / name, line, column)


def test_a_file_that_is_called_so_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes:12").touch()
    assert FileTarget.parse("notes:12") == FileTarget(tmp_path / "notes:12")
    assert FileTarget.parse("notes:13") == FileTarget(tmp_path / "notes", 13)


def test_a_home_is_found_and_a_path_kept_as_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert FileTarget.parse("~/a.py:2") == FileTarget(tmp_path / "a.py", 2)
    assert FileTarget.literal("/x/a.py:2").path == Path("/x/a.py:2")
