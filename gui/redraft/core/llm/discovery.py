"""Finds model servers that already run on this machine. They are offered to the user, and used only when chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import httpx

from redraft.core.errors import AuthenticationError, ModelError
from redraft.core.llm.api import ApiClient
from redraft.core.llm.server import ServerConfig, Timeouts

USUAL_PORTS: Final = (11434, 1234, 8000, 8080)

_QUICK: Final = Timeouts(connect=1, first_byte=3, idle=3)

# Who a server is, by what it says of its models: https://github.com/ggml-org/llama.cpp and others fill `owned_by`.
_OWNERS: Final = {"llamacpp": "llama-server", "vllm": "vllm", "library": "ollama", "organization_owner": "lm-studio"}
_PORTS: Final = {11434: "ollama", 1234: "lm-studio"}


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server that answered.

    Attributes:
        preset: The id of the preset it looks like.
        base_url: Its address.
        models: The ids of its models; empty if it wants a key first.
        needs_key: Whether it does.
    """

    preset: str
    base_url: str
    models: tuple[str, ...] = ()
    needs_key: bool = False


async def discover(ports: Sequence[int] = USUAL_PORTS) -> list[FoundServer]:
    """Look at the usual ports of this machine, all at once; takes at most a few seconds and sends no key."""
    found = await asyncio.gather(*(_look(port) for port in ports))
    return [server for server in found if server is not None]


async def recognise(config: ServerConfig) -> str:
    """The id of the preset that a server of an unknown kind follows, by one quick look at its list of models.

    What cannot be told in a few seconds is `"custom"`; what is wrong with the server, the first request will say.
    """
    async with ApiClient(replace(config, timeouts=_QUICK)) as api:
        try:
            listed = await api.get_json(config.endpoint("models"))
        except ModelError:
            return "custom"
    return _recognise(_rows(listed) or [], "custom")


async def _look(port: int) -> FoundServer | None:
    # By number: `localhost` may be tried as ::1 first, where these servers often do not listen.
    root = f"http://127.0.0.1:{port}"
    config = ServerConfig(name=f"Port {port}", base_url=f"{root}/v1", timeouts=_QUICK)
    preset = _PORTS.get(port, "custom")
    async with ApiClient(config) as api:
        try:
            listed = await api.get_json(config.endpoint("models"))
        except AuthenticationError:
            return FoundServer(preset, config.base_url, needs_key=True)
        except ModelError:
            is_tabby = await _is_there(api, config.endpoint("health"))
            return FoundServer("tabby", root, needs_key=True) if is_tabby else None
    rows = _rows(listed)
    if rows is None:
        return None
    return FoundServer(_recognise(rows, preset), config.base_url, tuple(row["id"] for row in rows))


def _rows(listed: object) -> list[dict[str, Any]] | None:
    """The models of a list, or `None` if it is no list of models."""
    rows = listed.get("data") if isinstance(listed, dict) else None
    if not isinstance(rows, list):
        return None
    return [row for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]


def _recognise(rows: list[dict[str, Any]], otherwise: str) -> str:
    owners = (str(row.get("owned_by")) for row in rows)
    return next((_OWNERS[owner] for owner in owners if owner in _OWNERS), otherwise)


async def _is_there(api: ApiClient, url: httpx.URL) -> bool:
    try:
        return isinstance(await api.get_json(url), dict)
    except AuthenticationError:
        return True
    except ModelError:
        return False
