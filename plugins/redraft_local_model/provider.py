"""The embedded model as a model provider: started on first use, stopped when idle, started anew when it died."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from redraft.api.context import ProviderContext
from redraft.api.models import DownloadableModel, DownloadProgress
from redraft.core.errors import ConnectionFailed, FileError, ModelError, ModelUnavailable
from redraft.core.llm.client import Capabilities, ChatClient, ModelInfo
from redraft.core.llm.messages import ChatRequest, Stop, StopReason, StreamEvent
from redraft_local_model.calibration import calibrate, counts_here
from redraft_local_model.catalog import CATALOG, LocalModel, find_model, is_downloaded, models_here
from redraft_local_model.fetch import fetch
from redraft_local_model.running import PROVIDER_ID, RunningModel, start_model
from redraft_local_model.server import LocalServer, ServerOptions
from redraft_local_model.tuning import TuningStore, usual_tuning


def create(context: ProviderContext) -> EmbeddedProvider:
    """The provider, as named in the manifest."""
    return EmbeddedProvider(context)


class EmbeddedProvider:
    """Serves the models of this machine, one at a time, to save memory."""

    def __init__(self, context: ProviderContext) -> None:
        self._context = context
        self._lock = asyncio.Lock()
        self._running: RunningModel | None = None
        self._streams = 0
        self._idle: asyncio.Task[None] | None = None

    @property
    def id(self) -> str:
        """The provider's name in settings."""
        return PROVIDER_ID

    @property
    def folder(self) -> Path:
        """Where model files are kept; any GGUF file put there can be used."""
        return self._context.storage.data_folder / "models"

    def list_models(self) -> Sequence[ModelInfo]:
        """The models that are here."""
        return [_info(model) for model in models_here(self.folder)]

    async def open(self, model: ModelInfo) -> ChatClient:
        """A client for a model that is here; its process starts with the first request.

        Raises:
            ModelUnavailable: The model's file is not here.
        """
        for local in models_here(self.folder):
            if local.name == model.model:
                return EmbeddedClient(self, local)
        raise ModelUnavailable(
            f"{model.name} is not on this machine; fetch it with “redraft models pull {model.name}” or in the settings."
        )

    def catalogue(self) -> Sequence[DownloadableModel]:
        """What can be fetched, the recommended model first."""
        return [
            DownloadableModel(
                name=model.name,
                summary=model.summary,
                size_bytes=model.size_bytes,
                memory_bytes=model.memory_bytes,
                licence=model.licence,
                is_downloaded=is_downloaded(model, self.folder),
                partial_bytes=_size(self.folder / f"{model.filename}.part"),
                is_running=model.name == self._running_name,
            )
            for model in CATALOG
        ]

    async def download(self, name: str) -> AsyncGenerator[DownloadProgress, None]:
        """Fetch a model, and measure how it runs fastest here; closing the iterator pauses.

        Raises:
            ModelUnavailable: It cannot be fetched.
        """
        wanted = find_model(name)
        async with aclosing(fetch(wanted, self.folder)) as progress:
            async for state in progress:
                if state.phase == "ready" and (model := self._untuned(name)) is not None:
                    yield replace(state, phase="measuring")
                    await self._tune(model)
                yield state

    def options_for(self, model: LocalModel) -> ServerOptions:
        """How a model is run: as the user has set it, else as it was measured to be fastest, else as usual."""
        get = self._context.settings.get
        tuning = self.tunings.find(model) or usual_tuning()
        own = get("local_model.threads")
        guesses = get("local_model.speculation")
        return ServerOptions(
            threads=own or tuning.threads,
            batch_threads=own or tuning.batch_threads,
            gpu_layers=get("local_model.gpu_layers"),
            speculation=tuning.speculation if guesses == "auto" else guesses == "on",
        )

    @property
    def tunings(self) -> TuningStore:
        """What was measured on this machine."""
        return TuningStore(self._context.storage)

    def _untuned(self, name: str) -> LocalModel | None:
        """A model that is here and was never measured, if there is anything to choose on this machine."""
        model = next((model for model in models_here(self.folder) if model.name == name), None)
        is_worth_it = model is not None and len(counts_here()) > 1 and self.tunings.find(model) is None
        return model if is_worth_it else None

    async def _tune(self, model: LocalModel) -> None:
        """Measure a model that has just come; where that fails it runs as usual."""
        try:
            self.tunings.keep(model, await calibrate(model, self.options_for(model), counts_here()))
        except (ModelError, FileError) as error:
            self._context.log.warning("%s was not measured: %s", model.name, error)

    @property
    def process_id(self) -> int | None:
        """The model's process, while it runs."""
        return self._running.server.process_id if self._running else None

    @property
    def _running_name(self) -> str:
        running = self._running
        return running.server.model.name if running is not None and running.server.is_running else ""

    async def until_idle(self) -> None:
        """Wait until the model has been idle for so long that it was stopped."""
        if self._idle is not None:
            await self._idle

    async def aclose(self) -> None:
        """Stop the model's process."""
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        async with self._lock:
            await self._stop()

    @asynccontextmanager
    async def lease(self, model: LocalModel) -> AsyncIterator[RunningModel]:
        """The running server for a model, kept alive at least as long as the lease.

        Raises:
            ModelUnavailable: It cannot be started.
        """
        self._streams += 1
        try:
            async with self._lock:
                running = await self._ensure(model)
            yield running
        finally:
            self._streams -= 1
            self._stop_when_idle()

    async def _ensure(self, model: LocalModel) -> RunningModel:
        running = self._running
        if running is not None and running.server.is_running and running.server.model == model:
            return running
        await self._stop()
        self._running = await start_model(model, self.options_for(model))
        self._context.log.info("%s runs as process %s", model.name, self.process_id)
        return self._running

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            await running.aclose()

    def _stop_when_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().create_task(self._wait_and_stop())

    async def _wait_and_stop(self) -> None:
        await asyncio.sleep(60 * self._context.settings.get("local_model.idle_minutes"))
        async with self._lock:
            if self._streams == 0 and self._running is not None:
                self._context.log.info("the embedded model rests")
                await self._stop()


class EmbeddedClient:
    """Talks to a model of this machine through its own server."""

    def __init__(self, provider: EmbeddedProvider, model: LocalModel) -> None:
        self._provider = provider
        self._model = model

    @property
    def info(self) -> ModelInfo:
        """Which model this is."""
        return _info(self._model)

    @property
    def capabilities(self) -> Capabilities:
        """What llama.cpp can do."""
        return Capabilities(system_role=True, prefill=True, stop_sequences=True, warm_up=True)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent]:
        """Ask, starting the model first if need be.

        Raises:
            ModelError: It cannot start, or its process died; the next request starts it anew.
        """
        async with self._provider.lease(self._model) as running:
            try:
                async with aclosing(running.client.stream(request)) as events:
                    async for event in events:
                        if isinstance(event, Stop) and event.reason is StopReason.DISCONNECTED:
                            await self._complain_if_dead(running.server)
                        yield event
            except ModelError as error:
                await self._complain_if_dead(running.server, error)
                raise

    async def aclose(self) -> None:
        """Nothing to do: the process belongs to the provider."""

    async def _complain_if_dead(self, server: LocalServer, cause: Exception | None = None) -> None:
        if await server.has_ended():
            raise ConnectionFailed(
                f"{self._model.name} ended while it wrote, perhaps for lack of memory. Your text is untouched; "
                "run again and it starts anew, or choose a smaller model.",
                kind="closed",
            ) from cause


def _info(model: LocalModel) -> ModelInfo:
    return ModelInfo(
        name=model.name,
        provider=PROVIDER_ID,
        model=model.name,
        location="embedded",
        context_tokens=model.context_tokens,
    )


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
