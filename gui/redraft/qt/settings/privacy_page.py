"""The page of privacy: the one switch for AI, what is never sent, and the folders the user trusts."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from redraft.core.errors import FileError
from redraft.qt.settings.rows import ActionRow
from redraft.qt.settings.surfaces import Card, Words
from redraft.qt.settings.table_page import TablePage
from redraft.qt.widgets import IconButton, KeyButton

NONE_YET = "No folder is trusted. Presets, prompts and rules that a project brings are used once you trust its folder."


class PrivacyPage(TablePage):
    """The declared settings, then the list of trusted folders."""

    def build(self) -> None:
        """Fill the page."""
        super().build()
        self.add_heading("Trusted folders")
        self.folders = Card(self.theme)
        self.body.addWidget(self.folders)
        self.fault = Words(self.theme, color="state.error")
        self.fault.hide()
        self.body.addWidget(self.fault)
        self.list_folders()

    def list_folders(self) -> None:
        """Show the folders that are trusted now."""
        self.folders.clear()
        trusted = self.services.privacy.trusted_folders.folders()
        for folder in trusted:
            row = ActionRow(self.theme, str(folder), icon="folder")
            forget = IconButton(self.theme, "delete", f"Trust {folder} no longer")
            forget.clicked.connect(partial(self._on_forget, folder))
            row.add(forget)
            self.folders.add_row(row)
        last = ActionRow(self.theme, "Trust a folder", "" if trusted else NONE_YET)
        current = self.services.open_folder()
        if current is not None and not self.services.privacy.is_trusted(current):
            here = KeyButton(self.theme, f"Trust {current.name}")
            here.clicked.connect(partial(self._on_trust, current))
            last.add(here)
        choose = KeyButton(self.theme, "Choose…")
        choose.setAccessibleName("Choose a folder to trust")
        choose.clicked.connect(self._on_choose)
        last.add(choose)
        self.folders.add_row(last)

    def _on_choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Trust a folder and all below it")
        if chosen:
            self._on_trust(Path(chosen))

    def _on_trust(self, folder: Path, _checked: object = None) -> None:
        self._change(partial(self.services.privacy.trust, folder))

    def _on_forget(self, folder: Path, _checked: object = None) -> None:
        self._change(partial(self.services.privacy.trusted_folders.remove, folder))

    def _change(self, change: partial[None]) -> None:
        try:
            change()
        except FileError as error:
            self.fault.setText(str(error))
            self.fault.show()
        else:
            self.fault.hide()
            self.list_folders()
