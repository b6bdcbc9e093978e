"""A menu as a plugin describes it: a heading, and sections of rows to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.api.prompt_block import Tone


@dataclass(frozen=True, slots=True)
class MenuRow:
    """One row; without an id it only tells something.

    Attributes:
        id: Handed back when it is chosen.
        label: What it says.
        note: More, quietly, at the right.
        icon: A meaning from the theme's table.
        dot: A coloured dot in place of an icon.
        is_checked: Whether a tick stands before it.
    """

    id: str
    label: str
    note: str = ""
    icon: str = ""
    dot: Tone | None = None
    is_checked: bool = False


@dataclass(frozen=True, slots=True)
class MenuSection:
    """Rows between two lines, with a small heading where there is one."""

    rows: tuple[MenuRow, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class MenuModel:
    """A whole menu.

    Attributes:
        title: Its heading.
        text: A sentence below that.
        sections: The rows.
    """

    title: str
    text: str
    sections: tuple[MenuSection, ...]
