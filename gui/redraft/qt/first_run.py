"""The first start: offers the embedded model, a server or a key while no model is set up, and downloads the model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QEvent, QObject

from redraft.api.models import DownloadableModel, DownloadingProvider, DownloadProgress, Models
from redraft.api.prompt_block import Tone
from redraft.api.tasks import TaskHandle, Tasks
from redraft.api.ui import StatusModel
from redraft.qt.frame.welcome import EMBEDDED, WelcomeCard, WelcomeModel
from redraft.qt.workbench import Workbench

ITEM = "model_download"


class OfferedModels(Models, Protocol):
    """The models there are, and what can be fetched."""

    def downloading_providers(self) -> Sequence[DownloadingProvider]:
        """The providers whose models are fetched first."""
        ...


class FirstRun(QObject):
    """Shows the card over the text, runs the download, and says how far it is in the status bar."""

    def __init__(
        self, workbench: Workbench, models: OfferedModels, tasks: Tasks, open_settings: Callable[[str], None]
    ) -> None:
        super().__init__(workbench)
        self._bench = workbench
        self._models = models
        self._tasks = tasks
        self._open_settings = open_settings
        self._card: WelcomeCard | None = None
        self._state = WelcomeModel()
        self._provider: DownloadingProvider | None = None
        self._offer: DownloadableModel | None = None
        self._task: TaskHandle | None = None
        self._on_over: Callable[[], None] = lambda: None

    @property
    def card(self) -> WelcomeCard | None:
        """The card on screen."""
        return self._card

    @property
    def is_needed(self) -> bool:
        """Whether no model is set up."""
        return not self._models.list_models()

    def show(self, on_over: Callable[[], None] = lambda: None) -> None:
        """Show the card; `on_over` is called once it is gone."""
        if self._card is not None:
            return
        self._on_over = on_over
        self._find_offer(smallest=False)
        card = WelcomeCard(self._bench.themes.theme, self._bench.window.area)
        card.option_chosen.connect(self._on_chosen)
        card.option_opened.connect(self._on_opened)
        card.start_wanted.connect(self._on_start)
        card.later_wanted.connect(self.close)
        card.smaller_wanted.connect(self._on_smaller)
        card.toggle_wanted.connect(self._on_toggle)
        self._bench.themes.changed.connect(card.set_theme)
        self._card = card
        self._bench.window.area.installEventFilter(self)
        self._show_state()
        card.show()
        card.raise_()
        card.setFocus()

    def close(self) -> None:
        """Take the card away; a download goes on."""
        if self._card is not None:
            card, self._card = self._card, None
            card.hide()
            card.deleteLater()
            self._bench.window.focus_text()
            self._on_over()

    def download(self) -> None:
        """Fetch the model that is offered, from where it stopped."""
        if self._provider is None or self._offer is None or self._task is not None:
            return
        self._state = replace(self._state, is_running=True, fault="", progress=self._state.progress or 0.0)
        self._task = self._tasks.start(
            self._provider.download(self._offer.name), on_events=self._on_progress, on_done=self._on_done
        )
        self._show_state()

    def pause(self) -> None:
        """Stop fetching; what is here stays here."""
        if self._task is not None:
            task, self._task = self._task, None
            task.cancel()
            self._state = replace(self._state, is_running=False)
            self._show_state()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self._card is not None:
            self._card.place()
        return super().eventFilter(watched, event)

    def _find_offer(self, *, smallest: bool) -> None:
        for provider in self._models.downloading_providers():
            offers = list(provider.catalogue())
            if offers:
                offer = min(offers, key=lambda model: model.size_bytes) if smallest else offers[0]
                self._provider, self._offer = provider, offer
                self._state = _offered(offer, min(offers, key=lambda model: model.size_bytes))
                return

    def _on_chosen(self, option: str) -> None:
        self._state = replace(self._state, chosen=option)
        self._show_state()

    def _on_opened(self, _option: str) -> None:
        self.close()
        self._open_settings("models")

    def _on_start(self) -> None:
        if self._state.chosen != EMBEDDED:
            self._on_opened(self._state.chosen)
            return
        if not self._state.is_ready:
            self.download()
        self.close()

    def _on_smaller(self) -> None:
        self.pause()
        self._find_offer(smallest=True)
        self.download()

    def _on_toggle(self) -> None:
        if self._task is None:
            self.download()
        else:
            self.pause()

    def _on_progress(self, events: Sequence[DownloadProgress]) -> None:
        last = events[-1]
        self._state = replace(
            self._state,
            progress=last.done_bytes / last.total_bytes if last.total_bytes else 0.0,
            progress_text=progress_words(last),
        )
        self._show_state()

    def _on_done(self, error: Exception | None) -> None:
        was_running, self._task = self._task is not None, None
        if error is not None:
            self._state = replace(self._state, is_running=False, fault=str(error))
            self._bench.say(str(error), action="Try again", on_action=self.download, tone=Tone.ERROR)
        elif was_running:
            self._state = replace(self._state, is_running=False, is_ready=True, progress=1.0)
            self._bench.say(f"{self._state.model} is ready. Select some code and ask for a change.", tone=Tone.OK)
        self._show_state()

    def _show_state(self) -> None:
        state = self._state
        if self._card is not None:
            self._card.set_model(state)
            self._card.place()
        item = None
        if state.is_running:
            text = f"{state.model}, {state.progress or 0:.0%}".replace("%", " %")
            item = StatusModel(
                text, icon="download", tone=Tone.ACCENT, tooltip=state.progress_text, command="help.welcome"
            )
        self._bench.window.status.set_item(ITEM, item)


def _offered(offer: DownloadableModel, smallest: DownloadableModel) -> WelcomeModel:
    part = offer.partial_bytes / offer.size_bytes if offer.partial_bytes and offer.size_bytes else None
    return WelcomeModel(
        model=offer.name,
        detail=f"{offer.name} runs on this computer, also offline. {offer.licence}.",
        progress=part,
        progress_text=f"{size_words(offer.size_bytes)} to download",
        is_ready=offer.is_downloaded,
        smaller=f"Take the {size_words(smallest.size_bytes)} model" if smallest.name != offer.name else "",
    )


def progress_words(progress: DownloadProgress) -> str:
    """How far a download is: `"612 MB of 1.12 GB  ·  18 MB/s, 28 s left"`."""
    words = f"{size_words(progress.done_bytes)} of {size_words(progress.total_bytes)}"
    if progress.phase not in {"downloading", "ready"}:
        return f"{words}  ·  {progress.phase}"
    if progress.bytes_per_second > 0 and progress.done_bytes < progress.total_bytes:
        left = (progress.total_bytes - progress.done_bytes) / progress.bytes_per_second
        words += f"  ·  {size_words(progress.bytes_per_second)}/s, {time_words(left)} left"
    return words


def size_words(size: float) -> str:
    """A number of bytes as people say it (decimal units, as download sites do)."""
    if size >= 1e9:
        return f"{size / 1e9:.2f} GB"
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def time_words(seconds: float) -> str:
    """A span of time, rounded as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
