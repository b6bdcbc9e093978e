"""Fetching a plugin's code, at the moment it is needed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from redraft.core.errors import PluginError
from redraft.host.discovery import FoundPlugin, Origin


def load_target(plugin: FoundPlugin, address: str) -> Callable[..., Any]:
    """The function at `package.module:function` of a plugin; its package is imported if that has not happened yet.

    Raises:
        PluginError: There is no such function; whatever the module itself raises comes through as it is.
    """
    module_name, _, name = address.partition(":")
    if plugin.origin is Origin.USER:
        _mount(plugin)
    target = getattr(import_module(module_name), name, None)
    if not callable(target):
        raise PluginError(f"The plugin {plugin.manifest.id!r} has no function {address!r}, which its manifest names.")
    found: Callable[..., Any] = target
    return found


def is_fetched(address: str) -> bool:
    """Whether the module of `module:function` has been imported, all of it."""
    module = sys.modules.get(address.partition(":")[0])
    # The import system's own mark; it has no public name.
    return module is not None and not getattr(module.__spec__, "_initializing", False)


def fetch_aside(address: str) -> threading.Thread:
    """Import the module of `module:function` in a thread; what goes wrong is seen by who needs it."""

    def fetch() -> None:
        with suppress(Exception):
            import_module(address.partition(":")[0])

    thread = threading.Thread(target=fetch, name="fetch", daemon=True)
    thread.start()
    return thread


def _mount(plugin: FoundPlugin) -> None:
    """Make a plugin folder importable under its own name, without opening the folder around it to imports."""
    if plugin.package in sys.modules:
        return
    start = plugin.folder / "__init__.py"
    places = [str(plugin.folder)]
    if start.is_file():
        spec = spec_from_file_location(plugin.package, start, submodule_search_locations=places)
    else:
        spec = ModuleSpec(plugin.package, None, is_package=True)
        spec.submodule_search_locations = places
    if spec is None:
        raise PluginError(f"The plugin folder {plugin.folder} cannot be imported.")
    module = module_from_spec(spec)
    sys.modules[plugin.package] = module
    if spec.loader is not None:
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[plugin.package]
            raise
