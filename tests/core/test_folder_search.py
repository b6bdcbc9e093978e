from __future__ import annotations

import re
from pathlib import Path

from redraft.core.folder_search import matches_in, search_files


def test_files_are_searched_in_order_and_unsaved_text_counts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n    tide = 2\n", encoding="utf-8")
    (tmp_path / "b.bin").write_bytes(bytes(range(256)) * 4)
    (tmp_path / "c.py").write_bytes("wörter tide\r\ntide".encode())
    (tmp_path / "d.py").write_text("tide", encoding="utf-8")
    files = [tmp_path / name for name in ("a.py", "b.bin", "c.py", "d.py", "gone.py")]
    unsaved = {tmp_path / "d.py": "nothing here"}
    found = list(search_files(files, re.compile("tide"), unsaved, limit=100))
    assert [(match.path.name, match.row, match.span.start) for match in found] == [
        ("a.py", 1, 10),
        ("c.py", 0, 7),
        ("c.py", 1, 13),
    ]
    assert found[0].line == "tide = 2"
    assert found[0].line[found[0].marked.start : found[0].marked.stop] == "tide"


def test_the_limit_ends_the_search(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text("x\n" * 10, encoding="utf-8")
    found = list(search_files([tmp_path / "a", tmp_path / "b"], re.compile("x"), {}, limit=12))
    assert [match.path.name for match in found] == ["a"] * 10 + ["b"] * 2


def test_a_long_line_is_cut_around_the_match() -> None:
    text = "a" * 5000 + "tide" + "b" * 5000
    (found,) = matches_in(Path("x"), text, re.compile("tide"), 10)
    assert len(found.line) == 240
    assert found.line[found.marked.start : found.marked.stop] == "tide"


def test_matches_of_nothing_are_left_out() -> None:
    assert list(matches_in(Path("x"), "abc\nabc\n", re.compile("$", re.MULTILINE), 10)) == []
