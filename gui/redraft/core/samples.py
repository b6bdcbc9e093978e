"""The sample project: copied to where the user may change it, on the first start."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from redraft.core.assets import resource
from redraft.core.errors import FileError
from redraft.core.paths import data_folder

NAME: Final = "tideline"
FIRST_FILE: Final = "src/tideline/readings.py"


def sample_project() -> Path:
    """The folder of the user's own copy; one that is there stays as it is.

    Raises:
        FileError: It cannot be made.
    """
    folder = data_folder("samples") / NAME
    if not folder.exists():
        try:
            shutil.copytree(resource("samples") / NAME, folder, ignore=shutil.ignore_patterns("__pycache__"))
        except (OSError, shutil.Error) as error:
            raise FileError(f"The sample project cannot be copied to {folder}.") from error
    return folder
