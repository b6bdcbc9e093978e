"""The settings file as a document: reading it, finding lines in it, and changing it without losing a comment."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomlkit
from pydantic import BaseModel
from tomlkit.exceptions import ParseError, TOMLKitError
from tomlkit.items import AoT, Table

HEADER: Final = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?")
KEY: Final = re.compile(r"\s*([A-Za-z0-9_.\"'-]+(?:\s*\.\s*[A-Za-z0-9_\"'-]+)*)\s*=")


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """Something in a settings file that cannot be used.

    Attributes:
        path: The file.
        message: What is wrong and what holds instead, as a sentence.
        line: The line, from 1; 0 where it is not known.
        column: The column, from 1; 0 where it is not known.
        key: The dotted name of the setting; empty if the whole file is unreadable.
        is_fatal: Whether nothing of the file can be used.
    """

    path: Path
    message: str
    line: int = 0
    column: int = 0
    key: str = ""
    is_fatal: bool = False

    def __str__(self) -> str:
        place = f", line {self.line}" if self.line else ""
        return f"{self.path}{place}: {self.message}"


def parse(data: bytes, path: Path) -> tomlkit.TOMLDocument | ConfigProblem:
    """Read the bytes of a settings file, or say what is wrong with it and where."""
    try:
        return tomlkit.parse(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "the file is not in UTF-8, so the defaults are used. Save it as UTF-8."
        return ConfigProblem(path, message, line=line, is_fatal=True)
    except ParseError as error:
        reason = re.sub(r" at line \d+ col \d+$", "", str(error))
        message = f"the file is broken ({reason}), so the defaults are used. Mend this line; the file is left as it is."
        return ConfigProblem(path, message, line=error.line, column=error.col + 1, is_fatal=True)
    except TOMLKitError as error:
        message = f"the file is broken ({error}), so the defaults are used. Mend it; the file is left as it is."
        return ConfigProblem(path, message, line=_line_of_fault(data), is_fatal=True)


def find_line(text: str, name: str, row: int | None = None) -> int:
    """The line, from 1, on which a dotted name is set, or a table `[[name]]` begins for the row given; 0 if unknown."""
    table, rows, in_text = "", -1, False
    for number, line in enumerate(text.split("\n"), 1):
        starts_in_text = in_text
        in_text ^= (line.count('"""') + line.count("'''")) % 2 == 1
        if starts_in_text:
            continue
        if header := HEADER.fullmatch(line):
            table = header[1].replace('"', "")
            rows += table == name
            if table == name and row in {None, rows}:
                return number
        elif key := KEY.match(line):
            full = ".".join(part for part in (table, key[1].replace(" ", "")) if part)
            if full == name:
                return number
    return 0


def _line_of_fault(data: bytes) -> int:
    """Where a second parser sees the fault, for faults that the first one gives no place."""
    try:
        tomllib.loads(data.decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        return int(place[1]) if place else 0
    return 0


def get_value(document: Mapping[str, Any], name: str) -> Any:
    """What a dotted name is set to, as plain Python.

    Raises:
        KeyError: It is not set.
        TypeError: Something on the way to it is no table.
    """
    place: Any = document
    for part in name.split("."):
        if not isinstance(place, Mapping):
            raise TypeError(f"{name.rpartition('.')[0]} must be a table")
        place = place[part]
    return place.unwrap() if hasattr(place, "unwrap") else place


def set_value(document: MutableMapping[str, Any], name: str, value: Any) -> None:
    """Set a dotted name in place; comments, order and unknown keys stay.

    Raises:
        TypeError: Something on the way to it is no table.
    """
    *tables, key = name.split(".")
    place: Any = document
    for table in tables:
        place = place.setdefault(table, tomlkit.table())
        if not isinstance(place, MutableMapping):
            raise TypeError(f"{'.'.join(tables)} must be a table")
    if _is_rows(value):
        _set_rows(place, key, [_plain_row(row) for row in value])
    else:
        place[key] = list(value) if isinstance(value, tuple) else value


def remove_value(document: MutableMapping[str, Any], name: str) -> None:
    """Take a dotted name out, so that its default holds."""
    *tables, key = name.split(".")
    place: Any = document
    for table in tables:
        place = place.get(table, {})
    place.pop(key, None)


def _is_rows(value: Any) -> bool:
    return isinstance(value, Sequence) and bool(value) and all(isinstance(row, Mapping | BaseModel) for row in value)


def _plain_row(row: Mapping[str, Any] | BaseModel) -> dict[str, Any]:
    plain = row.model_dump(exclude_unset=True) if isinstance(row, BaseModel) else row
    return {key: value for key, value in plain.items() if value is not None}


def _set_rows(place: MutableMapping[str, Any], key: str, rows: list[dict[str, Any]]) -> None:
    """Write tables anew, but keep the ones that have the same name, with their comments."""
    old = place.get(key)
    kept = {str(table.get("name")): table for table in old if "name" in table} if isinstance(old, AoT) else {}
    new = tomlkit.aot()
    for row in rows:
        table = kept.pop(str(row.get("name")), None)
        new.append(_merged(table if isinstance(table, Table) else tomlkit.table(), row))
    place.pop(key, None)
    place[key] = new


def _merged(table: Table, row: Mapping[str, Any]) -> Table:
    for gone in [key for key in table if key not in row]:
        table.remove(gone)
    for key, value in row.items():
        if key not in table or table[key] != value:
            table[key] = value
    return table
