"""Every numbered row of the tables stands in a test."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[2]
TABLES = TESTS / "data" / "edit_prediction_rows.md"


def rows_of_tables() -> list[int]:
    return [int(number) for number in re.findall(r"^\| (\d+) \|", TABLES.read_text(encoding="utf-8"), re.MULTILINE)]


def rows_of_tests() -> Counter[int]:
    """How often each row stands in a test: in its table, or as a mark."""
    found = Counter[int]()
    for folder in ("core/review", "plugins/edit_prediction"):
        for file in (TESTS / folder).glob("test_*.py"):
            found.update(_rows_in(ast.parse(file.read_text(encoding="utf-8"))))
    return found


def _rows_in(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"row", "pytest.mark.rows"}:
            numbers = node.args[:1] if ast.unparse(node.func) == "row" else node.args
            yield from (ast.literal_eval(number) for number in numbers)


def test_no_row_is_missing_and_none_is_made_up() -> None:
    rows = rows_of_tables()
    assert len(rows) == len(set(rows)) == 183
    tested = rows_of_tests()
    assert sorted(set(rows) - set(tested)) == []
    assert sorted(set(tested) - set(rows)) == []
