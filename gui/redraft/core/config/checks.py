"""Compares a settings document with the declared table: what holds, and what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from redraft.core.config import document as documents
from redraft.core.config.document import ConfigProblem
from redraft.core.config.schema import SettingsSchema


def check_document(
    document: Mapping[str, Any], schema: SettingsSchema, path: Path, text: str
) -> tuple[dict[str, Any], tuple[ConfigProblem, ...]]:
    """The values of a document that fit, and what does not; unknown names outside our own tables are nobody's fault."""
    values: dict[str, Any] = {}
    problems: list[ConfigProblem] = []

    def report(name: str, message: str, row: int | None = None) -> None:
        line = documents.find_line(text, name, row) or documents.find_line(text, name.partition(".")[0])
        problems.append(ConfigProblem(path, message, line=line, key=name))

    for setting in schema.settings.values():
        try:
            value = documents.get_value(document, setting.name)
            faults: list[tuple[int, str]] = []
            values[setting.name] = (
                setting.check_rows(value, faults) if setting.type == "tables" else setting.check(value)
            )
            for row, sentence in faults:
                report(setting.name, f"{setting.name}[{row + 1}] is left out: {sentence}.", row)
            for row, key in _unknown_in_rows(values[setting.name]):
                report(setting.name, f"{key} is no key of {setting.name}; it is kept, but does nothing.", row)
        except KeyError:
            continue
        except (ValueError, TypeError) as error:
            report(setting.name, f"{error}; the default is used.")
    for name in _unknown(document, schema):
        near = schema.closest(name)
        report(name, f"{name} is not a setting{f'; {near} is' if near else ''}.")
    return values, tuple(problems)


def _unknown(document: Mapping[str, Any], schema: SettingsSchema) -> list[str]:
    return [
        f"{table}.{key}"
        for table in sorted(schema.tables)
        if isinstance(content := document.get(table), Mapping)
        for key in content
        if f"{table}.{key}" not in schema
    ]


def _unknown_in_rows(rows: Any) -> list[tuple[int, str]]:
    if not isinstance(rows, tuple):
        return []
    return [
        (index, key) for index, row in enumerate(rows) if isinstance(row, BaseModel) for key in row.model_extra or ()
    ]
