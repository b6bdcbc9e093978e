"""Loopback servers for tests: real sockets, every byte and every pause under the test's control.

    with ScriptedServer() as server:
        gate = Gate()
        server.reply(*openai_text("Hel"), WaitFor(gate), *openai_text("lo"), *openai_end())
        client = make_client(ServerConfig(base_url=server.url + "/v1", ...))
        ...
        gate.open()                       # from any thread
        assert server.requests[0].json()["stream"] is True

A request takes the reply of the `handler`, else the one set for its path with `route`, else the next one queued with
`reply`. `Live` is a reply that the test writes while it runs. A server runs in a thread of its own, so tests of the
window can use it too.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

from redraft.core.llm.loop import EventLoopThread

PATIENCE: Final = 30.0
"""Seconds after which a test that waits in vain fails."""

EVENT_STREAM: Final = {"content-type": "text/event-stream"}


class Gate:
    """Holds a reply back until the test opens it."""

    def __init__(self) -> None:
        self._opened: Future[None] = Future()

    def open(self) -> None:
        """Let the reply go on; from any thread."""
        if not self._opened.done():
            self._opened.set_result(None)

    async def passed(self) -> None:
        await asyncio.shield(asyncio.wrap_future(self._opened))


@dataclass(frozen=True, slots=True)
class Head:
    """Status and headers; without one a reply is a chunked event stream with status 200.

    `chunked=False` sends the body bare and ends it by closing, so that a lost connection looks like an end.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: EVENT_STREAM)
    chunked: bool = True


@dataclass(frozen=True, slots=True)
class Send:
    """One chunk of the body."""

    chunk: bytes | str


@dataclass(frozen=True, slots=True)
class WaitFor:
    """A pause until a gate opens."""

    gate: Gate


@dataclass(frozen=True, slots=True)
class Hang:
    """Silence until the client goes away."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection is cut, without the end of the body."""


Step = Head | Send | WaitFor | Hang | Drop


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived; header names are lower-case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    def json(self) -> Any:
        return json.loads(self.body)


class Live:
    """A reply written by the test as it goes: `send`, then `end` or `drop`."""

    def __init__(self, *first: Step) -> None:
        self._steps: SimpleQueue[tuple[Step | None, Gate]] = SimpleQueue()
        self._first = self._next = Gate()
        self._lock = threading.Lock()
        for step in first:
            self.put(step)

    def put(self, step: Step | None) -> None:
        """Add a step; `None` ends the reply."""
        with self._lock:
            gate, self._next = self._next, Gate()
            self._steps.put((step, self._next))
            gate.open()

    def send(self, chunk: bytes | str) -> None:
        self.put(Send(chunk))

    def end(self) -> None:
        self.put(None)

    def drop(self) -> None:
        self.put(Drop())

    async def steps(self) -> AsyncIterator[Step]:
        gate = self._first
        while True:
            await gate.passed()
            step, gate = self._steps.get_nowait()
            if step is None:
                return
            yield step


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
            await _close(writer)

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


class ConnectProxy(ScriptedServer):
    """A forward proxy that tunnels every CONNECT to one server, whatever name was asked for."""

    def __init__(self, upstream_port: int, *, credentials: str = "") -> None:
        super().__init__()
        self._upstream_port = upstream_port
        self._credentials = credentials

    async def _answer(self, seen: Seen, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._credentials and seen.headers.get("proxy-authorization") != self._credentials:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")
            return
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._upstream_port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_pipe(reader, inner_writer), _pipe(inner_reader, writer))
        finally:
            await _close(inner_writer)


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


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()


async def _close(writer: asyncio.StreamWriter) -> None:
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


# What the three protocols say, as steps.


def json_reply(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> tuple[Step, ...]:
    """A whole JSON body."""
    head = Head(status, {"content-type": "application/json", **(headers or {})})
    return (head, Send(json.dumps(value)))


def error_reply(
    status: int, message: str = "no", headers: Mapping[str, str] | None = None, **more: Any
) -> tuple[Step, ...]:
    """An error body in the OpenAI way; more fields, such as `code` and `type`, stand inside it."""
    return json_reply({"error": {"message": message, **more}}, status, headers)


def openai_chunk(delta: Mapping[str, Any] | None = None, *, finish: str | None = None, **fields: Any) -> Send:
    """One event of a chat completion stream."""
    choices = [] if delta is None else [{"index": 0, "delta": dict(delta), "finish_reason": finish}]
    body = {"id": "c1", "object": "chat.completion.chunk", "choices": choices, **fields}
    return Send(f"data: {json.dumps(body, ensure_ascii=False)}\n\n")


def openai_text(*texts: str) -> tuple[Step, ...]:
    """Pieces of an answer, one event each."""
    return tuple(openai_chunk({"content": text}) for text in texts)


def openai_end(finish: str | None = "stop", usage: Mapping[str, Any] | None = None) -> tuple[Step, ...]:
    """The end of an answer: finish reason, usage where given, `[DONE]`."""
    steps: list[Step] = [openai_chunk({}, finish=finish)]
    if usage is not None:
        steps.append(openai_chunk(usage=usage))
    return (*steps, Send("data: [DONE]\n\n"))


def openai_answer(*texts: str, finish: str | None = "stop") -> tuple[Step, ...]:
    """A whole answer."""
    return (*openai_text(*texts), *openai_end(finish))


def anthropic_event(kind: str, **fields: Any) -> Send:
    """One event of a message stream."""
    return Send(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n")


def anthropic_start(**usage: int) -> tuple[Step, ...]:
    """The beginning of a message and of its first text block."""
    message = {"id": "m1", "role": "assistant", "content": [], "usage": {"output_tokens": 1, **usage}}
    block = {"type": "text", "text": ""}
    return (
        anthropic_event("message_start", message=message),
        anthropic_event("content_block_start", index=0, content_block=block),
    )


def anthropic_text(*texts: str) -> tuple[Step, ...]:
    """Pieces of an answer, one event each."""
    return tuple(
        anthropic_event("content_block_delta", index=0, delta={"type": "text_delta", "text": text}) for text in texts
    )


def anthropic_end(reason: str | None = "end_turn", output_tokens: int = 2) -> tuple[Step, ...]:
    """The end of a message."""
    return (
        anthropic_event("content_block_stop", index=0),
        anthropic_event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": output_tokens}),
        anthropic_event("message_stop"),
    )


def anthropic_answer(*texts: str, reason: str | None = "end_turn") -> tuple[Step, ...]:
    """A whole answer."""
    return (*anthropic_start(input_tokens=3), *anthropic_text(*texts), *anthropic_end(reason))
