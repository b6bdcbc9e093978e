"""What the tests of the settings pages share."""

from __future__ import annotations

from collections.abc import Callable

from redraft.core.paths import config_folder
from redraft.qt.settings.window import SettingsWindow

Open = Callable[..., SettingsWindow]
"""Opens the window: at a page, with a text in the settings file."""


def file_text() -> str:
    """What stands in the settings file."""
    return (config_folder() / "settings.toml").read_text(encoding="utf-8")
