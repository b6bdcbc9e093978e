"""The order of open documents: that of their tabs, and who was in front when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

Tab = TypeVar("Tab")


class TabOrder(Generic[Tab]):
    """Tabs from left to right, with one of them in front as long as there are any."""

    def __init__(self) -> None:
        self._tabs: list[Tab] = []
        self._recent: list[Tab] = []
        """Those that were in front, the latest first."""
        self._active: Tab | None = None

    @property
    def tabs(self) -> Sequence[Tab]:
        """From left to right."""
        return self._tabs

    @property
    def active(self) -> Tab | None:
        """The one in front."""
        return self._active

    @property
    def before(self) -> Tab | None:
        """The one that was in front before that; of tabs that never were, the first."""
        others = [tab for tab in (*self._recent, *self._tabs) if tab != self._active]
        return others[0] if others else None

    def insert(self, tab: Tab) -> None:
        """Put a tab right of the one in front, else last; it does not come to the front by that."""
        place = self._tabs.index(self._active) + 1 if self._active in self._tabs else len(self._tabs)
        self._tabs.insert(place, tab)

    def move(self, start: int, end: int) -> None:
        """Give the tab at one place another place."""
        self._tabs.insert(end, self._tabs.pop(start))

    def activate(self, tab: Tab) -> None:
        """Bring a tab to the front."""
        self._active = tab
        self._recent = [tab, *(one for one in self._recent if one is not tab)]

    def beside(self, steps: int) -> Tab | None:
        """The tab some steps right of the one in front; after the last comes the first."""
        if self._active is None:
            return None
        return self._tabs[(self._tabs.index(self._active) + steps) % len(self._tabs)]

    def remove(self, tab: Tab) -> None:
        """Take a tab away; one that was in front gives way to the one before it in time, else in place."""
        place = self._tabs.index(tab)
        self._tabs.remove(tab)
        self._recent = [one for one in self._recent if one != tab]
        if tab != self._active:
            return
        self._active = None
        if self._recent:
            self.activate(self._recent[0])
        elif self._tabs:
            self.activate(self._tabs[min(place, len(self._tabs) - 1)])
