from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.config.document import ConfigProblem, find_line, get_value, parse, remove_value, set_value

TEXT = st.text(st.characters(codec="utf-8"))
VALUES = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), TEXT, st.lists(TEXT))
FILE = """\
# head
top = 1

[editor] # the text
tab_width = 8 # eight
"quoted" = 1
nested.deep = 2

[ spaced . table ]
key = 1

[[models]]
name = "a"
[[models]]
name = "b"
"""


def read(text: str) -> tomlkit.TOMLDocument:
    parsed = parse(text.encode(), Path("settings.toml"))
    assert not isinstance(parsed, ConfigProblem)
    return parsed


@given(VALUES, st.sampled_from(["editor.tab_width", "top", "editor.nested.deep", "new.value", "deep.er.value"]))
def test_a_value_that_is_set_is_read_back_and_nothing_else_changes(value: Any, name: str) -> None:
    document = read(FILE)
    set_value(document, name, value)
    again = read(tomlkit.dumps(document))
    assert get_value(again, name) == value
    for comment in ("# head", "# the text", *(["# eight"] if name != "editor.tab_width" else [])):
        assert comment in tomlkit.dumps(document)
    expected = read(FILE).unwrap()
    place: Any = expected
    *tables, key = name.split(".")
    for table in tables:
        place = place.setdefault(table, {})
    place[key] = value
    assert again.unwrap() == expected


@given(st.lists(st.fixed_dictionaries({"name": TEXT, "base_url": TEXT}), min_size=1, unique_by=lambda row: row["name"]))
def test_rows_are_read_back_in_their_order(rows: list[dict[str, str]]) -> None:
    document = read(FILE)
    set_value(document, "models", rows)
    again = read(tomlkit.dumps(document))
    assert get_value(again, "models") == rows
    assert get_value(again, "editor.tab_width") == 8


def test_removing_a_value_leaves_the_rest() -> None:
    document = read(FILE)
    remove_value(document, "editor.tab_width")
    remove_value(document, "never.there")
    assert tomlkit.dumps(document) == FILE.replace("tab_width = 8 # eight\n", "")


@pytest.mark.parametrize(
    ("name", "row", "line"),
    [
        ("top", None, 2),
        ("editor", None, 4),
        ("editor.tab_width", None, 5),
        ("editor.nested.deep", None, 7),
        ("models", 0, 12),
        ("models", 1, 14),
        ("models", 2, 0),
        ("never", None, 0),
    ],
)
def test_the_line_of_a_setting(name: str, row: int | None, line: int) -> None:
    assert find_line(FILE, name, row) == line


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    assert parse(data, Path("settings.toml")) is not None
