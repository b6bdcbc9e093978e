"""The one way Redraft makes HTTP clients: trusted certificates, proxies, limits on silence, no keys in logs."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.request import getproxies, proxy_bypass

import httpx
import truststore

from redraft.core.errors import ConnectionFailed, TimedOut
from redraft.core.llm.server import ServerConfig, Timeouts, is_loopback

USER_AGENT: Final = "Redraft"

Trace = Callable[[str, dict[str, Any]], Awaitable[None]]
"""Hears of each step of a request: https://www.encode.io/httpcore/extensions/#trace"""


def make_http_client(config: ServerConfig) -> httpx.AsyncClient:
    """A client for one server; certificates are always verified, redirects never followed.

    Raises:
        ConnectionFailed: The extra CA file or the proxy cannot be used.
    """
    limits = config.timeouts
    try:
        return httpx.AsyncClient(
            verify=tls_context(config),
            proxy=choose_proxy(config),
            trust_env=False,
            headers={"user-agent": USER_AGENT, "accept-encoding": "identity"},
            # Silence is watched by `open_response` and `watch_silence`, which can tell its kinds apart.
            timeout=httpx.Timeout(limits.idle, connect=limits.connect, read=None, pool=None),
            follow_redirects=False,  # the key would go along
        )
    except (ValueError, ImportError, httpx.InvalidURL) as error:
        raise ConnectionFailed(
            f"The proxy for {config.name} cannot be used; give it as http://host:port in the network settings.",
            kind="proxy",
        ) from _without_details(error)


def choose_proxy(config: ServerConfig) -> str | None:
    """The proxy for a server: its own setting, else the system's (`HTTPS_PROXY`, `NO_PROXY`); never for loopback."""
    url = config.url
    if config.proxy == "none" or is_loopback(url.host):
        return None
    if config.proxy:
        return config.proxy
    if proxy_bypass(url.host):
        return None
    found = getproxies()
    proxy = found.get(url.scheme) or found.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


def tls_context(config: ServerConfig) -> ssl.SSLContext:
    """The system's trust store, and the user's extra certificates.

    Raises:
        ConnectionFailed: The extra CA file cannot be read, or holds no certificate.
    """
    path = config.extra_ca_file
    try:
        return _tls_context(path, path.stat().st_mtime_ns if path else 0)
    except (OSError, ssl.SSLError) as error:
        raise ConnectionFailed(
            f"The extra CA file of {config.name}, {path}, cannot be used; choose a PEM file in the settings.",
            kind="tls",
        ) from error


@lru_cache(maxsize=8)
def _tls_context(extra: Path | None, _changed_at: int) -> ssl.SSLContext:
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if extra is not None:
        context.load_verify_locations(cafile=str(extra))
    return context


@asynccontextmanager
async def open_response(
    http: httpx.AsyncClient, request: httpx.Request, limits: Timeouts, name: str
) -> AsyncIterator[httpx.Response]:
    """Send a request and hand out the response with its body unread; leaving closes the connection if any is left.

    Raises:
        TimedOut: Connected, but no response began within `limits.first_byte`.
        httpx.TransportError: As httpx does.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as patience:
            watcher: Trace | None = request.extensions.get("trace")

            async def on_trace(event: str, info: dict[str, Any]) -> None:
                if watcher is not None:
                    await watcher(event, info)
                if event.endswith("send_request_body.complete") and limits.first_byte is not None:
                    patience.reschedule(loop.time() + limits.first_byte)

            request.extensions["trace"] = on_trace
            response = await http.send(request, stream=True)
    except TimeoutError as error:
        raise silence(name, "first byte", limits.first_byte) from error
    try:
        yield response
    finally:
        await response.aclose()


async def watch_silence(chunks: AsyncIterator[bytes], limit: Callable[[], float | None]) -> AsyncGenerator[bytes, None]:
    """Pass chunks on, asking before each how long it may take.

    Raises:
        TimeoutError: It took longer.
    """
    while True:
        async with asyncio.timeout(limit()):
            try:
                chunk = await anext(chunks)
            except StopAsyncIteration:
                return
        yield chunk


def silence(name: str, limit: str, seconds: float | None) -> TimedOut:
    """The error for a limit that passed."""
    waited = f"{seconds:g} s" if seconds is not None else "a long time"
    match limit:
        case "connect":
            words = f"{name} could not be reached within {waited}"
        case "first byte":
            words = f"{name} sent nothing for {waited}"
        case _:
            words = f"{name} stopped sending for {waited}"
    return TimedOut(f"{words}; try again, or raise this limit in the model's settings.", limit=limit)


def _without_details(error: Exception) -> Exception:
    # httpx quotes the proxy's URL, which may hold a password.
    return type(error)() if isinstance(error, (ValueError, ImportError)) else ValueError()


class _QueryFilter(logging.Filter):
    """Takes queries and user names out of the addresses httpx logs: keys are sent there too."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(
                str(value.copy_with(query=None, userinfo=b"")) if isinstance(value, httpx.URL) else value
                for value in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_QueryFilter())
