"""What the settings pages stand on, handed to them as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.api.tasks import Tasks
from redraft.core.config.store import SettingsStore
from redraft.core.prompts import PromptLibrary
from redraft.host.assembly import PluginHost
from redraft.host.models import ModelService
from redraft.host.privacy import PrivacyRules
from redraft.host.registries import Registries
from redraft.qt.settings.downloads import Downloads


@dataclass(frozen=True, slots=True)
class SettingsServices:
    """The services behind the pages.

    Attributes:
        presets: The presets that plugins declare, as `Services.presets` lists them.
        plugins: The host that turns plugins on and off.
        open_file: Shows a file in the editor, at a line counted from 1; 0 names none.
        open_folder: The folder open in the window, if there is one.
    """

    store: SettingsStore
    models: ModelService
    tasks: Tasks
    registries: Registries
    prompts: PromptLibrary
    privacy: PrivacyRules
    presets: Callable[[], Sequence[Mapping[str, Any]]]
    plugins: PluginHost
    downloads: Downloads
    open_file: Callable[[Path, int], None]
    open_folder: Callable[[], Path | None] = lambda: None
