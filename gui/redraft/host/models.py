"""All models the user has, from whatever source, behind the one switch for AI."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final

from redraft.api.models import DownloadingProvider, ModelProvider
from redraft.api.services import Privacy, SettingsView
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, StreamEvent
from redraft.host.lazy_models import LazyModels

BASE_URL: Final = "REDRAFT_BASE_URL"
MODEL: Final = "REDRAFT_MODEL"
API_KEY: Final = "REDRAFT_API_KEY"
"""Environment variables that describe a model of their own; the second alone names the default one."""

SWITCHED_OFF: Final = "AI is switched off; switch it on in the AI menu or in Settings, Privacy."
_log = logging.getLogger(__name__)


class ModelService:
    """Implements `redraft.api.models.Models` over providers; what an earlier one offers wins over a later one.

    `chosen` names the default for every purpose, as `REDRAFT_MODEL` does; it stands before the settings.
    """

    def __init__(
        self, providers: Sequence[ModelProvider], settings: SettingsView, privacy: Privacy, *, chosen: str = ""
    ) -> None:
        self._providers = tuple(providers)
        self._settings = settings
        self._privacy = privacy
        self._chosen = chosen

    def downloading_providers(self) -> tuple[DownloadingProvider, ...]:
        """The providers whose models are fetched first, for the settings page and the first start."""
        own = (entry.provider if isinstance(entry, LazyModels) else entry for entry in self._providers)
        return tuple(provider for provider in own if isinstance(provider, DownloadingProvider))

    def list_models(self) -> Sequence[ModelInfo]:
        """All models that are set up, the default for inline edits first."""
        named: dict[str, ModelInfo] = {}
        for provider in self._providers:
            for model in provider.list_models():
                named.setdefault(model.name, model)
        default = self._named_default("inline_edit")
        return sorted(named.values(), key=lambda model: model.name != default)

    async def prepare(self) -> None:
        """Fetch the providers' code in a worker thread, so that no later call holds up the window for it."""
        await asyncio.to_thread(self.list_models)

    def default(self, purpose: str) -> ModelInfo | None:
        """The model for a purpose, or `None` if there is none.

        A default that is not set up any more has no successor: text must not go to a server nobody chose for it.
        """
        models = self.list_models()
        name = self._named_default(purpose)
        if not name:
            return models[0] if models else None
        found = next((model for model in models if name in {model.name, model.model}), None)
        if found is None:
            _log.warning("The model %r, the default for %s, is not set up", name, purpose)
        return found

    def find(self, name: str) -> ModelInfo:
        """A model by the user's name for it, or by its id at its server.

        Raises:
            ModelUnavailable: There is none; the message lists those there are.
        """
        models = self.list_models()
        found = next((model for model in models if model.name == name), None)
        found = found or next((model for model in models if model.model == name), None)
        if found is None:
            names = ", ".join(model.name for model in models)
            there = f"There are: {names}." if names else "None is set up; see `redraft models` or Settings, Models."
            raise ModelUnavailable(f"There is no model {name!r}. {there}")
        return found

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client for a model; it refuses while AI is switched off.

        Raises:
            ModelUnavailable: AI is switched off, or the model cannot be served; the message says what to do.
        """
        if not self._privacy.ai_enabled:
            raise ModelUnavailable(SWITCHED_OFF)
        provider = next((provider for provider in self._providers if provider.id == model.provider), None)
        if provider is None:
            raise ModelUnavailable(f"The model {model.name!r} is not set up any more; choose another one.")
        return SwitchedClient(await provider.open(model), model, self._privacy)

    async def aclose(self) -> None:
        """Close every connection and stop what was started; one that fails does not keep the others."""
        for provider in self._providers:
            try:
                await provider.aclose()
            except Exception:  # noqa: BLE001 - all must have their turn
                _log.exception("The models of %s could not be stopped", provider.id)

    def _named_default(self, purpose: str) -> str:
        if self._chosen:
            return self._chosen
        try:
            return str(self._settings.get(f"default_models.{purpose}"))
        except KeyError:
            return ""


class SwitchedClient:
    """A client that asks nothing while AI is switched off, however long it has been held."""

    def __init__(self, client: ChatClient, model: ModelInfo, privacy: Privacy) -> None:
        self._client = client
        self._model = model
        self._privacy = privacy

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        return self._model

    @property
    def capabilities(self) -> Capabilities:
        """What the server can do."""
        return self._client.capabilities

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        """Ask, and yield what comes back; see `ChatClient.stream`."""
        if not self._privacy.ai_enabled:
            raise ModelUnavailable(SWITCHED_OFF)
        async with aclosing(self._client.stream(request)) as events:
            async for event in events:
                yield event

    async def aclose(self) -> None:
        """Nothing: the connection is shared, and closed with its provider."""
