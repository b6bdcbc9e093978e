"""Menus as values: built from what the manifests declare, drawn by the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from redraft.api.disposable import Disposable, OnDispose
from redraft.host.contributions import MenuContribution
from redraft.host.listeners import Listeners
from redraft.host.when import ALWAYS, WhenExpression


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A command in a menu.

    Attributes:
        title: Shown instead of the command's own title; empty to show that.
        when: The entry is there only while this holds.
        args: Handed to the command.
    """

    command: str
    title: str = ""
    when: WhenExpression = ALWAYS
    args: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu: groups of entries, with a line between each two groups."""

    title: str
    groups: tuple[tuple[MenuItem | Menu, ...], ...] = ()


class MenuRegistry:
    """All menu entries there are."""

    def __init__(self) -> None:
        self._entries: list[MenuContribution] = []
        self._listeners: Listeners[None] = Listeners()

    def add(self, entries: Iterable[MenuContribution]) -> Disposable:
        """Add the entries of a manifest."""
        added = list(entries)
        self._entries.extend(added)
        self._listeners.notify(None)
        return OnDispose(lambda: self._remove(added))

    def menu_bar(self) -> tuple[Menu, ...]:
        """The menus of the menu bar, in the order first declared; their names begin with a capital letter."""
        tops = dict.fromkeys(entry.menu.partition("/")[0] for entry in self._entries if entry.menu[:1].isupper())
        return tuple(self.menu(top) for top in tops)

    def menu(self, path: str) -> Menu:
        """One menu by its path (`"View"`, `"View/Zoom"`, `"editor/context"`), empty where nothing is declared for it.

        A submenu stands in the group of its first entry.
        """
        placed: list[tuple[str, int, MenuItem | Menu]] = [
            (entry.group, entry.order, _item(entry)) for entry in self._entries if entry.menu == path
        ]
        placed.extend((*place, self.menu(child)) for child, place in self._children(path).items())
        placed.sort(key=lambda place: place[:2])
        groups = groupby(placed, key=lambda place: place[0])
        return Menu(path.rpartition("/")[2], tuple(tuple(item for *_, item in places) for _, places in groups))

    def on_did_change(self, callback: Callable[[], None]) -> Disposable:
        """Hear that entries came or went."""
        return OnDispose(self._listeners.add(lambda _nothing: callback()))

    def _children(self, path: str) -> dict[str, tuple[str, int]]:
        """The submenus right below a path, each with its place: that of its first entry."""
        places: dict[str, tuple[str, int]] = {}
        for entry in self._entries:
            if entry.menu.startswith(f"{path}/"):
                child = f"{path}/{entry.menu[len(path) + 1 :].partition('/')[0]}"
                place = (entry.group, entry.order)
                places[child] = min(places.get(child, place), place)
        return places

    def _remove(self, added: list[MenuContribution]) -> None:
        gone = {id(entry) for entry in added}
        self._entries = [entry for entry in self._entries if id(entry) not in gone]
        self._listeners.notify(None)


def _item(entry: MenuContribution) -> MenuItem:
    return MenuItem(entry.command, entry.title, WhenExpression.parse(entry.when), entry.args)
