"""A key planted in each place a key may come from, and a search for it in everything that was written."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote, quote_plus

import keyring
import keyring.backend
import pytest

from redraft.core.config.secrets import store_key, store_key_in_file

KEY = 'planted/key+with "signs"=0815'
VARIABLE = "WORKSHOP_KEY"


class MemoryKeyring(keyring.backend.KeyringBackend):
    """A keyring that lasts as long as a test."""

    priority = 1

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


Plant = Callable[[str, pytest.MonkeyPatch, Path], Mapping[str, object]]
"""Plants the key for a host, and says what stands in the settings; files of its own go into the folder."""


def in_keyring(host: str, monkeypatch: pytest.MonkeyPatch, _folder: Path) -> Mapping[str, object]:
    ring = MemoryKeyring()
    monkeypatch.setattr(keyring, "get_keyring", lambda: ring)
    store_key(host, KEY)
    return {"key": "keyring"}


def in_variable(_host: str, monkeypatch: pytest.MonkeyPatch, _folder: Path) -> Mapping[str, object]:
    monkeypatch.setenv(VARIABLE, KEY)
    return {"key": f"env:{VARIABLE}"}


def in_command(_host: str, _monkeypatch: pytest.MonkeyPatch, folder: Path) -> Mapping[str, object]:
    script = folder / "tell_key.py"
    script.write_text(f"print({KEY!r})\n", encoding="utf-8")
    return {"key": f"command:{sys.executable} {script}"}


def in_file(host: str, _monkeypatch: pytest.MonkeyPatch, _folder: Path) -> Mapping[str, object]:
    store_key_in_file(host, KEY)
    return {"key": "file"}


def in_header(_host: str, _monkeypatch: pytest.MonkeyPatch, _folder: Path) -> Mapping[str, object]:
    return {"headers": {"X-Api-Key": KEY}}


WAYS: Mapping[str, Plant] = {
    "keyring": in_keyring,
    "env": in_variable,
    "command": in_command,
    "file": in_file,
    "header": in_header,
}


def shows_key(text: str | bytes) -> bool:
    """Whether the key stands in something, in whatever spelling."""
    text = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    spellings = {KEY, quote(KEY, safe=""), quote_plus(KEY), json.dumps(KEY)[1:-1], json.dumps(json.dumps(KEY))[2:-2]}
    return any(spelling in text for spelling in spellings)


def files_with_key(folder: Path) -> list[str]:
    """The files below a folder that hold the key, by their paths in it."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and shows_key(path.read_bytes()))
    return [path.relative_to(folder).as_posix() for path in found]
