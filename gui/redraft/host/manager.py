"""The plugins in force: declared at the start, activated on first use, turned off when they keep failing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Final, Literal

from redraft.api.context import PluginContext
from redraft.api.disposable import Disposable, DisposableStack, OnDispose
from redraft.core.errors import UsageError
from redraft.host.contributions import CommandContribution
from redraft.host.discovery import FoundPlugin, Origin
from redraft.host.guard import Guard, PluginProblem
from redraft.host.listeners import Listeners
from redraft.host.loader import fetch_aside, is_fetched, load_target
from redraft.host.manifest import PluginManifest
from redraft.host.registries import Registries, declare
from redraft.host.watchdog import Watchdog

ContextFactory = Callable[[PluginManifest, DisposableStack, Guard], PluginContext]
"""Makes what a plugin is handed: `context.keep` adds to the stack, and callbacks are wrapped by the guard, which is
closed when the plugin goes."""

WaitFor = Callable[[Callable[[], bool]], None]
"""Comes back once something holds, or after a limit, and keeps at work meanwhile what must not stand still."""

MOST_FAULTS: Final = 3
"""A plugin with this many faults is turned off until the user or the next start brings it back."""


class PluginState(StrEnum):
    """What a plugin does now."""

    READY = "ready"
    """Declared; its code waits for the first use."""
    ACTIVE = "active"
    OFF = "off"
    """The user turned it off, or safe mode did."""
    FAULTY = "faulty"
    """Turned off after too many faults."""


@dataclass(frozen=True, slots=True)
class PluginStatus:
    """One plugin, as the settings page shows it."""

    plugin: FoundPlugin
    state: PluginState
    faults: int = 0
    last_fault: str = ""


@dataclass(slots=True)
class _Running:
    """What the manager knows of one plugin; `declared` and `kept` are what to take back."""

    status: PluginStatus
    guard: Guard
    declared: DisposableStack = field(default_factory=DisposableStack)
    kept: DisposableStack = field(default_factory=DisposableStack)
    context: PluginContext | None = None

    def take_back(self) -> None:
        """End what its activation began."""
        self.context = None
        self.kept.dispose()


class PluginManager:
    """All plugins that were found. Every call into one of them goes through its guard.

    `wait_for` waits for the code of a command, and until `is_ready`; without one, the caller stands still meanwhile.

    ```
    OFF ──enable──▶ READY ──first use──▶ ACTIVE
     ▲                │ ◀──deactivate──────┤
     └────disable─────┴────────────────────┤
    FAULTY ◀──third fault──────────────────┘   (enable brings it back)
    ```
    """

    def __init__(
        self,
        plugins: Iterable[FoundPlugin],
        context_factory: ContextFactory,
        registries: Registries,
        *,
        disabled: Collection[str] = (),
        safe_mode: bool = False,
        guards: Callable[..., Guard] | None = None,
    ) -> None:
        self._context_factory = context_factory
        self._registries = registries
        self._problems: Listeners[PluginProblem] = Listeners()
        self._changes: Listeners[PluginStatus] = Listeners()
        self._plugins: dict[str, _Running] = {}
        self._make_guard = partial(guards or partial(Guard, watchdog=Watchdog()), on_problem=self._on_problem)
        for plugin in plugins:
            manifest = plugin.manifest
            guard = self._make_guard(manifest.id, manifest.name)
            self._plugins[manifest.id] = _Running(PluginStatus(plugin, PluginState.OFF), guard)
        self._disabled = set(disabled)
        self._safe_mode = safe_mode
        self.wait_for: WaitFor | None = None
        self.is_ready: Callable[[], bool] = lambda: True

    def start(self) -> None:
        """Declare what the enabled plugins offer; none of their code is fetched. In safe mode, nothing is declared."""
        for plugin_id in () if self._safe_mode else self._plugins:
            if plugin_id not in self._disabled:
                self._declare(plugin_id)

    def stop(self) -> None:
        """Deactivate all, the one found last first, and take back what they declared."""
        for plugin_id in reversed(self._plugins):
            self._withdraw(plugin_id, PluginState.OFF)

    def statuses(self) -> tuple[PluginStatus, ...]:
        """Every plugin, in the order found."""
        return tuple(running.status for running in self._plugins.values())

    def status(self, plugin_id: str) -> PluginStatus:
        """One plugin.

        Raises:
            UsageError: There is none of that id.
        """
        return self._get(plugin_id).status

    def enabled(self) -> tuple[PluginManifest, ...]:
        """The manifests of the plugins that are not off."""
        return tuple(status.plugin.manifest for status in self.statuses() if _is_on(status))

    def activate(self, plugin_id: str) -> PluginContext | None:
        """Fetch a plugin's code and hand it its context, once; `None` if it is off or that fails."""
        running = self._get(plugin_id)
        if running.context is None and _is_on(running.status):
            running.guard.call("its activation", self._activate, running)
        return running.context

    def activate_on(self, event: Literal["editor"]) -> None:
        """Activate the plugins that asked for an event."""
        for manifest in self.enabled():
            if manifest.activate_on == event:
                self.activate(manifest.id)

    def deactivate(self, plugin_id: str) -> None:
        """Take back what an active plugin registered; its commands stay, and activate it anew on their next use."""
        running = self._get(plugin_id)
        if running.context is not None:
            running.guard.call("its end", running.take_back)
            if _is_on(running.status):
                self._set_status(running, state=PluginState.READY)

    def enable(self, plugin_id: str) -> None:
        """Bring a plugin back, whoever turned it off; its faults are forgotten."""
        running = self._get(plugin_id)
        self._disabled.discard(plugin_id)
        if not _is_on(running.status):
            running.status = replace(running.status, faults=0, last_fault="")
            self._declare(plugin_id)

    def disable(self, plugin_id: str) -> None:
        """Turn a plugin off, and take back everything it offers."""
        self._disabled.add(plugin_id)
        self._withdraw(plugin_id, PluginState.OFF)

    @property
    def disabled(self) -> frozenset[str]:
        """The plugins the user turned off, to be remembered; faults and safe mode last for one run only."""
        return frozenset(self._disabled)

    def call(self, plugin_id: str, what: str, address: str, *args: object) -> bool:
        """Call `module:function` of a plugin with its context, activating it first; return whether it went well."""
        context = self.activate(plugin_id)
        if context is None:
            return False
        running = self._get(plugin_id)
        self._await_code(running.status.plugin, address)
        return running.guard.call(what, lambda: load_target(running.status.plugin, address)(context, *args))

    def on_problem(self, callback: Callable[[PluginProblem], None]) -> Disposable:
        """Hear what plugins have to say to the user, and which of them failed."""
        return OnDispose(self._problems.add(callback))

    def on_did_change(self, callback: Callable[[PluginStatus], None]) -> Disposable:
        """Hear that a plugin's state changed."""
        return OnDispose(self._changes.add(callback))

    def _get(self, plugin_id: str) -> _Running:
        try:
            return self._plugins[plugin_id]
        except KeyError:
            raise UsageError(f"There is no plugin {plugin_id!r}.") from None

    def _declare(self, plugin_id: str) -> None:
        running = self._plugins[plugin_id]
        self._set_status(running, state=PluginState.READY)
        manifest = running.status.plugin.manifest
        running.guard.call("its manifest", declare, manifest, self._registries, running.declared, self._handler)

    def _handler(self, plugin_id: str, command: CommandContribution) -> Callable[..., object]:
        return lambda *args: self.call(plugin_id, f"“{command.title}”", command.handler, *args)

    def _activate(self, running: _Running) -> None:
        manifest = running.status.plugin.manifest
        kept, guard = DisposableStack(), self._make_guard(manifest.id, manifest.name)
        kept.add(OnDispose(guard.close))  # added first, so closed last: what is kept may still say goodbye
        context = self._context_factory(manifest, kept, guard)
        running.kept = kept
        if manifest.activate:
            try:
                load_target(running.status.plugin, manifest.activate)(context)
            except BaseException:
                kept.dispose()
                raise
        running.context = context
        self._set_status(running, state=PluginState.ACTIVE)

    def _await_code(self, plugin: FoundPlugin, address: str) -> None:
        """Have the code of a command fetched away from the caller's thread, if that has a way to wait for it.

        A user's own plugin is fetched under its guard alone: it may never come back, and only there it is stopped.
        """
        if self.wait_for is None or plugin.origin is Origin.USER:
            return
        if not is_fetched(address):
            thread = fetch_aside(address)
            self.wait_for(lambda: not thread.is_alive())
        if not self.is_ready():
            self.wait_for(self.is_ready)

    def _withdraw(self, plugin_id: str, state: PluginState) -> None:
        running = self._get(plugin_id)
        if _is_on(running.status):
            self._set_status(running, state=state)
            self.deactivate(plugin_id)
            running.declared.dispose()

    def _on_problem(self, problem: PluginProblem) -> None:
        running = self._plugins[problem.plugin_id]
        if problem.is_fault:
            faults = running.status.faults + 1
            running.status = replace(running.status, faults=faults, last_fault=problem.message)
            if faults >= MOST_FAULTS and _is_on(running.status):
                self._withdraw(problem.plugin_id, PluginState.FAULTY)
                problem = replace(problem, message=f"{problem.message} It is off now.", is_off=True)
            else:
                self._changes.notify(running.status)
        self._problems.notify(problem)

    def _set_status(self, running: _Running, *, state: PluginState) -> None:
        running.status = replace(running.status, state=state)
        self._changes.notify(running.status)


def _is_on(status: PluginStatus) -> bool:
    return status.state in {PluginState.READY, PluginState.ACTIVE}
