"""What the tests of the settings pages share."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from host.samples import RecordingContext
from redraft.api.context import PluginContext
from redraft.api.disposable import DisposableStack
from redraft.core.paths import config_folder
from redraft.host.guard import Guard
from redraft.host.manifest import PluginManifest
from redraft.qt.settings.window import SettingsWindow

Open = Callable[..., SettingsWindow]
"""Opens the window: at a page, with a text in the settings file."""


def file_text() -> str:
    """What stands in the settings file."""
    return (config_folder() / "settings.toml").read_text(encoding="utf-8")


def make_context(manifest: PluginManifest, kept: DisposableStack, guard: Guard) -> PluginContext:
    """What a plugin is handed here: it writes down what is done with it."""
    return cast("PluginContext", RecordingContext(manifest.id, kept, guard))
