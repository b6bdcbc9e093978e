"""Where people's files are: settings, state, data and caches, each in the folder their system keeps for it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from platformdirs import PlatformDirs

from redraft.core.whole_write import explain

FOLDERS: Final = PlatformDirs("redraft", appauthor=False)


def config_folder(*parts: str) -> Path:
    """Settings and the user's own prompts; made if need be, for the user alone."""
    return private_folder(Path(FOLDERS.user_config_path, *parts))


def state_folder(*parts: str) -> Path:
    """Histories, sessions, recovery and logs; made if need be, for the user alone."""
    return private_folder(Path(FOLDERS.user_state_path, *parts))


def data_folder(*parts: str) -> Path:
    """Models and plugins; made if need be, for the user alone."""
    return private_folder(Path(FOLDERS.user_data_path, *parts))


def cache_folder(*parts: str) -> Path:
    """What may vanish at any time; made if need be, for the user alone."""
    return private_folder(Path(FOLDERS.user_cache_path, *parts))


def private_folder(folder: Path) -> Path:
    """Make a folder, and those above it, that only the user may enter; one that is there stays as it is.

    Raises:
        FileError: It cannot be made.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    try:
        for part in reversed(missing):
            part.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise explain(error, folder, "written") from error
    return folder
