"""A plugin's own files and log, each in the folder its system keeps for it."""

from __future__ import annotations

import logging
from pathlib import Path, PurePosixPath

from redraft.core.errors import UsageError
from redraft.core.paths import cache_folder, data_folder, private_folder, state_folder
from redraft.core.whole_write import explain, write_whole


class PluginStorage:
    """Implements `redraft.api.services.Storage`, with the same folders in the window and on the command line."""

    def __init__(self, plugin_id: str) -> None:
        self._id = plugin_id

    def read(self, name: str) -> str | None:
        """The text stored under a name, or `None`.

        Raises:
            FileError: It is there and cannot be read.
        """
        path = self._path(name)
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise explain(error, path, "read") from error

    def write(self, name: str, text: str) -> None:
        """Store text under a name, for the user alone, whole or not at all.

        Raises:
            FileError: It cannot be written.
        """
        path = self._path(name)
        private_folder(path.parent)
        write_whole(path, text.encode("utf-8", "surrogatepass"), mode=0o600)

    @property
    def data_folder(self) -> Path:
        """For large things that can be fetched again (models)."""
        return data_folder()

    @property
    def cache_folder(self) -> Path:
        """For things that may vanish at any time."""
        return cache_folder()

    def _path(self, name: str) -> Path:
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or PurePosixPath(name).is_absolute() or "\0" in name or "\\" in name:
            raise UsageError(f"{name!r} is no name to store under.")
        return state_folder(self._id).joinpath(*parts)


class PluginLog:
    """Implements `redraft.api.services.Log` over the standard library's logging."""

    def __init__(self, plugin_id: str) -> None:
        self._log = logging.getLogger(f"redraft.plugins.{plugin_id}")

    def debug(self, message: str, *args: object) -> None:
        """For whoever looks for a fault."""
        self._log.debug(message, *args)

    def info(self, message: str, *args: object) -> None:
        """What went on."""
        self._log.info(message, *args)

    def warning(self, message: str, *args: object) -> None:
        """What went wrong and was mended."""
        self._log.warning(message, *args)

    def error(self, message: str, *args: object) -> None:
        """What went wrong."""
        self._log.error(message, *args)
