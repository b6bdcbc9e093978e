"""Every way a request can fail, in a real window against real sockets: one sheet with the prompt block of each."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import trustme
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap

from driver import Driver
from redraft.qt.theme import Theme
from servers import (
    ConnectProxy,
    Drop,
    Hang,
    ScriptedServer,
    Step,
    error_reply,
    json_reply,
    openai_answer,
    openai_end,
    openai_text,
)

WORDS: Final = "Use httpx with a timeout and raise StationError with the id"
NAME: Final = "Workshop"
CODE: Final = ('"""Readings of a station."""\n', "\n", "import httpx\n")
COLUMNS: Final = 2
GAP: Final = 28
LABEL: Final = 22
COLUMN: Final = 720

Reply = tuple[Step, ...]
REPLIES: Final[dict[str, tuple[Reply, ...]]] = {
    "Key refused": (error_reply(401),),
    "Key without the right": (error_reply(403),),
    "Model missing": (error_reply(404, "The model `qwq-32b` does not exist", code="model_not_found"),),
    "Nothing at the address": (error_reply(404, "not found"),),
    "Quota": (error_reply(402),),
    "Too many requests, counted down": (error_reply(429, headers={"retry-after": "7"}),),
    "Too many requests, for hours": (error_reply(429, headers={"retry-after": "7200"}),),
    "Overloaded, counted down": (error_reply(503, headers={"retry-after": "20"}),),
    "Server error, counted down": (error_reply(500, "CUDA out of memory"),),
    "Larger than the context, as the server says": (error_reply(400, "too long", code="context_length_exceeded"),),
    "Refused otherwise": (error_reply(422, "temperature: must be between 0 and 1"),),
    "Silent from the start": ((Hang(),),),
    "Silent in the middle": ((*openai_text("<GENERATEDCODE>\n", *CODE), Hang()),),
    "Connection lost": ((*openai_text("<GENERATEDCODE>\n", *CODE), Drop()),),
    "Lost before any text": tuple((Drop(),) for _ in range(4)),
    "Cut off at the limit": ((*openai_text("<GENERATEDCODE>\n", *CODE), *openai_end("length")),),
    "Limit spent on thinking": ((*openai_text("<think>Let me see"), *openai_end("length")),),
    "Words without code": (openai_answer("The function looks fine to me; which limit do you mean?"),) * 2,
    "An empty answer": (openai_answer(""),) * 2,
    "Not a model server": (json_reply("<html>", 200, {"content-type": "text/html"}),),
}
"""What the server does."""


class Failures:
    """Lets one window fail in every way, and keeps a picture of each block."""

    def __init__(self, driver: Driver, project: Path, ask: Callable[[str], None], leave: Callable[[], None]) -> None:
        self.driver = driver
        self.pictures: list[tuple[str, QPixmap]] = []
        self._ask = ask
        self._leave = leave
        self._store = driver.application.services.settings
        self._folder = project

    def take(self) -> None:
        """All of them."""
        self._shoot("No model")
        for title, replies in REPLIES.items():
            with ScriptedServer() as server:
                for reply in replies:
                    server.reply(reply)
                self._use(f"{server.url}/v1")
                self._shoot(title)
        self._use("http://127.0.0.1:9/v1", context_tokens=300)
        self._shoot("Larger than the context, before it is sent")
        for title, address in addresses(self._folder):
            with address as options:
                self._use(**options)
                self._shoot(title)
        self._use("http://gpu.tideline.invalid:8000/v1", name="Another model")
        self._store.set("presets", [{"name": "fix", "model": NAME}])
        self._shoot("A preset's model is gone", "/fix")

    def sheet(self, theme: Theme) -> QPixmap:
        """All pictures below each other, in columns."""
        scale = self.pictures[0][1].devicePixelRatio()
        rows = [self.pictures[place : place + COLUMNS] for place in range(0, len(self.pictures), COLUMNS)]
        heights = [max(_height(picture) for _, picture in row) + LABEL + GAP for row in rows]
        width = COLUMNS * COLUMN + (COLUMNS + 1) * GAP
        sheet = QPixmap(int(width * scale), int((sum(heights) + GAP) * scale))
        sheet.setDevicePixelRatio(scale)
        sheet.fill(theme.color("surface.0"))
        painter = QPainter(sheet)
        painter.setFont(theme.font("micro"))
        painter.setPen(theme.color("text.muted"))
        y = GAP
        for row, height in zip(rows, heights, strict=True):
            for column, (title, picture) in enumerate(row):
                x = GAP + column * (COLUMN + GAP)
                painter.drawText(QRect(x, y, COLUMN, LABEL - 6), Qt.AlignmentFlag.AlignVCenter, title)
                painter.drawPixmap(x, y + LABEL, picture)
            y += height
        painter.end()
        return sheet

    def _use(self, base_url: str, **more: Any) -> None:
        row = {"name": NAME, "base_url": base_url, "model": "qwq-32b", "key": "env:WORKSHOP_KEY", **more}
        row |= {"connect_timeout": 0.5, "first_byte_timeout": 1.0, "idle_timeout": 1.0}
        self._store.set("models", [row])

    def _shoot(self, title: str, words: str = WORDS) -> None:
        driver = self.driver
        self._ask(words)
        driver.wait(lambda: driver.shown.strip and driver.shown.strip.text and _is_told(driver), title)
        driver.pause(400)
        assert driver.block is not None
        self.pictures.append((title, driver.block.grab()))
        self._leave()


def addresses(folder: Path) -> Iterator[tuple[str, AbstractContextManager[dict[str, Any]]]]:
    """Servers that are not reached, each with the settings that lead there."""
    yield "No such name", _at(base_url="http://gpu.tideline.invalid:8000/v1")
    yield "Nothing listens", _at(base_url=f"http://127.0.0.1:{free_port()}/v1")
    yield "No connection in time", _full()
    yield "Certificate not trusted", _tls(trustme.CA(), "127.0.0.1")
    yield "Certificate for another name", _tls(trustme.CA(), "other.lan", folder=folder)
    yield "Proxy wants a password", _proxy()
    yield "Proxy not there", _at(base_url="http://gpu.tideline.lan:8000/v1", proxy=f"http://127.0.0.1:{free_port()}")


def free_port() -> int:
    """A port that nothing listens at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def _at(**options: Any) -> Iterator[dict[str, Any]]:
    yield options


@contextmanager
def _full() -> Iterator[dict[str, Any]]:
    """A server whose waiting line is full: the kernel leaves further connections waiting."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        yield {"base_url": f"http://127.0.0.1:{listener.getsockname()[1]}/v1"}


@contextmanager
def _tls(authority: trustme.CA, name: str, *, folder: Path | None = None) -> Iterator[dict[str, Any]]:
    """A server behind TLS; with a folder, its authority is trusted."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    options = {}
    if folder is not None:
        authority.cert_pem.write_to_path(str(folder / "ca.pem"))
        options["extra_ca_file"] = str(folder / "ca.pem")
    with ScriptedServer(tls=context) as server:
        yield {"base_url": f"{server.url}/v1", **options}


@contextmanager
def _proxy() -> Iterator[dict[str, Any]]:
    with ConnectProxy(free_port(), credentials="Basic eDp5") as proxy:
        yield {"base_url": "https://gpu.tideline.lan/v1", "proxy": proxy.url}


def _is_told(driver: Driver) -> bool:
    """Whether the end is shown, or a countdown that leads to it."""
    shown = driver.shown
    has_ended = shown.main is not None and shown.main.id in {"again", "retry"}
    return has_ended or (shown.strip is not None and bool(shown.strip.actions))


def _height(picture: QPixmap) -> int:
    return int(picture.height() / picture.devicePixelRatio())
