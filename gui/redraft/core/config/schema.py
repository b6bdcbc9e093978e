"""The declared table of settings: the page, the reference and every check are made from it."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from pydantic import BaseModel, ValidationError

TYPES: Final = {
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "choice": "one of the choices",
    "list": "a list of texts",
    "tables": "a list of tables",
}
RowModel = type[BaseModel]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting.

    Attributes:
        name: Its dotted name; the part before the first dot is its table in the file.
        type: One of `TYPES`.
        default: Its value where the user names none.
        sentence: What it does, in one plain sentence.
        choices: The values of a `"choice"`.
        minimum: The smallest number, included.
        maximum: The largest number, included.
        section: The page it stands on; by default its table's name.
        row: What each table of a `"tables"` setting is checked against.
    """

    name: str
    type: str
    default: Any
    sentence: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    section: str = ""
    row: RowModel | None = None

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise ValueError(f"{self.name} has the unknown type {self.type!r}")
        if not self.section:
            object.__setattr__(self, "section", self.name.partition(".")[0])
        object.__setattr__(self, "default", self.check(self.default))

    @property
    def wanted(self) -> str:
        """What its values are like, in words."""
        match self.type, self.minimum, self.maximum:
            case "choice", _, _:
                return "one of " + ", ".join(f'"{choice}"' for choice in self.choices)
            case kind, None, None:
                return TYPES[kind]
            case kind, low, None:
                return f"{TYPES[kind]} of at least {low:g}"
            case kind, None, high:
                return f"{TYPES[kind]} of at most {high:g}"
            case kind, low, high:
                return f"{TYPES[kind]} from {low:g} to {high:g}"

    def check(self, value: Any) -> Any:
        """The value as it is used: numbers in their type, lists as tuples, rows as their model.

        Raises:
            ValueError: It does not fit; the message says what is wanted.
        """
        if self.type == "tables":
            return self.check_rows(value)
        if not self._fits(value):
            raise ValueError(f"{self.name} must be {self.wanted}")
        return {"list": tuple, "float": float}.get(self.type, _same)(value)

    def check_rows(self, value: Any, faults: list[tuple[int, str]] | None = None) -> Any:
        """The good rows of a `"tables"` setting; bad ones go to `faults`, as index and sentence, where that is given.

        Raises:
            ValueError: It is no list of tables, or a row is bad and nobody collects faults.
        """
        if not isinstance(value, Sequence) or not all(isinstance(row, Mapping | BaseModel) for row in value):
            raise ValueError(f"{self.name} must be {self.wanted}")
        rows: dict[Any, Any] = {}
        for index, row in enumerate(value):
            try:
                checked = self._checked_row(row, taken=rows)
            except ValueError as error:
                if faults is None:
                    raise ValueError(f"{self.name}[{index + 1}]: {error}") from error
                faults.append((index, str(error)))
            else:
                rows[getattr(checked, "name", index)] = checked
        return tuple(rows.values())

    def _checked_row(self, row: Mapping[str, Any] | BaseModel, taken: Mapping[Any, Any]) -> Any:
        if self.row is None:
            return dict(row)
        try:
            checked = row if isinstance(row, self.row) else self.row.model_validate(dict(row))
        except ValidationError as error:
            raise ValueError(_words(error)) from error
        name = getattr(checked, "name", None)
        if name in taken:
            raise ValueError(f"there is another one called {name}")
        return checked

    def _fits(self, value: Any) -> bool:
        match self.type:
            case "bool":
                return isinstance(value, bool)
            case "int":
                return isinstance(value, int) and self._in_bounds(value)
            case "float":
                return isinstance(value, int | float) and math.isfinite(value) and self._in_bounds(value)
            case "list":
                return isinstance(value, list | tuple) and all(isinstance(entry, str) for entry in value)
            case _:
                return isinstance(value, str) and (self.type == "str" or value in self.choices)

    def _in_bounds(self, value: float) -> bool:
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        return not isinstance(value, bool) and low <= value <= high


class DeclaredSetting(Protocol):
    """A setting as a plugin's manifest declares it; every attribute is as in `Setting`."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def sentence(self) -> str: ...
    @property
    def choices(self) -> tuple[str, ...]: ...
    @property
    def min(self) -> float | None: ...
    @property
    def max(self) -> float | None: ...


@dataclass(frozen=True)
class SettingsSchema:
    """All settings there are, by name, in the order of the page."""

    settings: Mapping[str, Setting] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Iterable[Setting]) -> SettingsSchema:
        """A schema of some settings.

        Raises:
            ValueError: Two have the same name.
        """
        return cls().with_settings(settings)

    def with_settings(self, settings: Iterable[Setting]) -> SettingsSchema:
        """This schema and more settings.

        Raises:
            ValueError: A name is taken.
        """
        named = dict(self.settings)
        for setting in settings:
            if setting.name in named:
                raise ValueError(f"the setting {setting.name} is declared twice")
            named[setting.name] = setting
        return SettingsSchema(named)

    def with_plugin(self, declared: Iterable[DeclaredSetting]) -> SettingsSchema:
        """This schema and a plugin's settings.

        Raises:
            ValueError: A name is taken, or a default does not fit.
        """
        return self.with_settings(
            Setting(
                name=entry.name,
                type=entry.type,
                default=entry.default,
                sentence=entry.sentence,
                choices=entry.choices,
                minimum=entry.min,
                maximum=entry.max,
            )
            for entry in declared
        )

    def __getitem__(self, name: str) -> Setting:
        try:
            return self.settings[name]
        except KeyError:
            raise KeyError(f"no setting is called {name}") from None

    def __contains__(self, name: object) -> bool:
        return name in self.settings

    @property
    def tables(self) -> frozenset[str]:
        """The names of the tables its settings stand in."""
        return frozenset(name.rpartition(".")[0] for name in self.settings if "." in name)

    def closest(self, name: str) -> str:
        """The name that was perhaps meant, or nothing."""
        return next(iter(difflib.get_close_matches(name, self.settings, n=1)), "")


def _same(value: Any) -> Any:
    return value


def _words(error: ValidationError) -> str:
    """What pydantic found, as one sentence; the value itself is not repeated: it may be a key."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    reason = first["msg"].removeprefix("Value error, ")
    return f"{place}: {reason}" if place else reason
