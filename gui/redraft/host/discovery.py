"""Finding plugins by their manifests alone; none of their code is imported here."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from redraft.core.errors import PluginError
from redraft.host.manifest import BUILT_IN, PluginManifest, read_manifest

GROUP: Final = "redraft.plugins"
"""The entry-point group; an entry is `name = "package:plugin.toml"`."""

MANIFEST: Final = "plugin.toml"


class Origin(StrEnum):
    """Where a plugin comes from."""

    BUILT_IN = "built-in"
    BUNDLED = "bundled"
    """Comes with Redraft."""
    INSTALLED = "installed"
    """A package the user installed."""
    USER = "user"
    """A folder in the user's plugin folder."""


@dataclass(frozen=True, slots=True)
class FoundPlugin:
    """A plugin whose manifest was read.

    Attributes:
        package: The import name its code stands under.
        folder: Where manifest and code are.
    """

    manifest: PluginManifest
    origin: Origin
    package: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Discovery:
    """All that was found, and what is wrong with the rest."""

    plugins: tuple[FoundPlugin, ...]
    faults: tuple[PluginError, ...]


def discover(user_folder: Path | None = None, *, entries: Iterable[EntryPoint] | None = None) -> Discovery:
    """Find the plugins that are installed and those in the user's plugin folder.

    A plugin that cannot be used becomes a fault and does not keep the others from being found. Of two with the same
    id the one found first counts: bundled, installed, user.
    """
    plugins: dict[str, FoundPlugin] = {}
    faults: list[PluginError] = []
    installed = entry_points(group=GROUP) if entries is None else entries
    for found in (*_installed(installed), *_in_folder(user_folder)):
        if isinstance(found, PluginError):
            faults.append(found)
        elif (fault := _clash(found, plugins)) is not None:
            faults.append(fault)
        else:
            plugins[found.manifest.id] = found
    return Discovery(tuple(plugins.values()), tuple(faults))


def _clash(found: FoundPlugin, plugins: dict[str, FoundPlugin]) -> PluginError | None:
    manifest = found.manifest
    if manifest.id == BUILT_IN or (manifest.id in plugins):
        return PluginError(f"The plugin in {found.folder} is left out: the id {manifest.id!r} is taken.")
    outside = next((address for address in manifest.targets() if not _is_inside(address, found.package)), None)
    if outside is not None:
        return PluginError(
            f"The plugin {manifest.id!r} is left out: {outside!r} is not in its own package, {found.package!r}."
        )
    return None


def _is_inside(address: str, package: str) -> bool:
    module = address.partition(":")[0]
    return module == package or module.startswith(f"{package}.")


def _installed(entries: Iterable[EntryPoint]) -> Iterator[FoundPlugin | PluginError]:
    found = [_read_entry(entry) for entry in entries]
    # An editable install and a wheel of the same thing may both be on the path; the same file counts once.
    unique = {plugin.folder: plugin for plugin in reversed(found) if isinstance(plugin, FoundPlugin)}
    yield from sorted(unique.values(), key=lambda plugin: (plugin.origin is not Origin.BUNDLED, plugin.manifest.id))
    yield from (fault for fault in found if isinstance(fault, PluginError))


def _read_entry(entry: EntryPoint) -> FoundPlugin | PluginError:
    package, _, file = entry.value.partition(":")
    try:
        folder = _package_folder(package.strip())
        manifest = read_manifest(folder / (file.strip() or MANIFEST))
    except PluginError as error:
        return error
    is_ours = entry.dist is not None and entry.dist.name.lower() == BUILT_IN
    return FoundPlugin(manifest, Origin.BUNDLED if is_ours else Origin.INSTALLED, package.strip(), folder)


def _package_folder(package: str) -> Path:
    """Where a package is. Only the top-level name is looked up: looking up a dotted one would import its parents."""
    top, *below = package.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError) as error:
        raise PluginError(f"The plugin package {package!r} cannot be found: {error}.") from error
    if spec is None or not spec.submodule_search_locations:
        raise PluginError(f"The plugin package {package!r} cannot be found; install its distribution again.")
    folders = [Path(place, *below) for place in spec.submodule_search_locations]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


def _in_folder(user_folder: Path | None) -> Iterator[FoundPlugin | PluginError]:
    if user_folder is None or not user_folder.is_dir():
        return
    for path in sorted(user_folder.glob(f"*/{MANIFEST}")):
        yield _read_folder(path.parent)


def _read_folder(folder: Path) -> FoundPlugin | PluginError:
    name = folder.name
    if not name.isidentifier():
        return PluginError(f"The plugin folder {folder} is left out: rename it to letters, digits and underscores.")
    if name in sys.stdlib_module_names or PathFinder.find_spec(name) is not None:
        return PluginError(f"The plugin folder {folder} is left out: there is a Python module {name!r} already.")
    try:
        return FoundPlugin(read_manifest(folder / MANIFEST), Origin.USER, name, folder)
    except PluginError as error:
        return error
