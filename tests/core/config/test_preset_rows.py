from __future__ import annotations

from typing import Any

import pytest

from redraft.core.config.preset_rows import is_alteration, model_in, named_rows, with_model

OWN = {"name": "short", "command": "Shorten this."}


def test_a_table_has_its_name_or_stands_under_it() -> None:
    tables: list[dict[str, Any]] = [OWN, {"/doc": {"model": "large"}, "haiku": {"command": "x"}}]
    assert [name for name, _ in named_rows(tables)] == ["short", "doc", "haiku"]
    assert [is_alteration(row) for _, row in named_rows(tables)] == [False, True, False]


@pytest.mark.parametrize(
    ("tables", "changed"),
    [
        ([], [{"name": "fix", "model": "large"}]),
        ([OWN], [OWN, {"name": "fix", "model": "large"}]),
        ([{"name": "fix", "model": "small"}], [{"name": "fix", "model": "large"}]),
        ([{"name": "/fix", "label": "Mend"}], [{"name": "/fix", "label": "Mend", "model": "large"}]),
        ([{"/fix": {"label": "Mend"}}], [{"/fix": {"label": "Mend", "model": "large"}}]),
    ],
)
def test_a_preset_gets_a_model(tables: list[dict[str, Any]], changed: list[dict[str, Any]]) -> None:
    assert with_model(tables, "fix", "large") == changed
    assert model_in(changed, "fix") == "large"
    assert not model_in(changed, "short")


@pytest.mark.parametrize(
    ("tables", "changed"),
    [
        ([], []),
        ([{"name": "fix", "model": "small"}, OWN], [OWN]),
        ([{"name": "fix", "label": "Mend", "model": "small"}], [{"name": "fix", "label": "Mend"}]),
        ([{"/fix": {"model": "small"}, "doc": {"label": "D"}}], [{"doc": {"label": "D"}}]),
        ([{"/fix": {"model": "small"}}], []),
    ],
)
def test_the_usual_model_answers_again_and_empty_tables_go(
    tables: list[dict[str, Any]], changed: list[dict[str, Any]]
) -> None:
    assert with_model(tables, "fix", "") == changed
