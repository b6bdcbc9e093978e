"""Plugins written to a folder, as users write them, and a host around them."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent
from typing import Any, cast

from redraft.api.context import PluginContext
from redraft.api.disposable import Disposable, DisposableStack
from redraft.host.discovery import Origin, discover
from redraft.host.guard import Guard, PluginProblem
from redraft.host.manager import PluginManager
from redraft.host.manifest import PluginManifest
from redraft.host.registries import Registries

_numbers: Iterator[int] = itertools.count(1)


@dataclass
class RecordingContext:
    """A context that remembers what its plugin did with it; only what these tests need of the real one."""

    plugin_id: str
    kept: DisposableStack
    guard: Guard
    notes: list[object] = field(default_factory=list)

    def keep(self, item: Disposable) -> None:
        self.kept.add(item)


@dataclass
class Host:
    """A manager with real registries, and everything it said."""

    manager: PluginManager
    registries: Registries
    contexts: list[RecordingContext]
    problems: list[PluginProblem]


def write_plugin(folder: Path, manifest: str, **modules: str) -> str:
    """Write a plugin with a package name of its own; `PACKAGE` in its files stands for that. Returns the name."""
    name = f"sample_plugin_{next(_numbers)}"
    made = folder / name
    made.mkdir(parents=True)
    (made / "plugin.toml").write_text(dedent(manifest).replace("PACKAGE", name))
    for module, text in {"__init__": "", **modules}.items():
        (made / f"{module}.py").write_text(dedent(text).replace("PACKAGE", name))
    return name


def start_host(folder: Path, *, origin: Origin = Origin.USER, **options: Any) -> Host:
    """Discover the plugins in a folder and start a manager on them, as of that origin."""
    contexts: list[RecordingContext] = []

    def make_context(manifest: PluginManifest, kept: DisposableStack, guard: Guard) -> PluginContext:
        contexts.append(RecordingContext(manifest.id, kept, guard))
        return cast("PluginContext", contexts[-1])

    found = [replace(plugin, origin=origin) for plugin in discover(folder, entries=[]).plugins]
    registries = Registries.empty()
    manager = PluginManager(found, make_context, registries, **options)
    problems: list[PluginProblem] = []
    manager.on_problem(problems.append)
    manager.start()
    return Host(manager, registries, contexts, problems)


def forget_modules() -> None:
    """Take the samples out of the import system again."""
    for name in [name for name in sys.modules if name.startswith("sample_plugin_")]:
        del sys.modules[name]


def step_clock(steps: list[float]) -> Callable[[], float]:
    """A clock that reads the given times one after the other."""
    return iter(steps).__next__
