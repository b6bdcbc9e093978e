"""What may leave this machine: the AI switch, files that are never sent unasked, and the folders the user trusts."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any, Final

from redraft.api.services import SettingsView
from redraft.core.llm.client import ModelInfo
from redraft.core.paths import state_folder
from redraft.core.patterns import pattern_list
from redraft.core.whole_write import write_whole

AI_SETTING: Final = "privacy.ai_enabled"
NEVER_SEND_SETTING: Final = "privacy.never_send"
_log = logging.getLogger(__name__)


class PrivacyRules:
    """The user's rules; implements `redraft.api.services.Privacy`."""

    def __init__(self, settings: SettingsView, trusted_folders: TrustStore | None = None) -> None:
        self._settings = settings
        self.trusted_folders = trusted_folders or TrustStore()
        self._allowed: set[Path] = set()

    @property
    def ai_enabled(self) -> bool:
        """Whether any model may be asked."""
        return bool(self._settings.get(AI_SETTING))

    def refusal(self, path: Path | None, *, model: ModelInfo | None = None) -> str:
        """Why a file's text may not be sent without asking, as one sentence; empty where it may."""
        if path is None or (model is not None and model.location == "embedded"):
            return ""
        if path.absolute() in self._allowed:
            return ""
        pattern = self.never_send_pattern(path)
        return f"{path.name} is never sent without asking (Settings, Privacy: {pattern})." if pattern else ""

    def never_send_pattern(self, path: Path) -> str:
        """The last of the user's patterns that names a file, by its own path or where a link leads; or nothing."""
        # Names differ in case between systems; a secret is one in any case.
        patterns = pattern_list(tuple(self._settings.get(NEVER_SEND_SETTING)), ignores_case=True)
        names = dict.fromkeys(part for place in (path.absolute(), path.resolve()) for part in _tails(place))
        return next((pattern for name in names if (pattern := patterns.find(name))), "")

    def allow(self, path: Path) -> None:
        """The user agreed that this file's text is sent, until the program ends."""
        self._allowed.add(path.absolute())

    def is_trusted(self, folder: Path) -> bool:
        """Whether prompts, presets and rules from a project folder may be used."""
        return self.trusted_folders.is_trusted(folder)

    def trust(self, folder: Path) -> None:
        """The user trusts a folder and all below it from now on.

        Raises:
            FileError: It cannot be remembered.
        """
        self.trusted_folders.add(folder)


class TrustStore:
    """The folders the user trusts, remembered in the state folder."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or state_folder() / "trusted_folders.json"
        self._folders: set[str] | None = None

    def is_trusted(self, folder: Path) -> bool:
        """Whether a folder or one above it is trusted."""
        place = folder.resolve()
        return any(str(parent) in self._trusted() for parent in (place, *place.parents))

    def folders(self) -> tuple[Path, ...]:
        """The folders that are trusted, in order."""
        return tuple(Path(folder) for folder in sorted(self._trusted()))

    def add(self, folder: Path) -> None:
        """Trust a folder and all below it.

        Raises:
            FileError: It cannot be remembered.
        """
        self._save(self._trusted() | {str(folder.resolve())})

    def remove(self, folder: Path) -> None:
        """Trust a folder no longer.

        Raises:
            FileError: It cannot be remembered.
        """
        self._save(self._trusted() - {str(folder.resolve())})

    def _trusted(self) -> set[str]:
        if self._folders is None:
            self._folders = _read_folders(self._path)
        return self._folders

    def _save(self, folders: set[str]) -> None:
        write_whole(self._path, json.dumps(sorted(folders), indent=1).encode(), mode=0o600)
        self._folders = folders


def _read_folders(path: Path) -> set[str]:
    """An absent or unreadable list trusts nothing."""
    try:
        stored: Any = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return set()
    except (OSError, ValueError) as error:
        _log.warning("The list of trusted folders %s cannot be read, so none is trusted: %s", path, error)
        return set()
    return {entry for entry in stored if isinstance(entry, str)} if isinstance(stored, list) else set()


def _tails(path: Path) -> list[str]:
    """A path and every tail of it, so that `.kube/config` is found wherever it lies."""
    parts = [part for part in path.parts if part != path.anchor]
    return ["/".join(parts[start:]) for start in range(len(parts))]
