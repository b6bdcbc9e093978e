"""The page about Redraft: its version, what it is built of, and where its files are."""

from __future__ import annotations

import asyncio
import platform
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import Distribution, PackageNotFoundError, distribution, requires, version
from pathlib import Path
from typing import Final

from PySide6.QtCore import QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication

from redraft.core.paths import cache_folder, config_folder, data_folder, state_folder
from redraft.qt.settings.page import Page
from redraft.qt.settings.rows import ActionRow
from redraft.qt.settings.sections import Section
from redraft.qt.settings.services import SettingsServices
from redraft.qt.settings.surfaces import Card
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton, PlainLabel


@dataclass(frozen=True, slots=True)
class Library:
    """A part that others made."""

    name: str
    version: str
    licence: str

    @classmethod
    def of(cls, found: Distribution) -> Library:
        """What a package says of itself."""
        return cls(str(found.metadata["Name"]), found.version, licence_of(found))


FONTS: Final = (Library("Inter", "", "OFL-1.1"), Library("JetBrains Mono NL", "", "OFL-1.1"))


class AboutPage(Page):
    """Versions, folders and licences."""

    def __init__(self, theme: Theme, about: Section, services: SettingsServices) -> None:
        super().__init__(theme, about)
        self._settings_file = services.store.path
        self._open_file = services.open_file
        self.body.addWidget(self._make_versions())
        self.add_heading("Folders")
        self.body.addWidget(self._make_folders())
        self.add_heading("Built with")
        self.libraries = Card(self.theme)
        self.body.addWidget(self.libraries)
        # Reading what some thirty packages say of themselves takes a while.
        self._reading = services.tasks.run(
            asyncio.to_thread(lambda: [Library.of(found) for found in libraries()]),
            on_done=self._on_read,
            on_error=lambda _error: self._on_read([]),
        )

    def _make_versions(self) -> Card:
        card = Card(self.theme)
        row = ActionRow(self.theme, f"Redraft {version('redraft')}", "A model proposes, you decide. MIT licence.")
        copy = KeyButton(self.theme, "Copy versions")
        copy.clicked.connect(lambda _=False: QGuiApplication.clipboard().setText(versions()))
        row.add(copy)
        card.add_row(row)
        return card

    def _make_folders(self) -> Card:
        card = Card(self.theme)
        row = ActionRow(self.theme, "Settings file", str(self._settings_file), icon="file")
        button = KeyButton(self.theme, "Open")
        button.setAccessibleName("Open the settings file")
        button.clicked.connect(lambda _=False: self._open_file(self._settings_file, 0))
        row.add(button)
        card.add_row(row)
        for name, folder in folders():
            row = ActionRow(self.theme, name, str(folder), icon="folder")
            button = KeyButton(self.theme, "Show")
            button.setAccessibleName(f"Show the folder: {name}")
            button.clicked.connect(partial(_show_folder, folder))
            row.add(button)
            card.add_row(row)
        return card

    def stop(self) -> None:
        """End what goes on."""
        self._reading.cancel()
        super().stop()

    def _on_read(self, found: Sequence[Library]) -> None:
        for library in (*found, *FONTS):
            row = ActionRow(self.theme, f"{library.name} {library.version}".strip())
            row.add(PlainLabel(self.theme, library.licence, font="small", color="text.muted"))
            self.libraries.add_row(row)


def folders() -> list[tuple[str, Path]]:
    """The folders in which people's files are, each with what is in it."""
    return [
        ("Settings and prompts", config_folder()),
        ("Histories, sessions and logs", state_folder()),
        ("Models and plugins", data_folder()),
        ("Answers kept for reuse", cache_folder()),
    ]


def versions() -> str:
    """The versions that matter in a report, a line each."""
    return "\n".join((
        f"Redraft {version('redraft')}",
        f"Python {platform.python_version()}, Qt {qVersion()}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
    ))  # fmt: skip


def libraries() -> Iterator[Distribution]:
    """The libraries that are asked for, by name, as far as they are here."""
    wanted = {re.split(r"[\s<>=!~;\[(]", line, maxsplit=1)[0] for line in requires("redraft") or ()}
    for name in sorted(wanted, key=str.casefold):
        try:
            yield distribution(name)
        except PackageNotFoundError:
            continue


def licence_of(found: Distribution) -> str:
    """A library's licence: its SPDX expression where it names one, else what its classifiers say."""
    metadata = found.metadata
    expressions = metadata.get_all("License-Expression") or ()
    kinds = [line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or () if line.startswith("License")]
    texts = [text.partition("\n")[0] for text in metadata.get_all("License") or ()]
    return next((words for words in (*expressions, ", ".join(kinds), *texts) if words), "see the package")


def _show_folder(folder: Path, _checked: object = None) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
