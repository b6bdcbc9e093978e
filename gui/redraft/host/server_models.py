"""Models at servers, as the settings or the environment describe them. Loaded late: it brings the HTTP library."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from redraft.api.services import SettingsView
from redraft.core.config.model_settings import ModelSettings
from redraft.core.config.secrets import host_of, resolve_key
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.chat import model_info
from redraft.core.llm.client import IN_SETTINGS, ChatClient, ModelInfo
from redraft.core.llm.registry import PROVIDER_PRESETS, ProviderPreset, make_client
from redraft.core.llm.server import ServerConfig, ServerKind, Timeouts
from redraft.core.log import redact
from redraft.host.models import API_KEY, BASE_URL, MODEL

KEY_HEADER: Final = re.compile(r"auth|key|token|secret|cookie", re.IGNORECASE)
_log = logging.getLogger(__name__)


class ServerModels:
    """Models at servers, each described by a `ServerConfig`; clients are kept and shared until their server changes."""

    def __init__(self, provider_id: str, configs: Callable[[], Sequence[ServerConfig]]) -> None:
        self._id = provider_id
        self._configs = configs
        self._open: dict[str, tuple[str, ChatClient]] = {}
        self._replaced: list[ChatClient] = []

    @property
    def id(self) -> str:
        """The provider's name."""
        return self._id

    def list_models(self) -> Sequence[ModelInfo]:
        """The models set up; one whose address makes no sense is left out and named in the log."""
        found = (self._info(config) for config in self._configs())
        return [info for info in found if info is not None]

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client for a model.

        Raises:
            ModelUnavailable: It is not set up any more, or cannot be as it is.
        """
        config = next((config for config in self._configs() if config.name == model.name), None)
        if config is None:
            raise ModelUnavailable(f"The model {model.name!r} is not set up any more; choose another one.")
        setup = _setup_of(config)
        known = self._open.get(config.name)
        if known is not None and known[0] == setup:
            return known[1]
        client = make_client(config)
        if known is not None:
            self._replaced.append(known[1])  # a stream may still run over it
        self._open[config.name] = setup, client
        return client

    async def aclose(self) -> None:
        """Close all connections."""
        clients = [*self._replaced, *(client for _, client in self._open.values())]
        self._replaced.clear()
        self._open.clear()
        for client in clients:
            await client.aclose()

    def _info(self, config: ServerConfig) -> ModelInfo | None:
        try:
            info = model_info(config)
        except ModelUnavailable as error:
            _log.warning("%s", error)
            return None
        return replace(info, provider=self._id)


def settings_models(settings: SettingsView) -> ServerModels:
    """The models of the settings' `[[models]]` that are enabled."""

    def configs() -> list[ServerConfig]:
        rows: Sequence[ModelSettings] = settings.get("models")
        return [server_config(row, settings) for row in rows if row.enabled]

    return ServerModels(IN_SETTINGS, configs)


def environment_models(environment: Mapping[str, str], settings: SettingsView) -> ServerModels:
    """The one model that `REDRAFT_BASE_URL`, `REDRAFT_MODEL` and `REDRAFT_API_KEY` describe, if they do."""
    address, model, key = (environment.get(name, "").strip() for name in (BASE_URL, MODEL, API_KEY))
    redact(key)
    if not address:
        return ServerModels("environment", tuple)
    config = usual_setup(address).config(
        name=model or BASE_URL,
        base_url=address,
        model=model,
        key=(lambda: key) if key else None,
        timeouts=timeouts(settings),
        proxy=settings.get("network.proxy"),
        extra_ca_file=_file(settings.get("network.extra_ca_file")),
    )
    return ServerModels("environment", lambda: [config])


def server_config(row: ModelSettings, settings: SettingsView) -> ServerConfig:
    """What a client needs to know of one `[[models]]` table."""
    source = row.key_source
    for name, value in row.headers.items():
        if KEY_HEADER.search(name):  # a key does not belong there, and yet must not get into the log
            redact(value)
            redact(value.rpartition(" ")[2])
    return usual_setup(row.base_url).config(
        name=row.name,
        base_url=row.base_url,
        kind=ServerKind(row.kind),
        model=row.model,
        key=None if source.kind == "none" else lambda: resolve_key(source, source.host),
        key_host=source.host,
        headers=row.headers,
        timeouts=timeouts(settings, row),
        proxy=row.proxy or settings.get("network.proxy"),
        extra_ca_file=_file(row.extra_ca_file or settings.get("network.extra_ca_file")),
        context_tokens=row.context_tokens,
        max_output_tokens=row.max_output_tokens,
        temperature=row.temperature,
        input_price=row.price_in,
        output_price=row.price_out,
    )


def usual_setup(address: str) -> ProviderPreset:
    """How servers at an address are usually set up (prefill, names of fields), by host and port."""
    try:
        host = host_of(address)
    except ValueError:
        return PROVIDER_PRESETS["custom"]
    known = (preset for preset in PROVIDER_PRESETS.values() if host_of(preset.base_url) == host)
    return next(known, PROVIDER_PRESETS["custom"])


def timeouts(settings: SettingsView, row: ModelSettings | None = None) -> Timeouts:
    """The limits on waiting: the model's own, else those of the network settings."""

    def limit(name: str) -> float:
        own = getattr(row, name) if row is not None else None
        return float(settings.get(f"network.{name}") if own is None else own)

    return Timeouts(limit("connect_timeout"), limit("first_byte_timeout"), limit("idle_timeout"))


def _setup_of(config: ServerConfig) -> str:
    """All of a configuration that a client depends on; its key is fetched afresh for each request anyway."""
    return repr((config, config.proxy, sorted(config.headers.items())))


def _file(name: str) -> Path | None:
    return Path(name).expanduser() if name else None
