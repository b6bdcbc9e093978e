"""Keys: kept in the system's keyring, an environment variable, a command's answer or, when asked for, a private file.

A key belongs to one host. Nothing hands it out for another one, so that a changed address never sends it to strangers.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote, urlsplit

from redraft.core.errors import ConfigError
from redraft.core.log import redact
from redraft.core.paths import config_folder
from redraft.core.whole_write import write_whole

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE: Final = "redraft"
COMMAND_SECONDS: Final = 30
"""Longest time a command for a key may take."""

KEPT_ELSEWHERE: Final = (
    'a key does not stand in the settings: say where it is, with "keyring", "env:NAME", "command:WORDS" or "file"'
)
NO_KEYRING: Final = (
    "The system's keyring cannot be used. Unlock it, or keep the key in an environment variable or a command."
)
Kind = Literal["none", "keyring", "env", "command", "file"]


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where a key comes from, never the key itself.

    Attributes:
        kind: Which place.
        detail: The variable's name or the command's words.
        host: The only host it may be sent to, with its port where that is not the usual one.
    """

    kind: Kind = "none"
    detail: str = ""
    host: str = ""

    @classmethod
    def parse(cls, text: str, *, host: str = "") -> KeySource:
        """Read the form used in settings: `""`, `"keyring"`, `"env:NAME"`, `"command:WORDS"`, `"file"`.

        Raises:
            ValueError: It is none of these; the message does not repeat it, for it may be a key.
        """
        kind, _, detail = text.partition(":")
        match kind.strip(), detail.strip():
            case "", "":
                return cls(host=host.lower())
            case ("keyring" | "file") as place, "":
                return cls(place, host=host.lower())
            case "env", name if name.isidentifier():
                return cls("env", name, host.lower())
            case "command", words if words:
                return cls("command", words, host.lower())
            case _:
                raise ValueError(KEPT_ELSEWHERE)


def host_of(url: str) -> str:
    """The host of an address, in lower case, with its port where that is not the usual one.

    Raises:
        ValueError: It is no web address.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("the address must be a web address, such as https://example.com/v1")
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return name if port in {None, {"http": 80, "https": 443}[parts.scheme]} else f"{name}:{port}"


def resolve_key(source: KeySource, host: str) -> str | None:
    """The key for a host, or `None` if none is needed; may take a while, so never call it on the GUI thread.

    Raises:
        ConfigError: There is none where it should be, or it belongs to another host; says what to do.
    """
    if source.kind == "none":
        return None
    if source.host != host.lower():
        raise ConfigError(
            f"The key set up for {source.host or 'no host'} is not sent to {host}. "
            "If the address is right, give the key again for it in the model settings."
        )
    match source.kind:
        case "keyring":
            key = _from_keyring(source.host)
        case "env":
            key = os.environ.get(source.detail, "")
        case "command":
            key = _from_command(source.detail)
        case _:
            key = _from_file(source.host)
    if not key.strip():
        raise ConfigError(f"There is no key for {host} in {_place(source)}. Put it there, or choose another place.")
    redact(key)
    return key.strip()


def store_key(host: str, key: str) -> KeySource:
    """Keep a key in the system's keyring.

    Raises:
        ConfigError: There is no keyring, or it refuses.
    """
    redact(key)
    with _ring() as ring:
        ring.set_password(SERVICE, host.lower(), key)
        kept = ring.get_password(SERVICE, host.lower())
    if kept != key:
        raise ConfigError(NO_KEYRING)
    return KeySource("keyring", host=host.lower())


def store_key_in_file(host: str, key: str) -> KeySource:
    """Keep a key as plain text in a file that only the user can read; only when the user asks for it.

    Raises:
        FileError: It cannot be written.
    """
    redact(key)
    write_whole(_key_file(host), key.encode(), mode=0o600)
    return KeySource("file", host=host.lower())


def forget_key(source: KeySource) -> None:
    """Take a key out of the keyring or the file; keys kept elsewhere are the user's own business.

    Raises:
        ConfigError: The keyring refuses.
    """
    if source.kind == "file":
        _key_file(source.host).unlink(missing_ok=True)
    if source.kind != "keyring":
        return
    with _ring() as ring:
        if ring.get_password(SERVICE, source.host) is not None:
            ring.delete_password(SERVICE, source.host)


def _from_keyring(host: str) -> str:
    with _ring() as ring:
        return ring.get_password(SERVICE, host) or ""


@contextmanager
def _ring() -> Iterator[KeyringBackend]:
    # Finding the keyring takes time that starting up has no use for.
    import keyring  # noqa: PLC0415 - see above
    from keyring.errors import KeyringError  # noqa: PLC0415 - see above

    try:
        yield keyring.get_keyring()
    except KeyringError as error:
        raise ConfigError(NO_KEYRING) from error


def _from_command(words: str) -> str:
    """The first line a command writes; nothing of it goes into messages."""
    try:
        result = subprocess.run(  # noqa: S603 - the user's own settings name the command; no shell reads it
            shlex.split(words), capture_output=True, text=True, timeout=COMMAND_SECONDS, check=True
        )
    except subprocess.TimeoutExpired:
        raise ConfigError(f"The command for the key did not end within {COMMAND_SECONDS} s. Check it.") from None
    except subprocess.CalledProcessError as error:
        reason = f"ended with status {error.returncode}"
        raise ConfigError(f"The command for the key {reason}. Run it in a terminal to see why.") from None
    except (OSError, ValueError):
        raise ConfigError("The command for the key cannot be run. Check its words in the model settings.") from None
    return result.stdout.partition("\n")[0]


def _from_file(host: str) -> str:
    path = _key_file(host)
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise ConfigError(f"Others can read the key in {path}. Make it private (chmod 600), and change the key.")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"The key in {path} cannot be read. Give it again in the model settings.") from error


def _key_file(host: str) -> Path:
    return config_folder("keys") / quote(host.lower(), safe="")


def _place(source: KeySource) -> str:
    match source.kind:
        case "keyring":
            return "the system's keyring"
        case "env":
            return f"the environment variable {source.detail}"
        case "command":
            return "the answer of its command"
        case _:
            return str(_key_file(source.host))
