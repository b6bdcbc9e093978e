"""A client for a server that is named on the command line, used as it is and without settings."""

from __future__ import annotations

from typing import Final

from redraft.core.errors import ModelUnavailable, UsageError
from redraft.core.llm.client import ChatClient
from redraft.core.llm.discovery import recognise
from redraft.core.llm.registry import PROVIDER_PRESETS, make_client, preset_for
from redraft.core.llm.server import ServerConfig, ServerKind

KEY_PLACE: Final = "the environment variable REDRAFT_API_KEY"


async def direct_client(base_url: str, model: str = "", api_key: str = "") -> ChatClient:
    """A client for any OpenAI-compatible server.

    The usual ones are known by their address; another is asked once for its models, by which llama.cpp and vLLM are
    known: answers can be begun there, and small models keep to the form far better so.

    Raises:
        UsageError: The address is no web address.
    """
    try:
        preset = preset_for(ServerKind.OPENAI, base_url)
        host = ServerConfig(name="the server", base_url=base_url).host
    except ModelUnavailable as error:
        raise UsageError(f"{base_url} is not a web address; write it like http://localhost:8080/v1.") from error
    key = (lambda: api_key) if api_key else None
    config = preset.config(name=host, base_url=base_url, model=model, key=key, key_place=KEY_PLACE)
    if preset.id == "custom":
        preset = PROVIDER_PRESETS[await recognise(config)]
        config = preset.config(name=host, base_url=base_url, model=model, key=key, key_place=KEY_PLACE)
    return make_client(config)
