"""What a manifest may declare: commands, menus, keys, settings, panels, presets, models, sub-commands."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from redraft.host.keys import Key
from redraft.host.when import WhenExpression

NAME_PATTERN: Final = r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$"
TARGET_PATTERN: Final = r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$"

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
"""Lower-case words joined by dots and underscores: `inline_edit.open`."""

Target = Annotated[str, StringConstraints(pattern=TARGET_PATTERN)]
"""A function by its address: `package.module:function`."""

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class Contribution(BaseModel):
    """A table of a manifest: frozen, and without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


def check_when(text: str) -> str:
    """Refuse a condition that does not parse, where it is declared."""
    WhenExpression.parse(text)
    return text


class CommandContribution(Contribution):
    """Something the user can do.

    Attributes:
        handler: What is called, first with the plugin's context; empty where the application registers it by itself.
        when: The command can run only while this holds.
        checked: While this holds, its menu entry carries a check mark; empty for commands that are no switches.
        palette: Whether the command palette lists it.
    """

    id: Name
    title: Text
    handler: Target | Literal[""] = ""
    icon: str = ""
    category: str = ""
    when: str = ""
    checked: str = ""
    palette: bool = True

    _conditions = field_validator("when", "checked")(check_when)


class MenuContribution(Contribution):
    """A command's place in a menu.

    Attributes:
        menu: The menu's path (`"File"`, `"View/Zoom"`), or a context menu (`"editor/context"`, `"tab/context"`).
        group: Entries of a group stand together; groups are sorted by name and separated by a line.
        order: The place within the group; entries with the same order keep the order of the manifests.
        title: Shown instead of the command's title.
        when: The entry is there only while this holds.
    """

    menu: Text
    command: Name
    group: str = ""
    order: int = 0
    title: str = ""
    when: str = ""
    args: tuple[Any, ...] = ()

    _conditions = field_validator("when")(check_when)


class KeybindingContribution(Contribution):
    """A key for a command, with further keys that do the same.

    Attributes:
        key: The key whose label is shown.
        secondary: More keys.
        when: The keys act only while this holds, and win over keys that always act.
        args: Handed to the command.
    """

    command: Name
    key: str
    secondary: tuple[str, ...] = ()
    when: str = ""
    args: tuple[Any, ...] = ()

    _conditions = field_validator("when")(check_when)

    @field_validator("key", mode="after")
    @classmethod
    def _normal_key(cls, text: str) -> str:
        return str(Key.parse(text))

    @field_validator("secondary", mode="after")
    @classmethod
    def _normal_keys(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(str(Key.parse(text)) for text in texts)


class SettingContribution(Contribution):
    """A setting of the plugin; its dotted name begins with the plugin's id."""

    name: Name
    type: Literal["bool", "int", "float", "str", "choice", "list"]
    default: bool | int | float | str | tuple[str, ...]
    sentence: Text
    choices: tuple[str, ...] = ()
    min: float | None = None
    max: float | None = None

    @model_validator(mode="after")
    def _default_fits(self) -> SettingContribution:
        kinds: dict[str, type | tuple[type, ...]] = {
            "bool": bool,
            "int": int,
            "float": (int, float),
            "str": str,
            "choice": str,
            "list": tuple,
        }
        is_flag = isinstance(self.default, bool)
        if not isinstance(self.default, kinds[self.type]) or is_flag != (self.type == "bool"):
            raise ValueError(f"the default {self.default!r} is not of type {self.type}")
        if self.type == "choice" and self.default not in self.choices:
            raise ValueError(f"the default {self.default!r} is none of the choices")
        return self


class PanelContribution(Contribution):
    """A side panel."""

    id: Name
    title: Text
    icon: str = ""
    command: str = ""


class ModelProviderContribution(Contribution):
    """A source of models; the factory is called with the plugin's context and returns a `ModelProvider`."""

    id: Name
    factory: Target
    title: str = ""


class CliContribution(Contribution):
    """A sub-command of the command line, as `redraft --help` lists it; its code is found by entry point."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*$")]
    help: Text


class ContextContribution(Contribution):
    """A context key that when-expressions may read."""

    name: Name
    description: Text
    default: Annotated[bool | int | str, Field(union_mode="left_to_right")] = False
