"""Calling a plugin so that what goes wrong in it stays in it, and is known by name."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, ParamSpec

from redraft.core.errors import PluginError, RedraftError
from redraft.host.watchdog import CallbackStopped, Watchdog

P = ParamSpec("P")

SLOW_SECONDS: Final = 0.2
"""A callback that holds its thread longer than this is named in the log."""


@dataclass(frozen=True, slots=True)
class PluginProblem:
    """Something a plugin did that the user should hear of.

    Attributes:
        message: One sentence to show.
        is_fault: Whether it is the plugin's own fault; else the message is what the plugin wanted to say.
        is_off: Whether the plugin was turned off because of it; one click should bring it back.
    """

    plugin_id: str
    message: str
    is_fault: bool
    is_off: bool = False


class Guard:
    """Calls functions of one plugin.

    `RedraftError`s are messages to the user (no model, no selection) and no faults. Everything else that is raised
    is a fault, and is written to the log with its traceback.
    """

    def __init__(
        self,
        plugin_id: str,
        name: str,
        *,
        on_problem: Callable[[PluginProblem], None],
        watchdog: Watchdog | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._id = plugin_id
        self._name = name
        self._on_problem = on_problem
        self._watchdog = watchdog or Watchdog()
        self._clock = clock
        self._is_closed = False
        self._log = logging.getLogger(f"redraft.plugins.{plugin_id}")

    def call(self, what: str, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Call a function; `what` names it in log and message. Returns whether it went well."""
        began = self._clock()
        try:
            with self._watchdog.watching():
                function(*args, **kwargs)
        except (Exception, SystemExit, CallbackStopped) as error:  # noqa: BLE001 - whatever a plugin may raise
            self._report(what, error)
            return False
        else:
            return True
        finally:
            self._watch(what, self._clock() - began)

    def wrap(self, what: str, function: Callable[P, Any]) -> Callable[P, None]:
        """The same function, guarded; it does nothing once the guard is closed."""

        def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
            if not self._is_closed:
                self.call(what, function, *args, **kwargs)

        return guarded

    def close(self) -> None:
        """Let nothing that was wrapped run any more: the plugin is gone, whatever it forgot to take back."""
        self._is_closed = True

    def _report(self, what: str, error: BaseException) -> None:
        if isinstance(error, RedraftError) and not isinstance(error, PluginError):
            self._log.info("%s: %s", what, error)
            self._on_problem(PluginProblem(self._id, str(error), is_fault=False))
            return
        self._log.error("The plugin %s failed in %s", self._name, what, exc_info=error)
        words = str(error) or type(error).__name__
        detail = words if isinstance(error, PluginError) else f"{type(error).__name__}: {words}"
        message = f"The plugin “{self._name}” failed in {what}: {detail.rstrip('.')}. The log has the details."
        self._on_problem(PluginProblem(self._id, message, is_fault=True))

    def _watch(self, what: str, seconds: float) -> None:
        if seconds > SLOW_SECONDS:
            self._log.warning("The plugin %s held its thread for %d ms in %s", self._name, seconds * 1000, what)
