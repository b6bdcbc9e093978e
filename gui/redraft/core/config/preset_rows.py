"""The tables of the setting `presets`: whom each is about, and the model it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

INSTRUCTIONS: Final = frozenset({"command", "prompt_template", "promptTemplate"})


def named_rows(tables: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """The name and the table of each preset; a table has its own `name`, or stands under it."""
    for table in tables:
        named = {str(table["name"]): table} if "name" in table else table
        yield from ((name.removeprefix("/"), row) for name, row in named.items())


def is_alteration(row: object) -> bool:
    """Whether a table has no instruction of its own, and so alters a preset that stands elsewhere."""
    return isinstance(row, Mapping) and not INSTRUCTIONS & row.keys()


def model_in(tables: Iterable[Mapping[str, Any]], name: str) -> str:
    """The model that the tables name for a preset; empty where they name none."""
    rows = (row for found, row in named_rows(tables) if found == name and isinstance(row, Mapping))
    return next((str(row["model"]) for row in rows if row.get("model")), "")


def with_model(tables: Iterable[Mapping[str, Any]], name: str, model: str) -> list[dict[str, Any]]:
    """The tables with another model for a preset; an empty one lets the usual model answer it again."""
    rows = [dict(table) for table in tables]
    is_known = any(found == name for found, _ in named_rows(rows))
    changed = [_changed(row, name, model) for row in rows]
    if not is_known and model:
        changed.append({"name": name, "model": model})
    return [table for table in changed if table.keys() - {"name"}]


def _changed(table: dict[str, Any], name: str, model: str) -> dict[str, Any]:
    if "name" in table:
        return _modelled(table, model) if str(table["name"]).removeprefix("/") == name else table
    rows = {key: _modelled(row, model) if key.removeprefix("/") == name else row for key, row in table.items()}
    return {key: row for key, row in rows.items() if row}


def _modelled(row: Any, model: str) -> Any:
    if not isinstance(row, Mapping):
        return row
    kept = {key: value for key, value in row.items() if key != "model"}
    return {**kept, "model": model} if model else kept
