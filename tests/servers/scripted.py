"""A server on a real loopback port that answers as it was told."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from types import TracebackType
from typing import Self

from redraft.core.llm.loop import EventLoopThread
from servers.replies import json_reply
from servers.steps import PATIENCE, Drop, Hang, Head, Live, Seen, Send, Step, WaitFor


class ClientGone(Exception):
    """The client closed its side while a reply was under way."""


class ScriptedServer:
    """A server on a free loopback port that answers as it was told.

    Attributes:
        requests: What arrived, in order.
        client_gone: Set when a client closed its connection before its reply was over.
    """

    def __init__(
        self,
        *,
        tls: ssl.SSLContext | None = None,
        handler: Callable[[Seen], tuple[Step, ...] | None] | None = None,
    ) -> None:
        self._handler = handler
        self.requests: list[Seen] = []
        self.client_gone = threading.Event()
        self.port = 0
        self._tls = tls
        self._thread = EventLoopThread("scripted-server")
        self._server: asyncio.Server | None = None
        self._replies: deque[Live | tuple[Step, ...]] = deque()
        self._routes: dict[tuple[str, str], tuple[Step, ...]] = {}
        self._arrived = threading.Condition()

    @property
    def url(self) -> str:
        """The address, without a path."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    def reply(self, *steps: Step | Iterable[Step]) -> None:
        """Queue the reply to a coming request."""
        self._replies.append(_flat(steps))

    def live(self, *first: Step) -> Live:
        """Queue a reply the test writes while it runs."""
        live = Live(*first)
        self._replies.append(live)
        return live

    def forget(self, reply: Live) -> None:
        """Take a reply back that nobody asked for."""
        if reply in self._replies:
            self._replies.remove(reply)

    def route(self, method: str, path: str, *steps: Step | Iterable[Step]) -> None:
        """Set the reply to every request of a path."""
        self._routes[method, path] = _flat(steps)

    def wait_for_request(self, count: int = 1) -> Seen:
        """The request number `count`, from 1, as soon as it has arrived."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: len(self.requests) >= count, PATIENCE), "no request arrived"
        return self.requests[count - 1]

    def __enter__(self) -> Self:
        self._thread.start()
        self._thread.submit(self._listen()).result(PATIENCE)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.submit(self._end()).result(PATIENCE)
        assert self._thread.stop(PATIENCE)

    async def _end(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            seen = await read_request(reader)
            if seen is None:
                return
            if not seen.method:
                writer.write(_head_bytes(Head(400, {"content-length": "0"}, chunked=False)))
                return
            with self._arrived:
                self.requests.append(seen)
                self._arrived.notify_all()
            await self._answer(seen, reader, writer)
        except (ClientGone, ConnectionError):
            self.client_gone.set()
        finally:
            await close_quietly(writer)

    async def _answer(self, seen: Seen, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reply = asyncio.ensure_future(self._play(self._steps_for(seen), writer))
        gone = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({reply, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not reply.done():
                raise ClientGone
            await reply
        finally:
            for task in (reply, gone):
                task.cancel()
            await asyncio.gather(reply, gone, return_exceptions=True)

    def _steps_for(self, seen: Seen) -> AsyncIterator[Step]:
        steps = self._handler(seen) if self._handler is not None else None
        steps = steps or self._routes.get((seen.method, seen.path))
        if steps is not None:
            return _each(steps)
        if not self._replies:
            return _each(json_reply({"error": {"message": "the test has set no reply"}}, status=404))
        reply = self._replies.popleft()
        return reply.steps() if isinstance(reply, Live) else _each(reply)

    async def _play(self, steps: AsyncIterator[Step], writer: asyncio.StreamWriter) -> None:
        head: Head | None = None
        async for step in steps:
            if isinstance(step, Head):
                head = step
                writer.write(_head_bytes(head))
            elif isinstance(step, WaitFor):
                await step.gate.passed()
            elif isinstance(step, Hang):
                await asyncio.Event().wait()
            elif isinstance(step, Drop):
                writer.transport.abort()
                return
            else:
                if head is None:
                    head = Head()
                    writer.write(_head_bytes(head))
                writer.write(_framed(step.chunk, chunked=head.chunked))
            await writer.drain()
        if head is not None and head.chunked:
            writer.write(b"0\r\n\r\n")
            await writer.drain()


async def read_request(reader: asyncio.StreamReader) -> Seen | None:
    """One HTTP/1.1 request, or `None` if the client went away."""
    try:
        first_byte = await reader.readexactly(1)
        if not first_byte.isalpha():  # A TLS handshake, or worse.
            return Seen("", "", {}, b"")
        head = first_byte + await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await _read_body(reader, headers)
    return Seen(method, target, headers, body)


async def _read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", "0")))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)


async def close_quietly(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError, ssl.SSLError, OSError):
        writer.close()
        await writer.wait_closed()


async def _each(steps: Iterable[Step]) -> AsyncIterator[Step]:
    for step in steps:
        yield step


def _flat(steps: Iterable[Step | Iterable[Step]]) -> tuple[Step, ...]:
    flat: list[Step] = []
    for step in steps:
        if isinstance(step, (Head, Send, WaitFor, Hang, Drop)):
            flat.append(step)
        else:
            flat.extend(step)
    return tuple(flat)


def _head_bytes(head: Head) -> bytes:
    framing = {"transfer-encoding": "chunked"} if head.chunked else {}
    headers = {**head.headers, **framing, "connection": "close"}
    lines = [f"HTTP/1.1 {head.status} Said", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join((*lines, "", "")).encode("latin-1")


def _framed(chunk: bytes | str, *, chunked: bool) -> bytes:
    data = chunk.encode() if isinstance(chunk, str) else chunk
    return b"%x\r\n%b\r\n" % (len(data), data) if chunked and data else data
