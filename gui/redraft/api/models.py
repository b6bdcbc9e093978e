"""The models a plugin may ask, and what a plugin that serves models implements."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from redraft.core.llm.client import ChatClient, ModelInfo


class ModelProvider(Protocol):
    """Serves models: one configured server, or the embedded one."""

    @property
    def id(self) -> str:
        """The provider's name in settings."""
        ...

    def list_models(self) -> Sequence[ModelInfo]:
        """The models it can serve now, without asking the network."""
        ...

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client for one of its models, started if need be.

        Raises:
            ModelUnavailable: It cannot be served; the message says what to do.
        """
        ...

    async def aclose(self) -> None:
        """Stop what was started."""
        ...


@dataclass(frozen=True, slots=True)
class DownloadableModel:
    """A model that can be fetched and run on this machine.

    Attributes:
        name: How it is named everywhere.
        summary: What it is good for, in one sentence.
        size_bytes: Size of its file.
        memory_bytes: Memory it needs while it runs, estimated.
        licence: Its licence, by SPDX identifier.
        is_downloaded: Whether its file is here and checked.
        partial_bytes: How much of it an interrupted download left here.
        is_running: Whether it is in memory and answers.
    """

    name: str
    summary: str
    size_bytes: int
    memory_bytes: int
    licence: str
    is_downloaded: bool = False
    partial_bytes: int = 0
    is_running: bool = False


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """How far a download is.

    Attributes:
        name: The model's name.
        done_bytes: Bytes here.
        total_bytes: Bytes in all.
        bytes_per_second: Rate of late, 0 while unknown.
        phase: What goes on, as words for the user (`"downloading"`, `"checking"`, `"ready"`).
    """

    name: str
    done_bytes: int
    total_bytes: int
    bytes_per_second: float = 0.0
    phase: str = "downloading"


@runtime_checkable
class DownloadingProvider(ModelProvider, Protocol):
    """A provider whose models are fetched first."""

    def catalogue(self) -> Sequence[DownloadableModel]:
        """What can be fetched, the recommended model first."""
        ...

    def download(self, name: str) -> AsyncGenerator[DownloadProgress, None]:
        """Fetch one; closing the iterator pauses, and the next call goes on from there.

        Raises:
            ModelUnavailable: It cannot be fetched (no space, no source reached, wrong checksum).
        """
        ...


class Models(Protocol):
    """The models the user has."""

    def list_models(self) -> Sequence[ModelInfo]:
        """All models that are set up, the default first."""
        ...

    def default(self, purpose: str) -> ModelInfo | None:
        """The model for a purpose (`"inline_edit"`, `"edit_prediction"`), or `None` if there is none."""
        ...

    def find(self, name: str) -> ModelInfo:
        """A model by the user's name for it.

        Raises:
            ModelUnavailable: There is none; the message lists those there are.
        """
        ...

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client for a model; kept open and shared between calls.

        Raises:
            ModelUnavailable: It cannot be served; the message says what to do.
        """
        ...
