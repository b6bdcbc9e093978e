"""The form in which a provider is set up: it shows a draft and reports what the user wants done with it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from redraft.api.prompt_block import ActionStyle
from redraft.qt.settings.connection_strip import ConnectionStrip
from redraft.qt.settings.fields import ChoiceField, ListField, Switch, TextField
from redraft.qt.settings.form_layout import GAP, LABEL, FormRow, Labelled
from redraft.qt.settings.key_line import KeyLine
from redraft.qt.settings.model_field import ModelField
from redraft.qt.settings.provider_draft import ProviderDraft
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton
from redraft.qt.widgets.nesting import nest

KINDS = (("openai", "OpenAI-compatible"), ("anthropic", "Anthropic Messages"), ("tabby", "Tabby"))
PURPOSES = (("inline_edit", "Inline edit"), ("edit_prediction", "Edit prediction"))
NOTES = {
    "context_tokens": "tokens",
    "max_output_tokens": "tokens",
    "connect_timeout": "s",
    "first_byte_timeout": "s",
    "idle_timeout": "s",
    "price_in": "$",
    "price_out": "$",
}
CODE = frozenset({"base_url", "extra_ca_file", "proxy"})
TEXT_FIELDS = (
    "name",
    "base_url",
    "context_tokens",
    "max_output_tokens",
    "temperature",
    "extra_ca_file",
    "connect_timeout",
    "first_byte_timeout",
    "idle_timeout",
    "price_in",
    "price_out",
    "proxy",
)


class ProviderForm(QWidget):
    """All fields of one provider, its test, and what can be done with it."""

    edited = Signal()
    save_wanted = Signal()
    revert_wanted = Signal()
    remove_wanted = Signal()
    default_wanted = Signal(str, bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._is_showing = False
        self.texts = {name: TextField(theme, note=NOTES.get(name, ""), code=name in CODE) for name in TEXT_FIELDS}
        self.headers = ListField(theme)
        self.kind = ChoiceField(theme, KINDS)
        self.key = KeyLine(theme)
        self.model = ModelField(theme)
        self.enabled = Switch(theme, on=True)
        self.defaults = {purpose: KeyButton(theme, label) for purpose, label in PURPOSES}
        self.more = KeyButton(theme, "Timeouts, prices, proxy, headers", icon="collapsed", style=ActionStyle.FLAT)
        self.choose = KeyButton(theme, "Choose…", large=True)
        self.strip = ConnectionStrip(theme)
        self.remove = KeyButton(theme, "Remove provider…", style=ActionStyle.REJECT)
        self.revert = KeyButton(theme, "Revert", style=ActionStyle.FLAT, large=True)
        self.save = KeyButton(theme, "Save", style=ActionStyle.PRIMARY, large=True)
        self.rows: dict[str, FormRow] = {}
        self._lay_out()
        self._connect()
        self.set_more(shown=False)

    def show_draft(self, draft: ProviderDraft) -> None:
        """Show a draft; that is no change of the user's."""
        self._is_showing = True
        for name, field in self.texts.items():
            field.set_value(getattr(draft, name))
        self.headers.set_value(draft.headers)
        self.kind.set_value(draft.kind)
        self.model.set_value(draft.model)
        self.enabled.set_value(draft.enabled)
        self.key.show_source(draft.key_kind, draft.key_detail, draft.key_host)
        self.key.set_host(draft.host)
        self.show_faults({})
        self._is_showing = False

    def draft(self) -> ProviderDraft:
        """What stands in the fields; a key that was typed is not part of it."""
        return ProviderDraft(
            **{name: field.value() for name, field in self.texts.items()},
            headers=self.headers.value(),
            kind=self.kind.value(),
            model=self.model.value(),
            key_kind=self.key.kind,
            key_detail=self.key.detail,
            key_host=self.key.bound_host,
            enabled=self.enabled.value(),
        )

    def show_faults(self, faults: Mapping[str, str]) -> None:
        """Say under each row what is wrong with it."""
        for name, field in self.texts.items():
            field.set_invalid(name in faults)
        for row in dict.fromkeys(self.rows.values()):
            names = [name for name, other in self.rows.items() if other is row]
            row.show_fault(next((faults[name] for name in names if name in faults), ""))
        if any(name in faults for name in ("price_in", "price_out", "proxy", "headers", *TIMEOUTS)):
            self.set_more(shown=True)

    def show_defaults(self, purposes: frozenset[str]) -> None:
        """Show for what the provider is the default."""
        for purpose, button in self.defaults.items():
            button.setCheckable(True)
            button.setChecked(purpose in purposes)
            button.set_icon("check" if purpose in purposes else "")
            state = "the default" if purpose in purposes else "not the default"
            button.setAccessibleDescription(f"This provider is {state}")

    def set_more(self, *, shown: bool) -> None:
        """Show or hide what is rarely needed."""
        self.more.set_icon("expanded" if shown else "collapsed")
        for name in ("connect_timeout", "price_in", "proxy", "headers"):
            self.rows[name].setVisible(shown)

    def _lay_out(self) -> None:
        texts = self.texts
        layout = QVBoxLayout(self)
        layout.setContentsMargins(47, 4, 14, 14)
        layout.setSpacing(10)
        for names, row in (
            (("name", "kind"), self._row(Labelled("Name", texts["name"], 250), Labelled("Kind", self.kind, 250))),
            (("base_url",), self._row(Labelled("Address", texts["base_url"]))),
            (("key",), self._row(Labelled("Key", self.key))),
            (("model",), self._row(Labelled("Model", self.model))),
            (SIZES, self._size_row()),
            (("extra_ca_file",), self._row(Labelled("Extra CA file", texts["extra_ca_file"]), tail=self.choose)),
            (("default",), self._default_row()),
            (TIMEOUTS, self._timeout_row()),
            (("price_in", "price_out"), self._price_row()),
            (("proxy",), self._row(Labelled("Proxy", texts["proxy"]))),
            (("headers",), self._row(Labelled("Headers", self.headers))),
        ):
            layout.addWidget(row)
            self.rows |= dict.fromkeys(names, row)
        nest(layout, _beside_labels(self.strip))
        nest(layout, self._action_row())
        texts["proxy"].setPlaceholderText('As in Network; "none" takes no proxy')
        self.headers.setPlaceholderText("X-Team: tides")
        for name, words in (("connect_timeout", "as in Network"), ("temperature", "the server's")):
            texts[name].setPlaceholderText(words)

    def _row(self, *fields: Labelled, tail: QWidget | None = None) -> FormRow:
        return FormRow(self._theme, fields, tail=tail)

    def _size_row(self) -> FormRow:
        return self._row(
            Labelled("Context size", self.texts["context_tokens"]),
            Labelled("Answer limit", self.texts["max_output_tokens"]),
            Labelled("Temperature", self.texts["temperature"]),
        )

    def _timeout_row(self) -> FormRow:
        return self._row(
            Labelled("Waits to connect", self.texts["connect_timeout"]),
            Labelled("First text", self.texts["first_byte_timeout"]),
            Labelled("Silence", self.texts["idle_timeout"]),
        )

    def _price_row(self) -> FormRow:
        return self._row(
            Labelled("Price of input", self.texts["price_in"]),
            Labelled("of output, a million tokens", self.texts["price_out"]),
        )

    def _default_row(self) -> FormRow:
        chosen = QWidget()
        line = QHBoxLayout(chosen)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        for button in self.defaults.values():
            line.addWidget(button)
        line.addStretch(1)
        line.addWidget(self.more)
        return FormRow(self._theme, (Labelled("Default for", chosen), Labelled("In use", self.enabled, 34)))

    def _action_row(self) -> QHBoxLayout:
        actions = QHBoxLayout()
        actions.setContentsMargins(LABEL + GAP, 0, 0, 0)
        actions.setSpacing(8)
        actions.addWidget(self.remove)
        actions.addStretch(1)
        actions.addWidget(self.revert)
        actions.addWidget(self.save)
        return actions

    def _connect(self) -> None:
        for field in self.texts.values():
            field.textEdited.connect(lambda _text: self._on_edited())
        self.texts["base_url"].textChanged.connect(lambda _text: self._on_address())
        self.headers.textChanged.connect(self._on_edited)
        self.kind.committed.connect(self._on_edited)
        self.model.editTextChanged.connect(lambda _text: self._on_edited())
        self.enabled.committed.connect(self._on_edited)
        self.key.changed.connect(self._on_edited)
        self.choose.clicked.connect(lambda _=False: self._on_choose())
        self.more.clicked.connect(lambda _=False: self.set_more(shown=not self.rows["proxy"].isVisibleTo(self)))
        self.save.clicked.connect(lambda _=False: self.save_wanted.emit())
        self.revert.clicked.connect(lambda _=False: self.revert_wanted.emit())
        self.remove.clicked.connect(lambda _=False: self.remove_wanted.emit())
        for purpose, button in self.defaults.items():
            button.clicked.connect(lambda _=False, name=purpose: self._on_default(name))

    def _on_edited(self) -> None:
        if not self._is_showing:
            self.rows["key"].show_fault(self.key.fault)
            self.edited.emit()

    def _on_address(self) -> None:
        self.model.forget_list()
        self.key.set_host(self.draft().host)
        self._on_edited()

    def _on_default(self, purpose: str) -> None:
        self.default_wanted.emit(purpose, self.defaults[purpose].isChecked())

    def _on_choose(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Certificates to trust", "", "Certificates (*.pem *.crt *.cer)")
        if chosen:
            self.texts["extra_ca_file"].setText(chosen)
            self._on_edited()


TIMEOUTS = ("connect_timeout", "first_byte_timeout", "idle_timeout")
SIZES = ("context_tokens", "max_output_tokens", "temperature")


def _beside_labels(widget: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setContentsMargins(LABEL + GAP, 2, 0, 2)
    line.addWidget(widget, 1, Qt.AlignmentFlag.AlignTop)
    return line
