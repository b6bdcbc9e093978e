"""What a client needs to know of the server it talks to."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import httpx

from redraft.core.errors import ModelUnavailable


class ServerKind(StrEnum):
    """The protocol a server speaks."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    TABBY = "tabby"


class Prefill(StrEnum):
    """How a server is told to go on with an answer that is begun."""

    NONE = "none"
    """It cannot."""
    MESSAGE = "message"
    """It goes on with an assistant message that stands last (llama-server, Anthropic)."""
    CONTINUE = "continue"
    """As above, but the request must also say so (vLLM)."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Limits in seconds; `None` means none.

    Attributes:
        connect: To reach the server, name resolution and TLS included.
        first_byte: Any silence before the first text; long, for models that think and servers that load.
        idle: Any silence after that. Keep-alives end a silence.
    """

    connect: float | None = 10
    first_byte: float | None = 300
    idle: float | None = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    """One server and the model asked of it, as the user has set them up.

    Attributes:
        name: What the user calls it; stands in every message.
        kind: The protocol.
        base_url: Its address, with or without the `/v1`.
        model: The model's id there; empty lets the server choose.
        key: Gives the key, afresh for each request, in a worker thread: a keyring or a command may take its time.
        key_host: The host the key belongs to; to any other it is not sent. Empty binds it to the address as it is.
        key_place: Where the user enters the key, as a sentence calls it.
        headers: More headers; they may hold secrets, so they are treated as such.
        timeouts: Limits on waiting.
        proxy: A proxy's URL; empty takes the system's, `"none"` takes none. Loopback is always reached directly.
        extra_ca_file: Certificates trusted besides the system's.
        location: `"embedded"`, `"server"` or `"cloud"`; empty derives it from the host.
        context_tokens: Size of the model's context, 0 where unknown.
        max_output_tokens: Longest answer, 0 where unknown.
        temperature: Used where a request names none; `None` leaves it to the server.
        input_price: Of a million tokens, in US dollars.
        output_price: The same of output.
        prefill: Whether and how answers can be begun for the model.
        max_tokens_field: What the OpenAI protocol calls the answer's limit; OpenAI itself has renamed it.
        extra: More fields for every request body.
    """

    name: str
    base_url: str
    kind: ServerKind = ServerKind.OPENAI
    model: str = ""
    key: Callable[[], str | None] | None = field(default=None, repr=False)
    key_host: str = ""
    key_place: str = "the model's settings"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeouts: Timeouts = Timeouts()
    proxy: str = field(default="", repr=False)
    extra_ca_file: Path | None = None
    location: str = ""
    context_tokens: int = 0
    max_output_tokens: int = 0
    temperature: float | None = None
    input_price: float | None = None
    output_price: float | None = None
    prefill: Prefill = Prefill.NONE
    max_tokens_field: str = "max_tokens"
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> httpx.URL:
        """The address, checked.

        Raises:
            ModelUnavailable: It is no web address.
        """
        try:
            url = httpx.URL(self.base_url.strip())
        except httpx.InvalidURL:
            url = httpx.URL()
        if url.scheme not in {"http", "https"} or not url.host or "%" in url.host:
            raise ModelUnavailable(
                f"The address of {self.name} is not a web address; write it like https://example.com/v1."
            )
        return url

    @property
    def host(self) -> str:
        """Host and port, as shown to the user; never the path, which may hold a key."""
        url = self.url
        return url.netloc.decode("ascii", "replace")

    def endpoint(self, path: str) -> httpx.URL:
        """The address of one call, such as `"chat/completions"`; a query in the base address is kept."""
        url = self.url
        base = url.path.rstrip("/")
        for tail in ("/chat/completions", "/messages"):
            base = base.removesuffix(tail)
        return url.copy_with(path=f"{base or '/v1'}/{path}")

    def endpoint_at_root(self, path: str) -> httpx.URL:
        """The address of a call that names its own version, such as `"v1beta/chat/completions"`."""
        url = self.url
        base = url.path.rstrip("/")
        for tail in ("/chat/completions", "/messages", "/v1"):
            base = base.removesuffix(tail)
        return url.copy_with(path=f"{base}/{path}")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def location_of(host: str) -> str:
    """`"server"` for a host of one's own network, `"cloud"` for any other, by its name alone."""
    address = _address(host)
    if address is not None:
        return "server" if address.is_private else "cloud"
    own = (".lan", ".local", ".localhost", ".home", ".home.arpa", ".internal", ".intranet")
    return "server" if "." not in host or host.endswith(own) else "cloud"


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
