"""All presets there are for a window: built in, from plugins, the user's own, and the open folder's once trusted."""

from __future__ import annotations

from pathlib import Path

from redraft.api.context import PluginContext
from redraft.core.errors import RedraftError
from redraft.core.paths import config_folder
from redraft_inline_edit.presets.preset import PresetSource, PresetTable
from redraft_inline_edit.presets.tables import BUILT_IN, presets_from_plugins, presets_from_settings
from redraft_inline_edit.sources import PROJECT_PRESETS, presets_in, project_rules


class Library:
    """Reads presets and rules afresh, and says once what is wrong with them."""

    def __init__(self, context: PluginContext) -> None:
        self._context = context
        self._told: set[str] = set()
        self._asked: set[Path] = set()

    def presets(self) -> PresetTable:
        """The presets as they are now."""
        found, errors = list(BUILT_IN), list[RedraftError]()
        plugged, faults = presets_from_plugins(self._context.contributions.presets())
        found += plugged
        errors += faults
        for folder, source in self._folders():
            presets, wrong = presets_in(folder, source)
            found += presets
            errors += wrong
        own, faults = presets_from_settings(self._context.settings.get("presets"), found)
        found = [*own, *found]  # of two of the same source, what the settings say counts
        errors += faults
        for error in errors:
            self.tell(str(error))
        return PresetTable(found)

    def rules(self) -> str:
        """The rules of the open folder, where it is trusted; empty where there are none."""
        folder = self._context.editor.folder
        names = self._context.settings.get("inline_edit.rules_files")
        return project_rules(folder, names) if folder is not None and self._is_trusted(folder) else ""

    def _folders(self) -> list[tuple[Path, PresetSource]]:
        folders = [(config_folder() / "presets", PresetSource.YOURS)]
        folder = self._context.editor.folder
        if folder is not None and (folder / PROJECT_PRESETS).is_dir() and self._is_trusted(folder):
            folders.append((folder / PROJECT_PRESETS, PresetSource.PROJECT))
        return [entry for entry in folders if entry[0].is_dir()]

    def _is_trusted(self, folder: Path) -> bool:
        """Whether the folder is trusted; if it has something to say, the user is asked once."""
        if self._context.privacy.is_trusted(folder):
            return True
        names = self._context.settings.get("inline_edit.rules_files")
        has_more = any((folder / name).is_file() for name in names) or (folder / PROJECT_PRESETS).is_dir()
        if has_more and folder not in self._asked:
            self._asked.add(folder)
            self._context.ui.notify(
                f"{folder.name} brings presets or rules for models; they are used once you trust it.",
                action="Trust this folder",
                on_action=lambda: self._context.privacy.trust(folder),
            )
        return False

    def tell(self, message: str) -> None:
        """Say something once."""
        if message not in self._told:
            self._told.add(message)
            self._context.ui.notify(message)
