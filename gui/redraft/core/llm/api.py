"""Plain calls to a model's server: its list of models, its health, its batches."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from types import TracebackType
from typing import Any, Final, Self

import httpx

from redraft.core.errors import MalformedStream
from redraft.core.llm.anthropic import anthropic_headers
from redraft.core.llm.chat import encode_json, read_key, read_refusal
from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.http import Trace, make_http_client, open_response, silence, watch_silence
from redraft.core.llm.server import ServerConfig, ServerKind

BODY_LIMIT: Final = 64 * 1024 * 1024


class ApiClient:
    """Calls to one server, over one kept connection; use as an asynchronous context manager.

    Every call raises a `ModelError` when it fails, as a chat would.
    """

    def __init__(self, config: ServerConfig, *, trace: Trace | None = None) -> None:
        self.config = config
        self._trace = trace
        self._http = make_http_client(config)
        self._key: str | None = None

    async def get_json(self, url: httpx.URL) -> Any:
        """Ask for a JSON value."""
        return await self._json(self._http.build_request("GET", url))

    async def post_json(self, url: httpx.URL, body: object = None) -> Any:
        """Send a JSON value and take one back; no body is sent for `None`."""
        if body is None:
            return await self._json(self._http.build_request("POST", url))
        headers = {"content-type": "application/json"}
        return await self._json(self._http.build_request("POST", url, content=encode_json(body), headers=headers))

    async def post_file(self, url: httpx.URL, name: str, content: bytes, fields: Mapping[str, str]) -> Any:
        """Upload a file as a form, and take a JSON value back."""
        files = {"file": (name, content, "application/jsonl")}
        return await self._json(self._http.build_request("POST", url, data=dict(fields), files=files))

    async def lines(self, url: httpx.URL) -> AsyncGenerator[bytes, None]:
        """The lines of a body, one by one, however large it is."""
        partial = b""
        async with self._opened(self._http.build_request("GET", url)) as chunks:
            async for chunk in chunks:
                *whole, partial = (partial + chunk).split(b"\n")
                for line in whole:
                    yield line
        if partial:
            yield partial

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def _json(self, request: httpx.Request) -> Any:
        body = bytearray()
        async with self._opened(request) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > BODY_LIMIT:
                    raise MalformedStream(f"{self.config.name} sent more than was asked for; check its address.")
        try:
            return json.loads(body)
        except ValueError as error:
            raise FaultMapper(self.config).web_page() from error

    @asynccontextmanager
    async def _opened(self, request: httpx.Request) -> AsyncIterator[AsyncGenerator[bytes, None]]:
        if self._key is None:
            self._key = await read_key(self.config)
        request.headers.update({**auth_headers(self.config, self._key), **self.config.headers})
        if self._trace is not None:
            request.extensions["trace"] = self._trace
        faults, limits = FaultMapper(self.config, (self._key,)), self.config.timeouts
        try:
            async with open_response(self._http, request, limits, self.config.name) as response:
                if response.status_code >= 300:
                    raise faults.from_refusal(await read_refusal(response, self.config))
                async with aclosing(watch_silence(response.aiter_bytes(), lambda: limits.idle)) as chunks:
                    yield chunks
        except TimeoutError as error:
            raise silence(self.config.name, "idle", limits.idle) from error
        except httpx.HTTPError as error:
            raise faults.from_exception(error) from None


def auth_headers(config: ServerConfig, key: str) -> dict[str, str]:
    """The headers that carry a key, by the server's kind."""
    if config.kind is ServerKind.ANTHROPIC:
        return anthropic_headers(key)
    return {"authorization": f"Bearer {key}"} if key else {}


async def list_models(config: ServerConfig) -> list[str]:
    """The ids of the models a server has, in its order.

    Raises:
        ModelError: The list cannot be had.
    """
    async with ApiClient(config) as api:
        return await fetch_models(api)


async def fetch_models(api: ApiClient) -> list[str]:
    """As `list_models`, over a connection that is open."""
    config = api.config
    tabby = config.kind is ServerKind.TABBY
    found = await api.get_json(config.endpoint_at_root("v1beta/models") if tabby else config.endpoint("models"))
    if isinstance(found, dict) and isinstance(chat := found.get("chat"), list):  # Tabby's way
        return [str(name) for name in chat]
    rows = found.get("data") if isinstance(found, dict) else found
    if not isinstance(rows, list):
        raise FaultMapper(config).web_page()
    return [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]
