"""Stand-ins for the editor's services, for tests of plugins without a window."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from redraft.api.disposable import Disposable, OnDispose
from redraft.core.errors import ModelUnavailable
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, Stop, StopReason, StreamEvent, TextDelta
from redraft.core.prompts import PromptLibrary

T = TypeVar("T")


class ScriptedClient:
    """A model that answers what it was told, one script for each request; an exception in a script is raised."""

    def __init__(
        self,
        *scripts: Iterable[StreamEvent | Exception] | str,
        info: ModelInfo | None = None,
        capabilities: Capabilities | None = None,
    ) -> None:
        self.info = info or ModelInfo("scripted", "test", "scripted-1")
        self.capabilities = capabilities or Capabilities()
        self.requests: list[ChatRequest] = []
        self.is_closed = False
        self._scripts = [answer(script) if isinstance(script, str) else list(script) for script in scripts]

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        self.requests.append(request)
        for event in self._scripts.pop(0):
            if isinstance(event, Exception):
                raise event
            await asyncio.sleep(0)
            yield event

    async def aclose(self) -> None:
        self.is_closed = True


def answer(text: str, reason: StopReason = StopReason.END, *, size: int = 7) -> list[StreamEvent | Exception]:
    """A whole answer in small pieces."""
    pieces = [TextDelta(text[start : start + size]) for start in range(0, len(text), size)]
    return [*pieces, Stop(reason)]


class MemorySettings:
    """Settings in a dictionary."""

    def __init__(self, **values: Any) -> None:
        self.values: dict[str, Any] = {name.replace("__", "."): value for name, value in values.items()}
        self._listeners: list[tuple[str, Callable[[Any], None]]] = []

    def get(self, name: str) -> Any:
        return self.values[name]

    def set(self, name: str, value: Any) -> None:
        self.values[name] = value
        for wanted, callback in list(self._listeners):
            if wanted == name:
                callback(value)

    def on_did_change(self, name: str, callback: Callable[[Any], None]) -> Disposable:
        entry = (name, callback)
        self._listeners.append(entry)
        return OnDispose(lambda: self._listeners.remove(entry))


class MemoryStorage:
    """A plugin's files in a dictionary."""

    def __init__(self, folder: Path = Path("/nowhere")) -> None:
        self.files: dict[str, str] = {}
        self.data_folder = folder
        self.cache_folder = folder

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def write(self, name: str, text: str) -> None:
        self.files[name] = text


class FixedModels:
    """One model, always the same client."""

    def __init__(self, client: ChatClient | None = None) -> None:
        self.client = client
        self.opened: list[ModelInfo] = []

    def list_models(self) -> Sequence[ModelInfo]:
        return [self.client.info] if self.client else []

    def default(self, purpose: str) -> ModelInfo | None:
        return self.client.info if self.client else None

    def find(self, name: str) -> ModelInfo:
        if self.client is None or self.client.info.name != name:
            raise ModelUnavailable(f"There is no model called {name}.")
        return self.client.info

    async def open(self, model: ModelInfo) -> ChatClient:
        self.opened.append(model)
        if self.client is None:
            raise ModelUnavailable("No model is set up.")
        return self.client


@dataclass
class OpenPrivacy:
    """Lets everything out but what `secret` names; trusts the folders in `trusted`."""

    ai_enabled: bool = True
    secret: set[Path] = field(default_factory=set)
    trusted: set[Path] = field(default_factory=set)

    def refusal(self, path: Path | None, *, model: ModelInfo | None = None) -> str:
        return f"{path.name} is named like a secret." if path in self.secret and path is not None else ""

    def allow(self, path: Path) -> None:
        self.secret.discard(path)

    def is_trusted(self, folder: Path) -> bool:
        return folder in self.trusted


class ListedPresets:
    """Presets that plugins bring."""

    def __init__(self, *presets: Mapping[str, Any]) -> None:
        self._presets = presets

    def presets(self) -> Sequence[Mapping[str, Any]]:
        return self._presets


class QuietLog:
    """Keeps what was logged."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def debug(self, message: str, *args: object) -> None:
        self.lines.append(message % args)

    info = warning = error = debug


@dataclass
class FakeCliContext:
    """What a plugin's command line is handed."""

    settings: MemorySettings = field(default_factory=MemorySettings)
    models: FixedModels = field(default_factory=FixedModels)
    prompts: PromptLibrary = field(default_factory=PromptLibrary)
    storage: MemoryStorage = field(default_factory=MemoryStorage)
    privacy: OpenPrivacy = field(default_factory=OpenPrivacy)
    contributions: ListedPresets = field(default_factory=ListedPresets)
    log: QuietLog = field(default_factory=QuietLog)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run(work)
