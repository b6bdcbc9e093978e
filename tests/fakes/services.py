"""Settings, storage, privacy, presets and log, held in memory."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redraft.api.disposable import Disposable, OnDispose
from redraft.core.llm.client import ModelInfo


class MemorySettings:
    """Settings in a dictionary."""

    def __init__(self, **values: Any) -> None:
        self.values: dict[str, Any] = {name.replace("__", "."): value for name, value in values.items()}
        self._listeners: list[tuple[str, Callable[[Any], None]]] = []

    def get(self, name: str) -> Any:
        return self.values[name]

    def set(self, name: str, value: Any) -> None:
        self.values[name] = value
        for wanted, callback in list(self._listeners):
            if wanted == name:
                callback(value)

    def on_did_change(self, name: str, callback: Callable[[Any], None]) -> Disposable:
        entry = (name, callback)
        self._listeners.append(entry)
        return OnDispose(lambda: self._listeners.remove(entry))


class MemoryStorage:
    """A plugin's files in a dictionary."""

    def __init__(self, folder: Path = Path("/nowhere")) -> None:
        self.files: dict[str, str] = {}
        self.data_folder = folder
        self.cache_folder = folder

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def write(self, name: str, text: str) -> None:
        self.files[name] = text


@dataclass
class OpenPrivacy:
    """Lets everything out but what `secret` names; trusts the folders in `trusted`."""

    ai_enabled: bool = True
    secret: set[Path] = field(default_factory=set)
    trusted: set[Path] = field(default_factory=set)

    def refusal(self, path: Path | None, *, model: ModelInfo | None = None) -> str:
        return f"{path.name} is named like a secret." if path in self.secret and path is not None else ""

    def allow(self, path: Path) -> None:
        self.secret.discard(path)

    def is_trusted(self, folder: Path) -> bool:
        return folder in self.trusted

    def trust(self, folder: Path) -> None:
        self.trusted.add(folder)


class ListedPresets:
    """Presets that plugins bring."""

    def __init__(self, *presets: Mapping[str, Any]) -> None:
        self._presets = presets

    def presets(self) -> Sequence[Mapping[str, Any]]:
        return self._presets


class QuietLog:
    """Keeps what was logged."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def debug(self, message: str, *args: object) -> None:
        self.lines.append(message % args)

    info = warning = error = debug


def plugin_settings(manifest: Path, **more: Any) -> MemorySettings:
    """The defaults of a manifest's settings, and more."""
    declared = tomllib.loads(manifest.read_text(encoding="utf-8")).get("settings", [])
    settings = MemorySettings(**more)
    settings.values = {entry["name"]: entry["default"] for entry in declared} | settings.values
    return settings
