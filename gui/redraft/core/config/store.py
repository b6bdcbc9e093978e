"""The user's settings: loaded, checked, migrated and saved, each a step of its own.

A broken file is left as it is and the defaults hold; what is wrong with it stands in `problems`. There are no settings
of a folder or project: an endpoint or a key from there could send the user's key to strangers.
"""

from __future__ import annotations

import copy
import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import tomlkit

from redraft.core.config import document as documents
from redraft.core.config.builtin import BUILTIN
from redraft.core.config.checks import check_document
from redraft.core.config.document import ConfigProblem
from redraft.core.config.migrations import MIGRATIONS, VERSION_KEY, Migration, migrate
from redraft.core.config.schema import SettingsSchema
from redraft.core.errors import ConfigError, FileError
from redraft.core.paths import config_folder
from redraft.core.whole_write import write_whole

FILE_NAME: Final = "settings.toml"
NEW_FILE: Final = b"# Your settings of Redraft. What is not here has its default; the settings page lists it all.\n\n"
LOG: Final = logging.getLogger(__name__)


class Subscription(Protocol):
    """What `on_did_change` returns."""

    def dispose(self) -> None:
        """Hear no more."""
        ...


class SettingsStore:
    """The settings in force, and the file they stand in. Reading is safe from any thread, changing from one."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        schema: SettingsSchema = BUILTIN,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self.path = path or config_folder() / FILE_NAME
        self.schema = schema
        self._migrations = migrations
        self._listeners: list[_Listener] = []
        self._document = tomlkit.document()
        self._values: Mapping[str, Any] = {}
        self._problems: tuple[ConfigProblem, ...] = ()
        self._digest: str | None = None
        self._load()

    @property
    def problems(self) -> tuple[ConfigProblem, ...]:
        """What in the file cannot be used."""
        return self._problems

    @property
    def is_broken(self) -> bool:
        """Whether the file as a whole cannot be used; it is not written until that is mended."""
        return any(problem.is_fatal for problem in self._problems)

    def get(self, name: str) -> Any:
        """The value in force.

        Raises:
            KeyError: No setting of that name is declared.
        """
        return self._values[name] if name in self._values else self.schema[name].default

    def is_set(self, name: str) -> bool:
        """Whether the user's file sets it, rightly."""
        return name in self._values

    def set(self, name: str, value: Any) -> None:
        """Change and save one setting; what others wrote into the file meanwhile is kept.

        Raises:
            ConfigError: The value does not fit, or the file is broken or cannot be written.
            KeyError: No setting of that name is declared.
        """
        setting = self.schema[name]
        try:
            checked = setting.check(value)
        except ValueError as error:
            raise ConfigError(f"{error}.") from error
        self._change(name, lambda document: documents.set_value(document, name, checked))

    def reset(self, name: str) -> None:
        """Let the default hold again, and save.

        Raises:
            ConfigError: The file is broken or cannot be written.
            KeyError: No setting of that name is declared.
        """
        _ = self.schema[name]
        self._change(name, lambda document: documents.remove_value(document, name))

    def on_did_change(self, name: str, callback: Callable[[Any], None]) -> Subscription:
        """Hear of new values of one setting, whoever changed it."""
        _ = self.schema[name]
        listener = _Listener(self._listeners, callback, name)
        self._listeners.append(listener)
        return listener

    def on_did_load(self, callback: Callable[[tuple[ConfigProblem, ...]], None]) -> Subscription:
        """Hear, with the problems found, that the file was read again."""
        listener = _Listener(self._listeners, callback)
        self._listeners.append(listener)
        return listener

    def reload(self) -> bool:
        """Read the file again if it is not as it was; return whether it was read."""
        if _digest(_read(self.path)) == self._digest:
            return False
        before = self._snapshot()
        self._load()
        self._tell(before)
        for listener in [listener for listener in self._listeners if not listener.name]:
            listener.call(self._problems)
        return True

    def start_over(self) -> Path:
        """Put a broken file aside and begin a new one; return where the old one is now.

        Raises:
            ConfigError: It cannot be moved.
        """
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.broken-{number}")).exists():
            number += 1
        try:
            self.path.rename(aside)
        except OSError as error:
            raise ConfigError(f"{self.path} cannot be moved. Mend it by hand.") from error
        self.reload()
        return aside

    # The four steps.

    def _load(self) -> None:
        data = _read(self.path)
        self._digest = _digest(data)
        if isinstance(data, OSError):
            message = f"the file cannot be read ({data.strerror}), so the defaults are used. Check its permissions."
            parsed: tomlkit.TOMLDocument | ConfigProblem = ConfigProblem(self.path, message, is_fatal=True)
        else:
            parsed = documents.parse(NEW_FILE if data is None else data, self.path)
        if isinstance(parsed, ConfigProblem):
            self._document, self._values, self._problems = tomlkit.document(), {}, (parsed,)
            return
        self._document, self._problems = parsed, ()
        self._migrate()
        self._check()

    def _migrate(self) -> None:
        for sentence in migrate(self._document, self._migrations):
            LOG.info("settings brought up to date: %s", sentence)

    def _check(self) -> None:
        if self.is_broken:
            return
        text = tomlkit.dumps(self._document)
        self._values, self._problems = check_document(self._document, self.schema, self.path, text)

    def _save(self, document: tomlkit.TOMLDocument) -> None:
        data = tomlkit.dumps(document).encode()
        try:
            if self.path.exists():
                write_whole(self.path.with_name(f"{self.path.name}.bak"), self.path.read_bytes(), mode=0o600)
            write_whole(self.path, data, mode=0o600)
        except (OSError, FileError) as error:
            raise ConfigError(f"The settings were not saved. {error}") from error
        self._digest = _digest(data)

    def _change(self, name: str, edit: Callable[[tomlkit.TOMLDocument], None]) -> None:
        self.reload()
        if self.is_broken:
            raise ConfigError(f"Nothing was changed, because the settings file cannot be used. {self._problems[0]}")
        before = self._snapshot()
        document = copy.deepcopy(self._document)
        try:
            edit(document)
        except (TypeError, AttributeError) as error:
            table = name.partition(".")[0]
            raise ConfigError(f"{table} in {self.path} must be a table. Mend it by hand.") from error
        if VERSION_KEY not in document and self._migrations:
            document[VERSION_KEY] = self._migrations[-1].version
        self._save(document)
        self._document = document
        self._check()
        self._tell(before)

    def _snapshot(self) -> dict[str, Any]:
        return {name: self.get(name) for name in self.schema.settings}

    def _tell(self, before: Mapping[str, Any]) -> None:
        for listener in [listener for listener in self._listeners if listener.name in self.schema]:
            value = self.get(listener.name)
            if listener.name not in before or before[listener.name] != value:
                listener.call(value)


class _Listener:
    """One callback, as its owner's means to take it back; one that raises does not keep the others from hearing."""

    def __init__(self, listeners: list[_Listener], callback: Callable[[Any], None], name: str = "") -> None:
        self._listeners = listeners
        self._callback = callback
        self.name = name

    def call(self, value: Any) -> None:
        try:
            self._callback(value)
        except Exception:
            LOG.exception("a listener of %s failed", self.name or "the settings file")

    def dispose(self) -> None:
        if self in self._listeners:
            self._listeners.remove(self)


def _read(path: Path) -> bytes | OSError | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return error


def _digest(data: bytes | OSError | None) -> str | None:
    if data is None:
        return None
    return hashlib.sha256(data).hexdigest() if isinstance(data, bytes) else str(data)
