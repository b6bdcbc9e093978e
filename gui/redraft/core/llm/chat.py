"""The client that carries every protocol over HTTP: it sends, reads, watches the clock, and says how it ended."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Any, Final, Protocol

import httpx

from redraft.core.errors import AuthenticationError, ConfigError
from redraft.core.llm.client import Capabilities, ModelInfo
from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.http import make_http_client, open_response, silence, watch_silence
from redraft.core.llm.messages import ChatRequest, StopReason, StreamEvent
from redraft.core.llm.reader import StreamReader
from redraft.core.llm.refusals import Refusal
from redraft.core.llm.server import ServerConfig, location_of
from redraft.core.llm.sse import SSEDecoder
from redraft.core.llm.stops import StopCutter

GRACE_SECONDS: Final = 3.0
"""How long to wait for counts once the server has said that the answer is over."""

STOP_GRACE_SECONDS: Final = 2.0
"""How long a server may go on behind a stop text that it should have ended at, before it is left."""

_log = logging.getLogger(__name__)
_ADAPTATIONS: Final = 3
"""How often one request is changed to what a server takes."""

_ERROR_BODY_LIMIT: Final = 64 * 1024


class Dialect(Protocol):
    """One protocol: how to ask, and how to read."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do for this server."""
        ...

    def urls(self) -> Sequence[httpx.URL]:
        """Where to ask; each next one if the one before is not there (404)."""
        ...

    def headers(self, key: str) -> dict[str, str]:
        """Headers that carry the key, if it is not empty, and the protocol's version."""
        ...

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request's JSON body."""
        ...

    def adapted(self, body: dict[str, Any], said: Refusal) -> dict[str, Any] | None:
        """The body without what the server has just refused, or `None` if nothing can be left out."""
        ...

    def reader(self, faults: FaultMapper) -> StreamReader:
        """A reader for one answer."""
        ...


class HttpChatClient:
    """A `ChatClient` for one server and protocol."""

    def __init__(self, config: ServerConfig, dialect: Dialect) -> None:
        self._config = config
        self._dialect = dialect
        self._http: httpx.AsyncClient | None = None

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        return model_info(self._config)

    @property
    def capabilities(self) -> Capabilities:
        """What the server can do."""
        return self._dialect.capabilities

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """Ask, and yield what comes back; see `ChatClient.stream`."""
        key = await read_key(self._config)
        faults = FaultMapper(self._config, (key,))
        reader, cutter = self._dialect.reader(faults), StopCutter(request.stop)
        failure: Exception | None = None
        try:
            async with AsyncExitStack() as stack:
                response = await self._ask(stack, self._dialect.body(request), key, faults)
                events = await stack.enter_async_context(aclosing(self._read(response, reader, faults)))
                async for event in events:
                    for passed in cutter.feed(event):
                        yield passed
                    if cutter.has_stopped:
                        reader.reason = await _reason_behind_stop(events, reader)
                        break
        except (httpx.HTTPError, httpx.StreamError, TimeoutError) as error:
            failure = error
        for event in cutter.close():
            yield event
        if failure is not None:
            self._judge(failure, reader, faults)
        for event in reader.close():
            yield event

    async def aclose(self) -> None:
        """Close all connections; streams in progress end."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    async def _ask(self, stack: AsyncExitStack, body: dict[str, Any], key: str, faults: FaultMapper) -> httpx.Response:
        urls = list(self._dialect.urls())
        adaptations = _ADAPTATIONS
        while True:
            response = await self._send(stack, urls[0], body, key)
            if response.status_code < 300:
                return response
            said = await read_refusal(response, self._config)
            if response.status_code == 404 and len(urls) > 1:
                urls.pop(0)
                continue
            adapted = self._dialect.adapted(body, said) if adaptations and said.status in {400, 422} else None
            if adapted is None:
                raise faults.from_refusal(said)
            adaptations -= 1
            body = adapted

    async def _send(self, stack: AsyncExitStack, url: httpx.URL, body: dict[str, Any], key: str) -> httpx.Response:
        if self._http is None:
            self._http = make_http_client(self._config)
        headers = {"accept": "text/event-stream", "content-type": "application/json", **self._dialect.headers(key)}
        request = self._http.build_request(
            "POST", url, content=encode_json(body), headers={**headers, **self._config.headers}
        )
        return await stack.enter_async_context(
            open_response(self._http, request, self._config.timeouts, self._config.name)
        )

    async def _read(
        self, response: httpx.Response, reader: StreamReader, faults: FaultMapper
    ) -> AsyncGenerator[StreamEvent, None]:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        chunks = watch_silence(response.aiter_bytes(), lambda: self._patience(reader))
        async with aclosing(chunks):
            if kind == "application/json":
                for event in reader.feed_whole(b"".join([chunk async for chunk in chunks])):
                    yield event
                return
            if kind == "text/html":
                raise faults.web_page()
            decoder = SSEDecoder()
            async for chunk in chunks:
                for sent in decoder.feed(chunk):
                    for event in reader.feed(sent):
                        yield event
                    if reader.is_finished:
                        return

    def _patience(self, reader: StreamReader) -> float | None:
        limits = self._config.timeouts
        if reader.reason is not None:
            return GRACE_SECONDS
        return limits.idle if reader.has_text else limits.first_byte

    def _judge(self, error: Exception, reader: StreamReader, faults: FaultMapper) -> None:
        """Raise what a failure means, unless the answer is over, or cut off and kept."""
        if reader.reason is not None:
            return
        if isinstance(error, TimeoutError):
            limits = self._config.timeouts
            limit = "idle" if reader.has_text else "first byte"
            raise silence(faults.name, limit, limits.idle if reader.has_text else limits.first_byte) from error
        if reader.has_text:
            _log.info("The answer of %s broke off: %s", faults.name, type(error).__name__)
            return
        # These two quote headers and addresses, where keys stand.
        quotes = isinstance(error, (httpx.LocalProtocolError, httpx.UnsupportedProtocol))
        raise faults.from_exception(error) from (None if quotes else error)


async def _reason_behind_stop(events: AsyncGenerator[StreamEvent, None], reader: StreamReader) -> StopReason | None:
    """Why an answer ended at whose stop text the server did not stop.

    A connection that is lost just there (`None`) is no end, and a server's word that it cut the answer off stands.
    """
    goes_on = False
    try:
        async with asyncio.timeout(STOP_GRACE_SECONDS):
            async for _ in events:
                if reader.reason is not None:
                    break
    except TimeoutError:
        goes_on = True
    if reader.reason is not None and not reader.reason.is_complete:
        return reader.reason
    return StopReason.STOP_SEQUENCE if goes_on or reader.is_finished or reader.reason else None


def model_info(config: ServerConfig) -> ModelInfo:
    """The model of a server as the rest of Redraft knows it."""
    return ModelInfo(
        name=config.name,
        provider=config.name,
        model=config.model,
        location=config.location or location_of(config.url.host),
        context_tokens=config.context_tokens,
        max_output_tokens=config.max_output_tokens,
        input_price=config.input_price,
        output_price=config.output_price,
    )


async def read_key(config: ServerConfig) -> str:
    """The key to send; empty if the server takes none.

    Raises:
        AuthenticationError: There is none where there should be, or it belongs to another host.
    """
    url = config.url
    if config.key is None:
        return ""
    if config.key_host and config.key_host not in {url.host, config.host}:
        raise AuthenticationError(
            f"The key of {config.name} belongs to {config.key_host}, not to {config.host}; enter this host's key.",
            status=401,
        )
    try:
        key = (await asyncio.to_thread(config.key) or "").strip()
    except ConfigError as error:
        raise AuthenticationError(str(error), status=401) from error
    if not key:
        raise AuthenticationError(
            f"The key of {config.name} was not found; enter it in the model's settings.", status=401
        )
    if not (key.isascii() and key.isprintable()):
        raise AuthenticationError(
            f"The key of {config.name} has characters that no key has; paste it again in the model's settings.",
            status=401,
        )
    return key


def encode_json(body: object) -> bytes:
    """JSON as UTF-8; half surrogate pairs, which UTF-8 cannot hold, become question marks."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


async def read_refusal(response: httpx.Response, config: ServerConfig) -> Refusal:
    """What a response with an error status says; its connection is closed."""
    body = bytearray()
    try:
        async with aclosing(watch_silence(response.aiter_bytes(), lambda: config.timeouts.idle)) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > _ERROR_BODY_LIMIT:
                    break
    except (httpx.HTTPError, TimeoutError):
        pass  # The status says enough.
    await response.aclose()
    return Refusal.of_response(response.status_code, response.headers, bytes(body))
