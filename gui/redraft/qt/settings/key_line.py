"""Where a provider's key comes from. A key that is typed here goes to the keyring, never into a setting or a log."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from redraft.core.log import redact
from redraft.qt.settings.fields import ChoiceField, TextField
from redraft.qt.settings.provider_draft import STORED
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton

PLACES = (
    ("none", "No key"),
    ("keyring", "System keyring"),
    ("env", "Environment variable"),
    ("command", "Command"),
    ("file", "Private file"),
)
DOTS = "•" * 12
HINTS = {"none": "Requests carry no key", "env": "OPENAI_API_KEY", "command": "pass show openai"}


class KeyLine(QWidget):
    """The place, what belongs to it, and the host the key is bound to."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._host = ""
        self._bound_host = ""
        self._has_stored = ""
        self._is_entering = False
        self.place = ChoiceField(theme, PLACES, icon="key")
        self.place.setFixedWidth(176)
        self.place.setAccessibleName("Where the key is")
        self.box = TextField(theme, code=True)
        self.button = KeyButton(theme, "Replace…", large=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self.place)
        layout.addWidget(self.box, 1)
        layout.addWidget(self.button)
        self.place.committed.connect(self._on_place)
        self.box.textEdited.connect(self._on_edited)
        self.button.clicked.connect(lambda _=False: self._on_button())
        self.setFocusProxy(self.place)

    @property
    def kind(self) -> str:
        """The place, as in `KeySource`."""
        return self.place.value()

    @property
    def detail(self) -> str:
        """The variable's name or the command's words."""
        return "" if self.kind in STORED or self.kind == "none" else self.box.text().strip()

    @property
    def bound_host(self) -> str:
        """The host the key may go to; empty while there is no key."""
        return self._bound_host

    @property
    def typed_key(self) -> str:
        """The key that was typed and is not kept yet; it is redacted everywhere from now on."""
        key = self.box.text().strip() if self._is_entering else ""
        redact(key)
        return key

    @property
    def misses_key(self) -> bool:
        """Whether a key must still be typed."""
        return self.kind in STORED and self._is_entering and not self.box.text().strip()

    @property
    def fault(self) -> str:
        """Why the key will not be sent, if so."""
        if self.kind == "none" or not self._bound_host or self._bound_host == self._host or self._is_entering:
            return ""
        return f"This key is bound to {self._bound_host}, so it is not sent to {self._host or 'this address'}."

    def show_source(self, kind: str, detail: str, bound_host: str) -> None:
        """Show where the key of a provider is; whatever was typed is forgotten."""
        self.place.set_value(kind)
        self._has_stored = kind if kind in STORED and bound_host else ""
        self._bound_host = bound_host
        self._is_entering = kind in STORED and not self._has_stored
        self.box.setText("")  # unlike `clear`, this leaves nothing to undo
        if kind not in STORED:
            self.box.set_value(detail)
        self._refresh()

    def set_host(self, host: str) -> None:
        """The address leads to another host; a key that is bound stays with its own."""
        self._host = host
        self._refresh()

    def _on_place(self) -> None:
        self.box.setText("")  # unlike `clear`, this leaves nothing to undo
        self._is_entering = self.kind in STORED and self.kind != self._has_stored
        self._bound_host = "" if self.kind == "none" or self._is_entering else (self._bound_host or self._host)
        self._refresh()
        self.changed.emit()

    def _on_edited(self, _text: str) -> None:
        if self.kind in {"env", "command"} and not self._bound_host:
            self._bound_host = self._host
        self._refresh_note()
        self.changed.emit()

    def _on_button(self) -> None:
        if self.kind in STORED:
            self._is_entering = not self._is_entering
            self.box.setText("")  # unlike `clear`, this leaves nothing to undo
        else:
            self._bound_host = self._host
        self._refresh()
        if self._is_entering:
            self.box.setFocus()
        self.changed.emit()

    def _refresh(self) -> None:
        kind = self.kind
        is_kept = kind in STORED and not self._is_entering
        self.box.setEchoMode(QLineEdit.EchoMode.Password if self._is_entering else QLineEdit.EchoMode.Normal)
        self.box.setReadOnly(is_kept)
        self.box.setEnabled(kind != "none")
        if is_kept:
            self.box.setText(DOTS)
        elif kind == "none":
            self.box.setText("")  # unlike `clear`, this leaves nothing to undo
        self.box.setPlaceholderText(self._hint)
        self.box.setAccessibleName("Key" if kind in STORED else dict(PLACES).get(kind, "Key"))
        self._refresh_button()
        self._refresh_note()

    @property
    def _hint(self) -> str:
        if self._is_entering:
            return "Paste the key" if self.kind == "keyring" else "Paste the key; the file is plain text"
        return HINTS.get(self.kind, "")

    def _refresh_button(self) -> None:
        if self.kind in STORED:
            self.button.set_label("Keep the old one" if self._is_entering else "Replace…")
            self.button.setVisible(bool(self._has_stored) and self._has_stored == self.kind)
        else:
            self.button.set_label(f"Use for {self._host}")
            self.button.setVisible(bool(self.fault) and bool(self._host))

    def _refresh_note(self) -> None:
        host = self._host if self._is_entering else (self._bound_host or self._host)
        self.box.set_note(f"bound to {host}" if host and self.kind != "none" else "")
