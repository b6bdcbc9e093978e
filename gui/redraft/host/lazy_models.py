"""A provider of models that is fetched on first use, and whose faults stay its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from redraft.api.models import ModelProvider
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import ChatClient, ModelInfo

_log = logging.getLogger(__name__)


class LazyModels:
    """A provider whose code is fetched when models are first listed or opened, once, from whatever thread."""

    def __init__(
        self,
        provider_id: str,
        owner: str,
        load: Callable[[], ModelProvider],
        *,
        is_on: Callable[[], bool] = lambda: True,
    ) -> None:
        self._id = provider_id
        self._owner = owner
        self._load = load
        self._is_on = is_on
        self._provider: ModelProvider | None = None
        self._fault = ""
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        """The provider's name, as its manifest declares it."""
        return self._id

    @property
    def provider(self) -> ModelProvider | None:
        """The provider itself, or `None` if it is off or cannot be loaded; that is tried once and logged."""
        if not self._is_on():
            return None
        with self._lock:
            if self._provider is None and not self._fault:
                try:
                    self._provider = self._load()
                except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                    self._fault = f"{type(error).__name__}: {error}".rstrip(".")
                    _log.exception("The models of %s cannot be had", self._owner)
            return self._provider

    def list_models(self) -> Sequence[ModelInfo]:
        """The models it can serve now; none if it fails."""
        if (provider := self.provider) is None:
            return ()
        try:
            return tuple(provider.list_models())
        except Exception:  # noqa: BLE001 - a plugin may raise anything
            _log.exception("The models of %s cannot be listed", self._owner)
            return ()

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client from the provider.

        Raises:
            ModelUnavailable: It is off or cannot be loaded, or says so itself.
        """
        if (provider := self.provider) is None:
            reason = self._fault or "it is turned off"
            raise ModelUnavailable(f"The models of “{self._owner}” cannot be used: {reason}.")
        return await provider.open(model)

    async def aclose(self) -> None:
        """Stop what it started."""
        if self._provider is not None:
            await self._provider.aclose()
