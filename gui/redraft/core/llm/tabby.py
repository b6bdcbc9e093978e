"""Tabby's server: chat completions at one of two addresses, and a health check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import httpx

from redraft.core.errors import AuthenticationError, BadRequest, MalformedStream, ModelError
from redraft.core.llm.api import ApiClient
from redraft.core.llm.chat import HttpChatClient
from redraft.core.llm.openai import OpenAIDialect
from redraft.core.llm.server import ServerConfig

RECHECK_SECONDS: Final = 30.0
"""How often to look again at a server that is not ready."""

HEARTBEAT_SECONDS: Final = 60.0
"""How often to look at one that is."""


class TabbyDialect(OpenAIDialect):
    """Chat completions, at `/v1beta` on servers that do not have `/v1` yet."""

    def urls(self) -> Sequence[httpx.URL]:
        """The new address and the old."""
        return [self._config.endpoint_at_root(f"{version}/chat/completions") for version in ("v1", "v1beta")]


class TabbyClient(HttpChatClient):
    """A client for Tabby's server."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__(config, TabbyDialect(config))


class TabbyState(StrEnum):
    """How a server stands."""

    NO_CONNECTION = "no_connection"
    UNAUTHORIZED = "unauthorized"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class TabbyHealth:
    """What a look at the server found.

    Attributes:
        state: How it stands.
        chat_model: The model that answers, where the server says so.
        version: The server's version, where it says so.
        error: Why it is not ready.
    """

    state: TabbyState
    chat_model: str = ""
    version: str = ""
    error: ModelError | None = None

    @property
    def check_again_after(self) -> float:
        """Seconds until the next look."""
        return HEARTBEAT_SECONDS if self.state is TabbyState.READY else RECHECK_SECONDS


async def check_health(config: ServerConfig) -> TabbyHealth:
    """Look how a server stands; old ones want a POST where new ones want a GET."""
    try:
        async with ApiClient(config) as api:
            return _read_health(await _fetch_health(api, config.endpoint_at_root("v1/health")))
    except AuthenticationError as error:
        return TabbyHealth(TabbyState.UNAUTHORIZED, error=error)
    except ModelError as error:
        return TabbyHealth(TabbyState.NO_CONNECTION, error=error)


async def _fetch_health(api: ApiClient, url: httpx.URL) -> Any:
    try:
        return await api.get_json(url)
    except BadRequest as error:
        if error.status != 405:
            raise
        return await api.post_json(url)


def _read_health(found: Any) -> TabbyHealth:
    if not isinstance(found, dict):
        raise MalformedStream("The server's health report cannot be read; check its address and kind.")
    version = found.get("version")
    described = version.get("git_describe", "") if isinstance(version, dict) else version
    return TabbyHealth(TabbyState.READY, str(found.get("chat_model") or ""), str(described or ""))
