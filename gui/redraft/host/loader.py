"""Fetching a plugin's code, at the moment it is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable
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


def is_on_its_way(address: str) -> bool:
    """Whether a thread is importing the module of `module:function` at this moment.

    Whoever imported it too would wait for that thread, holding everything up.
    """
    module = sys.modules.get(address.partition(":")[0])
    # The import system's own mark; it has no public name.
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))


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
