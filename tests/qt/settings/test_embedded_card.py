from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Qt
from pytestqt.qtbot import QtBot

from redraft.api.models import DownloadableModel, DownloadProgress
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import ChatClient, ModelInfo
from redraft.core.llm.loop import EventLoopThread
from redraft.qt.settings.downloads import Downloads
from redraft.qt.settings.embedded_card import EmbeddedCard
from redraft.qt.tasks import TaskRunner
from redraft.qt.theme import load_theme

LARGE = DownloadableModel("large-1.5b", "Good edits.", 1_000_000, 2_000_000, "Apache-2.0")
LATE = 20_000


class Fetching:
    """A provider whose download stops in the middle until it may go on."""

    id = "fetching"

    def __init__(self) -> None:
        self.model = LARGE
        self.fails = False
        self.may_end = asyncio.Event()

    def list_models(self) -> Sequence[ModelInfo]:
        return ()

    async def open(self, model: ModelInfo) -> ChatClient:
        raise ModelUnavailable("not here")

    async def aclose(self) -> None:
        """Nothing was started."""

    def catalogue(self) -> Sequence[DownloadableModel]:
        return (self.model,)

    async def download(self, name: str) -> AsyncGenerator[DownloadProgress, None]:
        yield DownloadProgress(name, 400_000, 1_000_000, 1000.0)
        if self.fails:
            raise ModelUnavailable("The disk is full; free 1 GB and try again.")
        await self.may_end.wait()
        self.model = replace(self.model, is_downloaded=True)
        yield DownloadProgress(name, 1_000_000, 1_000_000, phase="ready")


@pytest.fixture
def loop() -> EventLoopThread:
    return EventLoopThread()


@pytest.fixture
def downloads(qtbot: QtBot, loop: EventLoopThread) -> Iterator[Downloads]:
    owner = QObject()
    loop.start()
    tasks = TaskRunner(loop, owner)
    yield Downloads(tasks, owner)
    tasks.stop()


def make_card(qtbot: QtBot, downloads: Downloads, provider: Fetching, chosen: list[object]) -> EmbeddedCard:
    card = EmbeddedCard(load_theme("dark"), provider, downloads, lambda *wanted: chosen.append(wanted))
    qtbot.addWidget(card)
    card.set_open(is_open=True)
    card.resize(760, card.sizeHint().height())
    card.show()
    return card


def marks(card: EmbeddedCard) -> list[str]:
    return [text for text, _ in card.header.model.marks]


def test_a_model_is_fetched_with_progress(qtbot: QtBot, downloads: Downloads, loop: EventLoopThread) -> None:
    provider = Fetching()
    card = make_card(qtbot, downloads, provider, [])
    row = card.rows[LARGE.name]
    assert marks(card) == ["not here"]
    assert row.row.sentence.text() == "Good edits. 1 MB, needs about 2 MB of memory. Apache-2.0."
    qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.mark.text == "40 %", timeout=LATE)
    assert marks(card) == ["downloading, 40 %"]
    assert row.line.value == 0.4
    assert row.button.text() == "Pause"
    loop.loop.call_soon_threadsafe(provider.may_end.set)
    qtbot.waitUntil(lambda: marks(card) == ["here"], timeout=LATE)
    assert card.header.model.detail == "large-1.5b, on this computer"
    assert not row.button.isVisible()


def test_a_download_pauses_and_outlives_the_card(qtbot: QtBot, downloads: Downloads) -> None:
    provider = Fetching()
    card = make_card(qtbot, downloads, provider, [])
    row = card.rows[LARGE.name]
    qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.mark.text == "40 %", timeout=LATE)
    card.stop()
    again = make_card(qtbot, downloads, provider, [])
    assert again.rows[LARGE.name].mark.text == "40 %"
    provider.model = replace(LARGE, partial_bytes=400_000)
    qtbot.mouseClick(again.rows[LARGE.name].button, Qt.MouseButton.LeftButton)
    assert downloads.progress(LARGE.name) is None
    assert again.rows[LARGE.name].button.text() == "Go on"
    assert marks(again) == ["not here"]


def test_a_download_that_fails_says_why(qtbot: QtBot, downloads: Downloads) -> None:
    provider = Fetching()
    provider.fails = True
    card = make_card(qtbot, downloads, provider, [])
    row = card.rows[LARGE.name]
    qtbot.mouseClick(row.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(row.row.fault.isVisible, timeout=LATE)
    assert row.row.fault.text() == "The disk is full; free 1 GB and try again."
    assert row.button.text() == "Download"


def test_a_running_model_says_so_and_can_be_the_default(qtbot: QtBot, downloads: Downloads) -> None:
    provider = Fetching()
    provider.model = replace(LARGE, is_downloaded=True)
    chosen: list[object] = []
    card = make_card(qtbot, downloads, provider, chosen)
    assert marks(card) == ["here"]
    provider.model = replace(provider.model, is_running=True)
    card.refresh()
    assert marks(card) == ["running"]
    qtbot.mouseClick(card.rows[LARGE.name].use, Qt.MouseButton.LeftButton)
    assert chosen == [(LARGE.name, "inline_edit", True)]
    card.show_default(LARGE.name, frozenset({"inline_edit"}))
    assert marks(card) == ["default for inline edit", "running"]
    assert not card.rows[LARGE.name].use.isVisible()
