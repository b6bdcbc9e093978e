from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from redraft.api.models import DownloadableModel, DownloadProgress
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import ChatClient, ModelInfo
from redraft.core.llm.loop import EventLoopThread
from redraft.qt.first_run import FirstRun, progress_words, size_words, time_words
from redraft.qt.frame.welcome import SERVER
from redraft.qt.tasks import TaskRunner
from redraft.qt.workbench import Workbench

LARGE = DownloadableModel("large-1.5b", "Good edits.", 1_117_320_768, 2_000_000_000, "Apache-2.0")
SMALL = DownloadableModel("small-0.5b", "Quick.", 491_400_064, 900_000_000, "Apache-2.0")


class Provider:
    """Fetches in three steps; the last one fails where it is told to."""

    id = "embedded"

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.fetched: list[str] = []

    def list_models(self) -> Sequence[ModelInfo]:
        return ()

    async def open(self, model: ModelInfo) -> ChatClient:
        raise ModelUnavailable("not here")

    async def aclose(self) -> None:
        """Nothing was started."""

    def catalogue(self) -> Sequence[DownloadableModel]:
        return (LARGE, SMALL)

    async def download(self, name: str) -> AsyncGenerator[DownloadProgress, None]:
        self.fetched.append(name)
        for part in (0.1, 0.5):
            yield DownloadProgress(name, int(LARGE.size_bytes * part), LARGE.size_bytes, 18e6)
        if self.fails:
            raise ModelUnavailable("The disk is full; free 1 GB and try again.")
        yield DownloadProgress(name, LARGE.size_bytes, LARGE.size_bytes, phase="ready")


class Offered:
    """Models with one provider."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider

    def downloading_providers(self) -> Sequence[Provider]:
        return (self.provider,)

    def list_models(self) -> Sequence[ModelInfo]:
        return ()

    def default(self, purpose: str) -> ModelInfo | None:
        return None

    def find(self, name: str) -> ModelInfo:
        raise ModelUnavailable("none")

    async def open(self, model: ModelInfo) -> ChatClient:
        raise ModelUnavailable("none")


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def pages() -> list[str]:
    return []


@pytest.fixture
def first_run(bench: Workbench, provider: Provider, pages: list[str]) -> Iterator[FirstRun]:
    loop = EventLoopThread()
    loop.start()
    tasks = TaskRunner(loop, bench)
    yield FirstRun(bench, Offered(provider), tasks, pages.append)
    tasks.stop()


def test_the_card_offers_the_recommended_model(bench: Workbench, first_run: FirstRun) -> None:
    bench.documents.new()
    bench.window.show()
    first_run.show()
    card = first_run.card
    assert card is not None
    assert card.width() == 632
    assert card.download.text.text() == "1.12 GB to download"
    assert card.download.smaller.text() == "Take the 491 MB model"
    assert first_run.is_needed


def test_starting_downloads_while_one_writes(
    bench: Workbench, first_run: FirstRun, provider: Provider, qtbot: QtBot
) -> None:
    over: list[bool] = []
    first_run.show(lambda: over.append(True))
    card = first_run.card
    assert card is not None
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert first_run.card is None
    assert over == [True]
    assert bench.window.status.item("model_download") is not None
    qtbot.waitUntil(lambda: bench.window.status.item("model_download") is None, timeout=10_000)
    assert provider.fetched == ["large-1.5b"]
    assert "ready" in bench.window.toasts.shown[-1].model.text


def test_a_download_that_fails_says_why_and_can_be_tried_again(
    bench: Workbench, first_run: FirstRun, provider: Provider, qtbot: QtBot
) -> None:
    provider.fails = True
    first_run.show()
    first_run.download()
    qtbot.waitUntil(lambda: bool(bench.window.toasts.shown), timeout=10_000)
    toast = bench.window.toasts.shown[-1]
    assert toast.model.text == "The disk is full; free 1 GB and try again."
    card = first_run.card
    assert card is not None
    assert card.download.toggle.text() == "Resume"
    provider.fails = False
    toast.action_chosen.emit()
    qtbot.waitUntil(lambda: card.download.text.text() == "Ready.", timeout=10_000)


def test_the_smaller_model_can_be_taken(first_run: FirstRun, provider: Provider, qtbot: QtBot) -> None:
    first_run.show()
    card = first_run.card
    assert card is not None
    card.download.smaller.click()
    qtbot.waitUntil(lambda: card.download.text.text() == "Ready.", timeout=10_000)
    assert provider.fetched == ["small-0.5b"]


def test_a_server_is_set_up_in_the_settings(first_run: FirstRun, pages: list[str]) -> None:
    first_run.show()
    card = first_run.card
    assert card is not None
    card.option_chosen.emit(SERVER)
    assert card.start.text() == "Set it up"
    card.start.click()
    assert pages == ["models"]
    assert first_run.card is None


def test_later_leaves_everything_as_it_is(first_run: FirstRun, provider: Provider, qtbot: QtBot) -> None:
    first_run.show()
    card = first_run.card
    assert card is not None
    qtbot.keyClick(card, Qt.Key.Key_Escape)
    assert first_run.card is None
    assert provider.fetched == []


def test_progress_is_told_in_words() -> None:
    progress = DownloadProgress("m", 612_000_000, 1_117_320_768, 18_000_000)
    assert progress_words(progress) == "612 MB of 1.12 GB  ·  18 MB/s, 28 s left"
    assert progress_words(DownloadProgress("m", 10, 10, phase="checking")) == "0 kB of 0 kB  ·  checking"
    assert (size_words(2_500), time_words(600), time_words(8000)) == ("2 kB", "10 min", "2.2 h")
