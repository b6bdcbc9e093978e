"""A forward proxy on a real loopback port."""

from __future__ import annotations

import asyncio
import contextlib

from servers.scripted import ScriptedServer, close_quietly
from servers.steps import Seen


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
            await close_quietly(inner_writer)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()
