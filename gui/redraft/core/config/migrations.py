"""Brings a settings file of an older version up to date, one version at a time."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

VERSION_KEY: Final = "version"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step.

    Attributes:
        version: The version the file has after it; versions begin at 1 and leave no gap.
        sentence: What it does, for the log.
        apply: Changes the document in place; must not fail on files that lack what it changes.
    """

    version: int
    sentence: str
    apply: Callable[[MutableMapping[str, Any]], None]


MIGRATIONS: Final[tuple[Migration, ...]] = ()
"""All steps there are, in order. The first format is version 1; append here, and never change what stands."""


def migrate(document: MutableMapping[str, Any], migrations: Sequence[Migration] = MIGRATIONS) -> list[str]:
    """Apply the steps a document lacks, in place; return what they did.

    A file without a version is of the first; one of a later version than ours is left alone.
    """
    current = document.get(VERSION_KEY, 1)
    if not isinstance(current, int):
        return []
    done = []
    for migration in migrations:
        if migration.version > current:
            migration.apply(document)
            document[VERSION_KEY] = migration.version
            done.append(migration.sentence)
    return done


def rename(document: MutableMapping[str, Any], old: str, new: str) -> None:
    """Move a setting to another dotted name, unless the new one is set already."""
    *tables, key = old.split(".")
    place: Any = document
    for table in tables:
        place = place.get(table, {}) if isinstance(place, MutableMapping) else {}
    if not isinstance(place, MutableMapping) or key not in place:
        return
    value = place.pop(key)
    *tables, key = new.split(".")
    place = document
    for table in tables:
        place = place.setdefault(table, {})
        if not isinstance(place, MutableMapping):
            return
    place.setdefault(key, value)
