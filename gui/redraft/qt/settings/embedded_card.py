"""The models that run on this computer: which are here, which one runs, and how a download goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from redraft.api.models import DownloadableModel, DownloadingProvider, DownloadProgress
from redraft.api.prompt_block import Tone
from redraft.qt.first_run import progress_words, size_words
from redraft.qt.settings.card_header import CardHeader, HeaderModel, default_marks
from redraft.qt.settings.chips import Mark
from redraft.qt.settings.downloads import Downloads
from redraft.qt.settings.rows import ActionRow
from redraft.qt.theme import Theme
from redraft.qt.widgets import KeyButton, ProgressLine
from redraft.qt.widgets.nesting import nest

LOOK_EVERY = 2000
"""Milliseconds between two looks at the model's process."""

MakeDefault = Callable[[str, str, bool], None]


class DownloadRow(QWidget):
    """One model that is here or can be fetched."""

    def __init__(self, theme: Theme, model: DownloadableModel) -> None:
        super().__init__()
        self.model = model
        self.row = ActionRow(theme, model.name, icon="model_local")
        self.mark = Mark(theme)
        self.use = KeyButton(theme, "Use for inline edit")
        self.button = KeyButton(theme, "Download", icon="download")
        for part in (self.mark, self.use, self.button):
            self.row.add(part)
        self.line = ProgressLine(theme, thickness=4)
        self.line.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.setSpacing(0)
        layout.addWidget(self.row)
        inset = QVBoxLayout()
        inset.setContentsMargins(47, 0, 14, 0)
        inset.addWidget(self.line)
        nest(layout, inset)
        self.show_model(model, is_default=False)

    def show_model(self, model: DownloadableModel, *, is_default: bool) -> None:
        """Show what is so now."""
        self.model = model
        self.use.setVisible(model.is_downloaded and not is_default)
        self.use.setAccessibleName(f"Use {model.name} for inline edits")
        if model.is_running:
            self.mark.set_mark("running", Tone.OK)
        else:
            self.mark.set_mark("here" if model.is_downloaded else "", Tone.PLAIN)
        self.button.setVisible(not model.is_downloaded)
        self.button.set_label("Go on" if model.partial_bytes else "Download")
        self.button.set_icon("download")
        self.button.setAccessibleName(f"Download {model.name}")
        size, memory = size_words(model.size_bytes), size_words(model.memory_bytes)
        self.row.show_sentence(f"{model.summary} {size}, needs about {memory} of memory. {model.licence}.")
        is_begun = bool(model.partial_bytes) and not model.is_downloaded
        self.line.setVisible(is_begun)
        if is_begun and model.size_bytes:
            self.line.set_value(model.partial_bytes / model.size_bytes)

    def show_download(self, progress: DownloadProgress | None, fault: str) -> None:
        """Show how far the download is, if it goes on, or why it failed."""
        self.row.show_fault(fault)
        if progress is None:
            return
        self.line.show()
        self.line.set_value(part_of(progress))
        self.mark.set_mark(percent(progress), Tone.ACCENT)
        self.row.show_sentence(progress_words(progress))
        self.button.show()
        self.button.set_label("Pause")
        self.button.set_icon("stop")
        self.button.setAccessibleName(f"Pause the download of {self.model.name}")


class EmbeddedCard(QWidget):
    """The card of a provider whose models are fetched first."""

    def __init__(
        self, theme: Theme, provider: DownloadingProvider, downloads: Downloads, make_default: MakeDefault
    ) -> None:
        super().__init__()
        self._provider = provider
        self._downloads = downloads
        self._default = ""
        self._purposes: frozenset[str] = frozenset()
        self.header = CardHeader(theme, HeaderModel("Embedded", icon="model_local"))
        self.header.clicked.connect(lambda _=False: self.set_open(is_open=self.header.isChecked()))
        self._body = QWidget()
        self._body.hide()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(32, 0, 0, 6)
        body.setSpacing(0)
        self.rows: dict[str, DownloadRow] = {}
        for model in provider.catalogue():
            row = DownloadRow(theme, model)
            row.button.clicked.connect(partial(self._on_button, model.name))
            row.use.clicked.connect(partial(self._on_use, make_default, model.name))
            self.rows[model.name] = row
            body.addWidget(row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self._body)
        self._timer = QTimer(self, interval=LOOK_EVERY)
        self._timer.timeout.connect(self.refresh)
        downloads.changed.connect(self._on_download_changed)
        self.refresh()

    def set_open(self, *, is_open: bool) -> None:
        """Show or hide the models."""
        self.header.setChecked(is_open)
        self.header.update()
        self._body.setVisible(is_open)

    def show_default(self, name: str, purposes: frozenset[str]) -> None:
        """Show which model, if one of these, is the default for what."""
        self._default, self._purposes = name, purposes
        self.refresh()

    def refresh(self) -> None:
        """Look anew what is here and what runs."""
        models = {model.name: model for model in self._provider.catalogue()}
        for name, row in self.rows.items():
            if name in models:
                is_default = name == self._default and "inline_edit" in self._purposes
                row.show_model(models[name], is_default=is_default)
                row.show_download(self._downloads.progress(name), self._downloads.fault(name))
        self.header.set_model(self._head(list(models.values())))

    def stop(self) -> None:
        """Look no more; downloads go on."""
        self._timer.stop()
        self._downloads.changed.disconnect(self._on_download_changed)

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def _head(self, models: Sequence[DownloadableModel]) -> HeaderModel:
        here = [model for model in models if model.is_downloaded]
        running = next((model for model in models if model.is_running), None)
        shown = running or next((model for model in here if model.name == self._default), here[0] if here else None)
        detail = f"{shown.name}, on this computer" if shown else "No model is on this computer yet"
        state = ("running", Tone.OK) if running else (("here", Tone.PLAIN) if here else ("not here", Tone.PLAIN))
        fetched = next((progress for name in self.rows if (progress := self._downloads.progress(name))), None)
        if fetched is not None:
            state = (f"downloading, {percent(fetched)}", Tone.ACCENT)
        return HeaderModel("Embedded", detail, "model_local", [*default_marks(self._purposes), state])

    def _on_use(self, make_default: MakeDefault, name: str, _checked: object = None) -> None:
        make_default(name, "inline_edit", True)

    def _on_button(self, name: str, _checked: object = None) -> None:
        if self._downloads.progress(name) is not None:
            self._downloads.pause(name)
        else:
            self._downloads.start(self._provider, self.rows[name].model)

    def _on_download_changed(self, name: str) -> None:
        if name in self.rows:
            self.refresh()


def part_of(progress: DownloadProgress) -> float:
    """The part that is here, 0 to 1."""
    return progress.done_bytes / progress.total_bytes if progress.total_bytes else 0.0


def percent(progress: DownloadProgress) -> str:
    """The part that is here, in percent."""
    return f"{100 * part_of(progress):.0f} %"
