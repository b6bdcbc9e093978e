from __future__ import annotations

import logging
import stat
import sys
from pathlib import Path

import keyring
import keyring.errors
import pytest

from planted import MemoryKeyring
from redraft.core import log
from redraft.core.config.secrets import (
    KeySource,
    forget_key,
    host_of,
    resolve_key,
    store_key,
    store_key_in_file,
)
from redraft.core.config.store import SettingsStore
from redraft.core.errors import ConfigError

HOST = "api.example.com"
KEY = "planted-key-0815"


@pytest.fixture(autouse=True)
def fresh_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "_SECRETS", log._Secrets())


def command(code: str) -> KeySource:
    return KeySource.parse(f'command:{sys.executable} -c "{code}"', host=HOST)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("", KeySource("none", host=HOST)),
        ("keyring", KeySource("keyring", host=HOST)),
        ("env: OPENAI_API_KEY", KeySource("env", "OPENAI_API_KEY", HOST)),
        ("command:pass show work/api", KeySource("command", "pass show work/api", HOST)),
        ("file", KeySource("file", host=HOST)),
    ],
)
def test_a_source_is_one_short_text(text: str, source: KeySource) -> None:
    assert KeySource.parse(text, host="API.example.com") == source


@pytest.mark.parametrize("text", [KEY, "sk-planted", "env:", "env:a-b", "command:", "keyring:x", "file:/etc/passwd"])
def test_a_key_in_its_place_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="does not stand in the settings") as caught:
        KeySource.parse(text)
    assert "planted" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://API.Example.com/v1", "api.example.com"),
        ("https://h:443/", "h"),
        ("http://h:443/", "h:443"),
        ("http://localhost:11434", "localhost:11434"),
        ("http://[::1]:80/v1", "[::1]"),
        ("https://user:pass@h/v1?key=x", "h"),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize("url", ["", "h", "ftp://h", "https://", "https://h:port/", "file:///etc"])
def test_what_is_no_web_address(url: str) -> None:
    with pytest.raises(ValueError, match="must be a web address"):
        host_of(url)


def test_the_keyring_keeps_a_key_for_one_host(ring: MemoryKeyring) -> None:
    source = store_key("API.example.com", KEY)
    assert ring.kept == {("redraft", HOST): KEY}
    assert resolve_key(source, HOST) == KEY
    forget_key(source)
    forget_key(source)
    with pytest.raises(ConfigError, match=r"There is no key for api\.example\.com in the system's keyring"):
        resolve_key(source, HOST)


def test_a_machine_without_a_keyring_is_told(ring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise keyring.errors.NoKeyringError

    for name in ("get_password", "set_password"):
        monkeypatch.setattr(ring, name, refuse)
    with pytest.raises(ConfigError, match="keyring cannot be used"):
        store_key(HOST, KEY)
    with pytest.raises(ConfigError, match="keyring cannot be used"):
        resolve_key(KeySource("keyring", host=HOST), HOST)
    with pytest.raises(ConfigError, match="keyring cannot be used"):
        forget_key(KeySource("keyring", host=HOST))


def test_a_keyring_that_forgets_is_told() -> None:
    with pytest.raises(ConfigError, match="keyring cannot be used"):
        store_key(HOST, KEY)  # the null keyring of the tests keeps nothing


def test_an_environment_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    source = KeySource.parse("env:SOME_KEY", host=HOST)
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(ConfigError, match="in the environment variable SOME_KEY"):
        resolve_key(source, HOST)
    monkeypatch.setenv("SOME_KEY", f" {KEY}\n")
    assert resolve_key(source, HOST) == KEY


def test_a_commands_first_line() -> None:
    assert resolve_key(command(f"print('{KEY}'); print('rest')"), HOST) == KEY


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (command(f"import sys; print('{KEY}'); sys.exit(3)"), "ended with status 3"),
        (command(""), "no key for api.example.com in the answer of its command"),
        (KeySource("command", "no-such-command-here", HOST), "cannot be run"),
        (KeySource("command", 'unbalanced "quote', HOST), "cannot be run"),
    ],
)
def test_a_command_that_fails_is_told_without_its_words_or_answer(source: KeySource, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        resolve_key(source, HOST)
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_command_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redraft.core.config.secrets.COMMAND_SECONDS", 0.2)
    with pytest.raises(ConfigError, match=r"did not end within 0\.2 s"):
        resolve_key(command("import time; time.sleep(60)"), HOST)


def test_a_private_file_when_asked_for(own_home: Path) -> None:
    source = store_key_in_file("localhost:8000", KEY)
    path = own_home / "config" / "redraft" / "keys" / "localhost%3A8000"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert resolve_key(source, "localhost:8000") == KEY
    path.chmod(0o644)
    with pytest.raises(ConfigError, match="Others can read the key"):
        resolve_key(source, "localhost:8000")
    forget_key(source)
    assert not path.exists()
    with pytest.raises(ConfigError, match="There is no key for localhost:8000"):
        resolve_key(source, "localhost:8000")


@pytest.mark.parametrize("kind", ["keyring", "env:HOME", "command:echo x", "file"])
def test_a_key_never_goes_to_another_host(ring: MemoryKeyring, kind: str) -> None:
    ring.set_password("redraft", "evil.example", KEY)
    with pytest.raises(ConfigError, match=r"set up for api\.example\.com is not sent to evil\.example"):
        resolve_key(KeySource.parse(kind, host=HOST), "evil.example")


def test_without_a_key_none_is_needed() -> None:
    assert resolve_key(KeySource(), "localhost:8000") is None


def test_a_changed_address_does_not_take_the_key_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", KEY)
    path = tmp_path / "settings.toml"
    path.write_text(
        f'[[models]]\nname = "M"\nbase_url = "https://evil.example/v1"\nkey = "env:SOME_KEY"\nkey_host = "{HOST}"\n'
    )
    (model,) = SettingsStore(path).get("models")
    with pytest.raises(ConfigError, match=r"is not sent to evil\.example"):
        resolve_key(model.key_source, host_of(model.base_url))


def test_a_planted_key_stands_in_no_file_log_or_repr(ring: MemoryKeyring, tmp_path: Path, own_home: Path) -> None:
    file = log.start_log(tmp_path / "logs")
    source = store_key(HOST, KEY)
    SettingsStore().set("models", [{"name": "M", "base_url": f"https://{HOST}/v1", "key": "keyring"}])
    logging.getLogger("redraft").warning("%r %r %s", source, ring, resolve_key(source, HOST))
    log.stop_log()
    assert KEY not in repr(source)
    assert "[redacted]" in file.read_text()
    for path in (*tmp_path.rglob("*"), *own_home.rglob("*")):
        assert not path.is_file() or KEY.encode() not in path.read_bytes()
