"""One provider on the page of models: its head, and once opened its form; it saves, and keeps keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from redraft.api.prompt_block import Tone
from redraft.api.tasks import TaskHandle
from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.secrets import KeySource, store_key, store_key_in_file
from redraft.core.errors import ConfigError, ModelUnavailable
from redraft.core.llm.chat import model_info
from redraft.core.llm.probe import ProbeReport
from redraft.core.llm.server import ServerConfig
from redraft.core.wording import count_words
from redraft.host.models import SWITCHED_OFF
from redraft.host.server_models import server_config
from redraft.qt.settings.card_header import CardHeader, HeaderModel, default_marks, state_mark
from redraft.qt.settings.provider_draft import ProviderDraft
from redraft.qt.settings.provider_form import ProviderForm
from redraft.qt.settings.server_inquiry import ServerInquiry
from redraft.qt.settings.services import SettingsServices
from redraft.qt.theme import Theme


@dataclass(frozen=True, slots=True)
class CardActions:
    """What a card asks its page to do; `save` takes the row before and after, and raises `ConfigError`."""

    save: Callable[[ModelSettings | None, ModelSettings], None]
    remove: Callable[[ProviderCard], None]
    make_default: Callable[[str, str, bool], None]
    taken: Callable[[ModelSettings | None], frozenset[str]]


class ProviderCard(QWidget):
    """A provider that is set up (`row`), or one that is not saved yet."""

    tested = Signal(object)

    def __init__(
        self,
        theme: Theme,
        services: SettingsServices,
        actions: CardActions,
        row: ModelSettings | None,
        draft: ProviderDraft | None = None,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._services = services
        self._actions = actions
        self._inquiry: ServerInquiry | None = None
        self._saving: TaskHandle | None = None
        self.row = row
        self.start = draft or (ProviderDraft.of(row) if row else ProviderDraft())
        self.purposes: frozenset[str] = frozenset()
        self.form: ProviderForm | None = None
        self.header = CardHeader(theme, HeaderModel(self.start.name))
        self.header.clicked.connect(lambda _=False: self.set_open(is_open=self.header.isChecked()))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.header)
        self.refresh()

    @property
    def report(self) -> ProbeReport | None:
        """What the last test found; `None` since something was changed."""
        return self._inquiry.report if self._inquiry is not None else None

    @property
    def is_edited(self) -> bool:
        """Whether something stands in the form that is not saved."""
        return self.form is not None and (self.form.draft() != self.start or bool(self.form.key.typed_key))

    def set_open(self, *, is_open: bool) -> None:
        """Show or hide the form, which is made when it is first wanted."""
        self.header.setChecked(is_open)
        self.header.update()
        if is_open or self.form is not None:
            self._form.setVisible(is_open)

    def show_row(self, row: ModelSettings) -> None:
        """The settings have changed; what is being typed is kept."""
        is_untouched = self.form is None or self.form.draft() == self.start
        self.row, self.start = row, ProviderDraft.of(row)
        if self.form is not None and is_untouched:
            self.form.show_draft(self.start)
        self.refresh()

    def show_purposes(self, purposes: frozenset[str]) -> None:
        """Show for what it is the default."""
        self.purposes = purposes
        if self.form is not None:
            self.form.show_defaults(purposes)
        self.refresh()

    def refresh(self) -> None:
        """Bring the head up to date."""
        draft = self.start
        state = (
            ("not saved", Tone.WARN)
            if self.row is None
            else ("off", Tone.PLAIN)
            if not draft.enabled
            else state_mark(self.report)
        )
        marks = [*default_marks(self.purposes), state]
        self.header.set_model(HeaderModel(draft.name, self._detail(draft), self._icon(), marks))

    def stop(self) -> None:
        """End what goes on."""
        if self._saving is not None:
            self._saving.cancel()
        if self._inquiry is not None:
            self._inquiry.stop()

    def _make_form(self) -> ProviderForm:
        form = ProviderForm(self._theme)
        form.show_draft(self.start)
        form.show_defaults(self.purposes)
        form.remove.set_label("Remove provider…" if self.row else "Discard")
        for button in form.defaults.values():
            button.setEnabled(self.row is not None)
        form.edited.connect(self._on_edited)
        form.save_wanted.connect(self._on_save)
        form.revert_wanted.connect(self._on_revert)
        form.remove_wanted.connect(lambda: self._actions.remove(self))
        form.default_wanted.connect(self._on_default)
        self._inquiry = ServerInquiry(self._services.tasks, form, self._config_to_ask)
        self._inquiry.tested.connect(self._on_tested)
        return form

    def _detail(self, draft: ProviderDraft) -> str:
        host = draft.host or "no address yet"
        if draft.model:
            return f"{draft.model} at {host}"
        if self.report is not None and self.report.models:
            return f"{count_words(len(self.report.models), 'model')} at {host}"
        if draft.key_kind == "keyring":
            return f"key in the system keyring, at {host}"
        return f"at {host}"

    def _icon(self) -> str:
        location = ""
        if self.row is not None:
            try:
                location = model_info(server_config(self.row, self._services.store)).location
            except ModelUnavailable:
                location = ""
        return {"cloud": "model_cloud", "embedded": "model_local"}.get(location, "model_server")

    # Saving.

    def _on_edited(self) -> None:
        self._cancel_test()
        self._form.save.set_label("Save")
        if self.is_edited and self._inquiry is not None:
            self._inquiry.forget()

    def _on_revert(self) -> None:
        self._cancel_test()
        self._form.show_draft(self.start)
        self._form.show_defaults(self.purposes)

    def _on_save(self) -> None:
        form, draft = self._form, self._whole_draft()
        if draft is None or self._saving is not None:
            return
        if key := form.key.typed_key:
            form.save.setEnabled(False)
            keep = store_key if draft.key_kind == "keyring" else store_key_in_file
            self._saving = self._services.tasks.run(
                asyncio.to_thread(keep, draft.host, key), on_done=self._on_key_kept, on_error=self._on_key_refused
            )
        else:
            self._save(draft)

    def _on_key_kept(self, source: KeySource) -> None:
        self._saving = None
        form = self._form
        form.save.setEnabled(True)
        form.key.show_source(source.kind, "", source.host)
        self._save(replace(form.draft(), key_host=source.host))

    def _on_key_refused(self, error: Exception) -> None:
        self._saving = None
        self._form.save.setEnabled(True)
        self._form.show_faults({"key": str(error)})

    def _save(self, draft: ProviderDraft) -> None:
        form = self._form
        try:
            row = draft.settings(self.row)
            before, self.row, self.start = self.row, row, ProviderDraft.of(row)
            try:
                self._actions.save(before, row)
            except ConfigError:
                self.row = before
                self.start = ProviderDraft.of(before) if before else draft
                raise
        except (ConfigError, ValueError) as error:
            form.show_faults({"name": str(error)})
            return
        form.show_draft(self.start)
        form.remove.set_label("Remove provider…")
        form.save.set_label("Saved")
        for button in form.defaults.values():
            button.setEnabled(True)
        self.refresh()

    def _on_default(self, purpose: str, wanted: bool) -> None:  # noqa: FBT001 - a signal's value
        if self.row is not None:
            self._actions.make_default(self.row.name, purpose, wanted)

    # Testing.

    def test(self) -> None:
        """Test the connection, as the form describes it."""
        self._form.strip.test_wanted.emit()

    def _cancel_test(self) -> None:
        if self._inquiry is not None:
            self._inquiry.cancel()

    def _on_tested(self) -> None:
        self.refresh()
        self.tested.emit(self.report)

    def _config_to_ask(self) -> ServerConfig | None:
        """The server as the form describes it, or nothing where that makes no sense yet."""
        form = self._form
        if not self._services.privacy.ai_enabled:
            form.strip.show_failure(SWITCHED_OFF)
            return None
        draft = self._whole_draft()
        if draft is None:
            return None
        key = form.key.typed_key
        if key:
            draft = replace(draft, key_kind="none", key_host="")
        config = server_config(draft.settings(self.row), self._services.store)
        return replace(config, key=lambda: key, key_host=draft.host) if key else config

    def _whole_draft(self) -> ProviderDraft | None:
        """What stands in the form, where that makes sense; else its faults are shown."""
        form = self._form
        draft = form.draft()
        faults = draft.faults(self._actions.taken(self.row))
        if form.key.misses_key:
            faults["key"] = "Paste the key, or choose another place for it."
        form.show_faults(faults)
        return None if faults else draft

    @property
    def _form(self) -> ProviderForm:
        """The form, made when it is first wanted."""
        if self.form is None:
            self.form = self._make_form()
            self._layout.addWidget(self.form)
            self.form.setVisible(self.header.isChecked())
        return self.form
