"""What a search found: the settings themselves, each with the page it stands on."""

from __future__ import annotations

from PySide6.QtCore import Signal

from redraft.core.config.schema import Setting
from redraft.core.wording import count_words
from redraft.qt.palette.matching import Match, rank
from redraft.qt.settings.sections import SECTIONS, Section, is_plain, page_of, section, title_of
from redraft.qt.settings.services import SettingsServices
from redraft.qt.settings.surfaces import Card
from redraft.qt.settings.table_page import TablePage
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton

ABOUT = Section("search", "Search", "search", "")
MOST = 24
"""Most settings that are listed."""

GOOD = 0.6
"""Share of the best score below which nothing is listed."""

WHOLE_WORD = 100
"""Score above which a page's title is meant, not only likened."""


class ResultsPage(TablePage):
    """The settings that fit what is typed, best first; `page_wanted` names a page that fits."""

    page_wanted = Signal(str)

    def __init__(self, theme: Theme, services: SettingsServices) -> None:
        super().__init__(theme, ABOUT, services)

    def build(self) -> None:
        """Nothing was typed yet."""
        self.pages: list[KeyButton] = []
        self._card: Card | None = None

    def search(self, typed: str) -> None:
        """Show what fits."""
        self._empty()
        settings = find(typed, self.services)
        titles = [entry.title for entry in SECTIONS]
        pages = [SECTIONS[match.place] for match in rank(typed, titles) if match.score > WHOLE_WORD]
        for entry in pages[:3]:
            self._add_page(entry)
        self._card = self.add_settings(settings)
        count = len(settings)
        words = count_words(count, "setting")
        self.sentence.setText(
            f"{words} for “{typed.strip()}”." if count or pages else f"Nothing fits “{typed.strip()}”."
        )

    def _add_page(self, entry: Section) -> None:
        button = KeyButton(self.theme, entry.title, icon=entry.icon, large=True)
        button.setAccessibleDescription(f"Open the page {entry.title}")
        button.clicked.connect(lambda _=False: self.page_wanted.emit(entry.id))
        self.buttons.addWidget(button)
        self.pages.append(button)

    def _empty(self) -> None:
        self.kept.dispose()
        self.rows.clear()
        for widget in (*self.pages, self._card):
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.pages, self._card = [], None


def find(typed: str, services: SettingsServices) -> list[Setting]:
    """The settings whose name, title, page or sentence fits, the best first."""
    settings = [setting for setting in services.store.schema.settings.values() if is_plain(setting)]
    texts = [
        f"{title_of(setting)} {section(page_of(setting)).title} {setting.name} {setting.sentence}"
        for setting in settings
    ]
    return [settings[match.place] for match in _good(typed, texts)]


def _good(typed: str, texts: list[str]) -> list[Match]:
    """The best matches; letters that merely stand somewhere in a sentence are none beside whole words."""
    matches = rank(typed, texts, MOST)
    return [match for match in matches if match.score > matches[0].score * GOOD]
