"""The context keys in force: small facts about the window that when-expressions read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from redraft.api.disposable import Disposable, OnDispose
from redraft.host.listeners import Listeners


class ContextKeys(Mapping[str, object]):
    """The context keys in force; whoever asked hears which of them changed."""

    def __init__(self, defaults: Mapping[str, object] | None = None) -> None:
        self._values: dict[str, object] = dict(defaults or {})
        self._listeners: Listeners[frozenset[str]] = Listeners()

    def __getitem__(self, name: str) -> object:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def set(self, name: str, value: object) -> None:
        """Set one key."""
        self.update({name: value})

    def update(self, values: Mapping[str, object]) -> None:
        """Set several keys; those who listen hear once, and only of what is new."""
        changed = frozenset(
            name for name, value in values.items() if name not in self._values or self._values[name] != value
        )
        self._values.update(values)
        if changed:
            self._listeners.notify(changed)

    def remove(self, names: Iterable[str]) -> None:
        """Forget keys, as when the plugin that set them goes."""
        gone = frozenset(names) & self._values.keys()
        for name in gone:
            del self._values[name]
        if gone:
            self._listeners.notify(gone)

    def on_did_change(self, callback: Callable[[frozenset[str]], None]) -> Disposable:
        """Hear the names of the keys that changed."""
        return OnDispose(self._listeners.add(callback))
