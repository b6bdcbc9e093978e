"""The downloads of models that go on; they outlive the window of the settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from redraft.api.models import DownloadableModel, DownloadingProvider, DownloadProgress
from redraft.api.tasks import TaskHandle, Tasks


class Downloads(QObject):
    """Starts and pauses downloads, by the model's name; `changed` names the model."""

    changed = Signal(str)

    def __init__(self, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._running: dict[str, TaskHandle] = {}
        self._progress: dict[str, DownloadProgress] = {}
        self._faults: dict[str, str] = {}

    def progress(self, name: str) -> DownloadProgress | None:
        """How far a download is; `None` if it does not go on."""
        return self._progress.get(name) if name in self._running else None

    def fault(self, name: str) -> str:
        """Why the last download of a model failed; empty if it did not."""
        return self._faults.get(name, "")

    def start(self, provider: DownloadingProvider, model: DownloadableModel) -> None:
        """Fetch a model, from where it stopped."""
        name = model.name
        if name in self._running:
            return
        self._faults.pop(name, None)
        self._progress[name] = DownloadProgress(name, model.partial_bytes, model.size_bytes)
        self._running[name] = self._tasks.start(
            provider.download(name), on_events=partial(self._on_events, name), on_done=partial(self._on_done, name)
        )
        self.changed.emit(name)

    def pause(self, name: str) -> None:
        """Stop fetching; what is here stays here."""
        task = self._running.pop(name, None)
        if task is not None:
            task.cancel()
            self.changed.emit(name)

    def _on_events(self, name: str, events: Sequence[DownloadProgress]) -> None:
        if name in self._running:
            self._progress[name] = events[-1]
            self.changed.emit(name)

    def _on_done(self, name: str, error: Exception | None) -> None:
        if self._running.pop(name, None) is not None:
            if error is not None:
                self._faults[name] = str(error)
            self.changed.emit(name)
