"""The page of models: the providers as cards, one below the other, and a menu to add more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint, QTimer

from redraft.api.models import DownloadingProvider
from redraft.api.tasks import TaskHandle
from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.secrets import forget_key
from redraft.core.errors import ConfigError
from redraft.core.llm.discovery import FoundServer, discover
from redraft.qt.dialogs.ask import Choice, ask
from redraft.qt.settings.add_provider import AddMenu
from redraft.qt.settings.embedded_card import EmbeddedCard
from redraft.qt.settings.provider_card import CardActions, ProviderCard
from redraft.qt.settings.provider_draft import STORED, ProviderDraft
from redraft.qt.settings.provider_form import PURPOSES
from redraft.qt.settings.sections import settings_of
from redraft.qt.settings.surfaces import Card, Words
from redraft.qt.settings.table_page import MODEL_SETTINGS, TablePage
from redraft.qt.widgets import KeyButton

MODELS = "models"


class ModelsPage(TablePage):
    """Joins the cards with the settings; the first provider stands first."""

    find_servers = staticmethod(discover)

    def build(self) -> None:
        """Fill the page."""
        self.cards: list[ProviderCard] = []
        self.menu: AddMenu | None = None
        self._looking: TaskHandle | None = None
        self._actions = CardActions(self._save_row, self._on_remove, self._make_default, self._taken)
        self.add = KeyButton(self.theme, "Add provider", icon="add", large=True)
        self.add.clicked.connect(lambda _=False: self._on_add())
        self.buttons.addWidget(self.add)
        self.fault = Words(self.theme, color="state.error")
        self.fault.hide()
        self.body.addWidget(self.fault)
        self.list = Card(self.theme)
        self.body.addWidget(self.list)
        self.embedded = [self._make_embedded(provider) for provider in self.services.models.downloading_providers()]
        for row in self.services.store.get(MODELS):
            self._add_card(row)
        local = settings_of(self.about, self.services.store.schema)
        if local:
            self.add_heading("Embedded model")
            self.add_settings(local)
        self._follow()
        self._show_defaults()

    def show_entry(self, name: str) -> None:
        """Open a provider's card, and test its connection."""
        card = next((card for card in self.cards if card.row is not None and card.row.name == name), None)
        if card is not None:
            card.set_open(is_open=True)
            card.test()
            QTimer.singleShot(0, card, lambda: self.ensureWidgetVisible(card, 0, 0))

    def may_close(self) -> bool:
        """Whether no form has changes that are not saved, or the user gives them up."""
        names = [card.start.name for card in self.cards if card.is_edited]
        if not names:
            return True
        choices = (Choice("close", "Close"), Choice("cancel", "Keep editing", is_default=True))
        detail = "What you changed there is lost if you close the settings."
        question = f"Close without saving {', '.join(names)}?"
        return ask(self.window(), self.theme, question, detail, choices) == "close"

    def stop(self) -> None:
        """End what goes on."""
        for card in self.cards:
            card.stop()
        for embedded in self.embedded:
            embedded.stop()
        if self._looking is not None:
            self._looking.cancel()
        super().stop()

    def card_of(self, name: str) -> ProviderCard:
        """The card of a provider.

        Raises:
            KeyError: There is none of that name.
        """
        for card in self.cards:
            if card.start.name == name:
                return card
        raise KeyError(name)

    def _follow(self) -> None:
        store = self.services.store
        self.kept.add(store.on_did_change(MODELS, lambda _rows: self._on_rows_changed()))
        for purpose, _ in PURPOSES:
            self.kept.add(store.on_did_change(f"default_models.{purpose}", lambda _name: self._show_defaults()))

    def _make_embedded(self, provider: DownloadingProvider) -> EmbeddedCard:
        card = EmbeddedCard(self.theme, provider, self.services.downloads, self._make_default)
        self.list.add_row(card)
        return card

    def _add_card(self, row: ModelSettings | None, draft: ProviderDraft | None = None) -> ProviderCard:
        card = ProviderCard(self.theme, self.services, self._actions, row, draft)
        self.cards.append(card)
        self.list.add_row(card)
        return card

    def _on_rows_changed(self) -> None:
        """Show what the settings say now, whoever changed them; cards keep what is typed in them."""
        rows: dict[str, ModelSettings] = {row.name: row for row in self.services.store.get(MODELS)}
        for card in list(self.cards):
            if card.row is not None and card.row.name not in rows:
                self._drop(card)
        shown = {card.row.name: card for card in self.cards if card.row is not None}
        for name, row in rows.items():
            if name in shown:
                shown[name].show_row(row)
            else:
                self._add_card(row)
        self._show_defaults()

    def _drop(self, card: ProviderCard) -> None:
        card.stop()
        self.cards.remove(card)
        self.list.remove_row(card)

    def _show_defaults(self) -> None:
        models = self.services.models
        chosen = {purpose: models.default(purpose) for purpose, _ in PURPOSES}
        by_name: dict[str, set[str]] = {}
        for purpose, model in chosen.items():
            if model is not None:
                by_name.setdefault(model.name, set()).add(purpose)
        for card in self.cards:
            card.show_purposes(frozenset(by_name.get(card.row.name, ())) if card.row else frozenset())
        for embedded in self.embedded:
            name = next((name for name in by_name if name in embedded.rows), "")
            embedded.show_default(name, frozenset(by_name.get(name, ())))

    def _taken(self, row: ModelSettings | None) -> frozenset[str]:
        own = row.name if row is not None else ""
        return frozenset(other.name for other in self.services.store.get(MODELS) if other.name != own)

    def _save_row(self, before: ModelSettings | None, row: ModelSettings) -> None:
        store = self.services.store
        rows: list[ModelSettings] = list(store.get(MODELS))
        names = [other.name for other in rows]
        if before is not None and before.name in names:
            rows[names.index(before.name)] = row
        else:
            rows.append(row)
        store.set(MODELS, rows)
        for setting in self._settings_that_name(before.name if before is not None else ""):
            store.set(setting, row.name)

    def _settings_that_name(self, model: str) -> list[str]:
        store = self.services.store
        return [name for name in MODEL_SETTINGS if name in store.schema and model and store.get(name) == model]

    def _make_default(self, name: str, purpose: str, wanted: bool) -> None:  # noqa: FBT001 - a signal's value
        setting = f"default_models.{purpose}"
        self._try(
            partial(self.services.store.set, setting, name) if wanted else partial(self.services.store.reset, setting)
        )
        self._show_defaults()

    def _on_remove(self, card: ProviderCard) -> None:
        row = card.row
        if row is None:
            self._drop(card)
            return
        is_kept = row.key_source.kind in STORED
        detail = "Its key is forgotten too." if is_kept else "A key kept elsewhere stays where it is."
        choices = (Choice("cancel", "Cancel"), Choice("remove", "Remove", is_default=True))
        if ask(self.window(), self.theme, f"Remove {row.name}?", detail, choices) == "remove":
            self._try(partial(self._remove, row))

    def _remove(self, row: ModelSettings) -> None:
        store = self.services.store
        rows = [other for other in store.get(MODELS) if other.name != row.name]
        if rows:
            store.set(MODELS, rows)
        else:
            store.reset(MODELS)
        for setting in self._settings_that_name(row.name):
            store.reset(setting)
        source = row.key_source
        if source.kind in STORED and all(other.key_source != source for other in rows):
            self.services.tasks.run(
                asyncio.to_thread(forget_key, source), on_done=lambda _nothing: None, on_error=self._show_error
            )

    def _try(self, change: Callable[[], object]) -> None:
        self.fault.hide()
        try:
            change()
        except ConfigError as error:
            self._show_error(error)

    def _show_error(self, error: Exception) -> None:
        self.fault.setText(str(error))
        self.fault.show()

    def make_menu(self) -> AddMenu:
        """The menu of what can be added; servers that run on this computer join it as they are found."""
        taken = {card.start.name for card in self.cards}
        self.menu = AddMenu(self.theme, taken, self._on_chosen, self)
        if self._looking is not None:
            self._looking.cancel()
        self._looking = self.services.tasks.run(
            self.find_servers(), on_done=self._on_found, on_error=lambda _error: self._on_found([])
        )
        return self.menu

    def _on_add(self) -> None:
        self.make_menu().popup(self.add.mapToGlobal(QPoint(0, self.add.height() + 4)))

    def _on_found(self, servers: list[FoundServer]) -> None:
        self._looking = None
        if self.menu is not None:
            self.menu.show_found(servers, {card.start.host for card in self.cards})

    def _on_chosen(self, draft: ProviderDraft) -> None:
        card = self._add_card(None, draft)
        for other in self.cards:
            other.set_open(is_open=other is card)
        card.header.setFocus()
        QTimer.singleShot(0, card, lambda: self.ensureWidgetVisible(card))
