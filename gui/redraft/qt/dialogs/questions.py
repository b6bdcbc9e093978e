"""The questions about files that must be answered before going on."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from redraft.qt.dialogs.ask import Choice, ask
from redraft.qt.theme import Theme


class Answer(Enum):
    """What should become of unsaved texts."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class Questions:
    """Asks with dialogs over the window."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        self._theme = theme
        self._window = window

    def set_theme(self, theme: Theme) -> None:
        """Ask in another theme."""
        self._theme = theme

    def about_unsaved(self, titles: Sequence[str]) -> Answer:
        """Whether to save what would be lost."""
        one = len(titles) == 1
        answer = ask(
            self._window,
            self._theme,
            f"Save the changes to {titles[0]}?" if one else f"Save the changes to {len(titles)} files?",
            "They are lost if you do not save them." if one else ", ".join(titles),
            (
                Choice("discard", "Don’t save"),
                Choice("cancel", "Cancel"),
                Choice("save", "Save" if one else "Save all", is_default=True),
            ),
        )
        return Answer(answer)

    def may_discard(self, title: str) -> bool:
        """Whether to lose the changes of a file by reading it anew."""
        return self._confirm(
            f"Reload {title} from disk?", "Your unsaved changes are lost; undo does not bring them back.", "Reload"
        )

    def may_overwrite(self, path: Path) -> bool:
        """Whether to write over what another program wrote."""
        return self._confirm(
            f"Overwrite {path.name}?",
            "Another program changed it since it was read. Its changes are lost if you overwrite them.",
            "Overwrite",
        )

    def may_drop_proposals(self, titles: Sequence[str]) -> bool:
        """Whether to close files with proposed hunks that are not decided."""
        names = ", ".join(titles)
        return self._confirm(
            "Close with undecided proposals?", f"{names} has proposed changes that are not in the file yet.", "Close"
        )

    def path_to_save(self, path: Path | None, title: str) -> Path | None:
        """Where to save."""
        start = str(path) if path else str(Path.cwd() / title)
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save as", start)
        return Path(chosen) if chosen else None

    def paths_to_open(self, start: Path | None) -> list[Path]:
        """Which files to open."""
        chosen, _ = QFileDialog.getOpenFileNames(self._window, "Open files", str(start or Path.cwd()))
        return [Path(path) for path in chosen]

    def folder_to_open(self, start: Path | None) -> Path | None:
        """Which folder to open."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Open folder", str(start or Path.cwd()))
        return Path(chosen) if chosen else None

    def _confirm(self, question: str, detail: str, action: str) -> bool:
        choices = (Choice("cancel", "Cancel"), Choice("go", action, is_default=True))
        return ask(self._window, self._theme, question, detail, choices) == "go"
