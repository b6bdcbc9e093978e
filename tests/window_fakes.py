"""Stand-ins for people: they answer what the window asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from redraft.qt.dialogs.questions import Answer, Questions
from redraft.qt.theme import Theme


class PresetQuestions(Questions):
    """Gives the answers that were set, and keeps what was asked."""

    def __init__(self, *_: object) -> None:
        self.asked: list[str] = []
        self.unsaved = Answer.CANCEL
        self.consent = True
        self.save_path: Path | None = None
        self.open_paths: list[Path] = []
        self.folder: Path | None = None

    def set_theme(self, theme: Theme) -> None:
        """Answers have no look."""

    def about_unsaved(self, titles: Sequence[str]) -> Answer:
        self.asked.append(f"unsaved {', '.join(titles)}")
        return self.unsaved

    def may_discard(self, title: str) -> bool:
        self.asked.append(f"discard {title}")
        return self.consent

    def may_overwrite(self, path: Path) -> bool:
        self.asked.append(f"overwrite {path.name}")
        return self.consent

    def may_drop_proposals(self, titles: Sequence[str]) -> bool:
        self.asked.append(f"proposals {', '.join(titles)}")
        return self.consent

    def path_to_save(self, path: Path | None, title: str) -> Path | None:
        self.asked.append(f"save {title}")
        return self.save_path

    def paths_to_open(self, start: Path | None) -> list[Path]:
        return self.open_paths

    def folder_to_open(self, start: Path | None) -> Path | None:
        return self.folder
