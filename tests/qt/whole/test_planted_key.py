"""A key is planted in every place it may come from, used in every way, and searched for in all that was written."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from driver import Driver
from planted import KEY, WAYS, files_with_key, shows_key
from qt.whole.conftest import open_window
from redraft.cli import main
from redraft.core.crash import report
from redraft.core.log import start_log, stop_log
from redraft.host.server_models import server_config
from reviews import ANSWER, ask, ask_and_wait
from servers import Head, ScriptedServer, Send, error_reply, openai_answer
from streams import last_report

ECHO = f"Incorrect API key provided: {KEY}. You sent 'Authorization: Bearer {KEY}'."


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def log(own_home: Path) -> Iterator[Path]:
    """The log, with all that every library says."""
    loggers = [logging.getLogger(name) for name in ("redraft", "httpx", "httpcore", "asyncio")]
    before = [logger.level for logger in loggers]
    path = start_log(level=logging.DEBUG)
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
    yield path
    stop_log()
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """Where the key is planted."""
    return str(request.param)


@pytest.fixture
def row(
    way: str, scripted: ScriptedServer, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, object]:
    """The model as it stands in the settings."""
    planted = WAYS[way](f"127.0.0.1:{scripted.port}", monkeypatch, tmp_path_factory.mktemp("elsewhere"))
    return {"name": "Workshop", "base_url": f"{scripted.url}/v1", "model": "m", **planted}


@pytest.fixture
def driver(qtbot: QtBot, qapp: QApplication, file: Path, log: Path, row: dict[str, object]) -> Iterator[Driver]:
    """The window, with that model alone."""
    assert log.parent.is_dir()
    with open_window(qtbot, qapp, file) as driver:
        driver.application.services.settings.set("models", [row])
        driver.application.services.settings.set("appearance.theme", "light")  # so that there is a backup too
        yield driver


def test_a_planted_key_is_found_in_no_log_setting_crash_report_history_or_export(
    way: str, driver: Driver, scripted: ScriptedServer, own_home: Path, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused_in_the_window(driver, scripted)
    accepted_and_undecided_in_the_window(driver, scripted)
    probed_in_the_settings(driver, scripted)
    crash()
    driver.application.session.save()
    export(scripted, driver.document.path)
    assert not any(shows_key(text) for text in capsys.readouterr())
    sent = scripted.requests[0].headers
    assert KEY in {sent.get("authorization", "").removeprefix("Bearer "), sent.get("x-api-key")}
    assert "crashed over [redacted]" in log.read_text()
    assert list(own_home.rglob("process-*/*.json")), "the journal of crashes was written"
    assert list(own_home.rglob("*history*")), "the history was written"
    # Where the user has put it by hand, or asked for a file, it is; nowhere else.
    own = {"header": "settings.toml", "file": f"keys/127.0.0.1%3A{scripted.port}"}.get(way)
    found = {name.removesuffix(".bak") for name in files_with_key(own_home)}
    assert found == ({f"config/redraft/{own}"} if own else set())


def refused_in_the_window(driver: Driver, server: ScriptedServer) -> None:
    """Errors that echo the key, as people see them."""
    replies = (
        error_reply(401, ECHO),
        error_reply(422, ECHO),
        (Head(404, {"content-type": "text/plain"}), Send(f"?api_key={KEY}&x {ECHO}")),
    )
    for reply in replies:
        server.reply(*reply)
        ask(driver, f"echo {len(server.requests)}")
        driver.wait(lambda: driver.shown.main is not None and driver.shown.main.id == "again", "the refusal")
        assert driver.shown.strip is not None
        assert not shows_key(f"{driver.shown}")
        for _ in range(3):
            driver.press("Escape")
        driver.document.editor.focus_text()


def accepted_and_undecided_in_the_window(driver: Driver, server: ScriptedServer) -> None:
    """One edit goes into the history, another one stays undecided, for the journal of crashes."""
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.press("Ctrl+Return")
    driver.document.editor.focus_text()
    driver.press("Ctrl+Z")
    server.reply(*openai_answer(ANSWER))
    ask_and_wait(driver)
    driver.application.recovery.write_now()


def probed_in_the_settings(driver: Driver, server: ScriptedServer) -> None:
    """The test of the connection, with servers that echo the key at each step."""
    store = driver.application.services.settings
    config = server_config(store.get("models")[0], store)
    server.route("GET", "/v1/models", *error_reply(500, ECHO))
    server.reply(*error_reply(403, ECHO))
    assert not shows_key(repr(asyncio.run(last_report(config))))
    assert not shows_key(repr(config))


def crash() -> None:
    """An error that nobody caught, with the key in it."""
    error = RuntimeError(f"crashed over {KEY}")
    report(RuntimeError, error, None)


def export(server: ScriptedServer, file: Path | None) -> None:
    """What `redraft edit` prints for other programs, of a success and of a failure."""
    for reply in (openai_answer(ANSWER), error_reply(401, ECHO)):
        server.reply(*reply)
        main(["edit", str(file), "--lines", "4:8", "--model", "Workshop", "--format", "json", "--", "document it"])
