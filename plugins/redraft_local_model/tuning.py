"""What was measured on this machine for a model, kept between starts: how it runs fastest here."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from typing import Any, Final

import psutil

from redraft.api.services import Storage
from redraft_local_model.catalog import LocalModel

FILE: Final = "tuning.json"


@dataclass(frozen=True, slots=True)
class Tuning:
    """How one model runs fastest on one machine.

    Attributes:
        threads: Threads to write with.
        batch_threads: Threads to read a prompt with.
        speculation: Whether guessing ahead pays: an answer that repeats its prompt is written in longer steps.
    """

    threads: int
    batch_threads: int
    speculation: bool = True


def usual_tuning() -> Tuning:
    """What is taken until something was measured: one thread for each physical core."""
    cores = psutil.cpu_count(logical=False) or 1
    return Tuning(cores, cores)


class TuningStore:
    """The measurements, in the plugin's state."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def find(self, model: LocalModel) -> Tuning | None:
        """What was measured for a model on this machine, if anything."""
        entry = self._read().get(_key(model))
        try:
            return Tuning(**entry) if isinstance(entry, dict) else None
        except TypeError:
            return None

    def keep(self, model: LocalModel, tuning: Tuning) -> None:
        """Remember a measurement.

        Raises:
            FileError: It cannot be written.
        """
        entries = self._read() | {_key(model): asdict(tuning)}
        self._storage.write(FILE, json.dumps(entries, indent=2) + "\n")

    def _read(self) -> dict[str, Any]:
        try:
            entries = json.loads(self._storage.read(FILE) or "{}")
        except ValueError:
            # Written by hand, or cut off: it is measured again.
            return {}
        return entries if isinstance(entries, dict) else {}


def _key(model: LocalModel) -> str:
    """One machine and model file; a home folder may be shared by several machines."""
    size = model.path.stat().st_size if model.path.is_file() else 0
    cores = f"{psutil.cpu_count(logical=False)}/{psutil.cpu_count()}"
    return f"{platform.node()} {platform.machine()} {cores} {model.name} {size}"
