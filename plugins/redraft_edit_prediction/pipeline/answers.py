"""Asks models: through the cache, one request at a time or in batches, so that no answer is ever paid for twice."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from redraft.api.models import Models
from redraft.api.services import Privacy, SettingsView
from redraft.core.errors import AuthenticationError, ConnectionFailed, ModelError, ModelUnavailable
from redraft.core.llm.anthropic_batch import AnthropicBatches
from redraft.core.llm.batch import BatchProgress, BatchRunner
from redraft.core.llm.batch_queue import BatchQueue
from redraft.core.llm.batch_service import BatchService
from redraft.core.llm.cache import LlmCache
from redraft.core.llm.cache_format import RowState
from redraft.core.llm.caching import CachingClient, scope_of
from redraft.core.llm.client import ChatAnswer, ChatClient, complete
from redraft.core.llm.messages import ChatMessage, ChatRequest, StopReason
from redraft.core.llm.openai_batch import OpenAIBatches
from redraft.core.llm.registry import PROVIDER_PRESETS, make_client
from redraft.core.llm.server import ServerConfig
from redraft.core.log import redact
from redraft_edit_prediction.pipeline.providers import Backend, Vendor

KEY_VARIABLES: Final = {Vendor.ANTHROPIC: "ANTHROPIC_API_KEY", Vendor.OPENAI: "OPENAI_API_KEY"}
OWN_OUTPUT_TOKENS: Final = 1024
"""The longest answer asked of a model of the editor whose limit is not known: small models run on for ever."""


@dataclass(frozen=True, slots=True)
class Question:
    """A conversation for a back end.

    Attributes:
        backend: Who is asked.
        messages: What is said.
        max_tokens: The longest answer wanted.
        seed: Tells repetitions apart.
        opening: How the answer begins. A model of the editor that can be led is led: small ones forget the format.
        closing: At what it ends then; both are part of the answer that comes back.
        in_batch: Through a batch, where the vendor has them.
        cache_only: Do not ask if the answer is not in the cache.
    """

    backend: Backend
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    seed: int | None = None
    opening: str = ""
    closing: str = ""
    in_batch: bool = False
    cache_only: bool = False


@dataclass
class _Queue:
    """A back end's batches in this run."""

    queue: BatchQueue
    runner: BatchRunner


class Answers:
    """All back ends of one run, over one cache.

    Args:
        models: The editor's models.
        privacy: Whether any model may be asked.
        settings: Where the vendors are reached, and how often batches are looked at.
        cache_file: The cache.
        say: Tells the user something.
        environment: Where the vendors' keys are.
    """

    def __init__(
        self,
        models: Models,
        privacy: Privacy,
        settings: SettingsView,
        cache_file: Path,
        *,
        say: Callable[[str], None],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._models = models
        self._privacy = privacy
        self._settings = settings
        self._cache_file = cache_file
        self._say = say
        self._environment = os.environ if environment is None else environment
        self._cache: LlmCache | None = None
        self._clients: dict[Backend, tuple[CachingClient, str]] = {}
        self._queues: dict[Backend, _Queue] = {}
        self._opening = asyncio.Lock()
        self._own_turn = asyncio.Semaphore(1)
        self.calls = 0
        """Requests that went to a model: what was not in the cache."""
        self.known = 0
        """Answers that were in the cache."""

    @property
    def cache(self) -> LlmCache:
        """The cache, opened with the first use."""
        if self._cache is None:
            self._cache = LlmCache(self._cache_file)
        return self._cache

    async def ask(self, question: Question) -> ChatAnswer | None:
        """The answer; `None` if it will come with a batch, or is not in the cache and only the cache may be asked.

        Raises:
            ModelError: There will be no answer.
        """
        if question.in_batch and question.backend.vendor is not Vendor.EDITOR:
            return await self._ask_batch(question)
        client, scope = await self._client(question.backend)
        request = await self._request(question)
        known = await asyncio.to_thread(self.cache.get, scope, request)
        if known is not None and known.answer is not None:
            self.known += 1
            return _whole(request, known.answer)
        if question.cache_only:
            return None
        self.calls += 1
        # A model of this machine has one place to think in: a second request would only wait with a running clock.
        turn = self._own_turn if client.info.location == "embedded" else nullcontext()
        async with turn:
            answer = await complete(client, request)
        if answer.reason is StopReason.DISCONNECTED:
            raise ConnectionFailed(f"{client.info.name} was cut off in its answer; run again.", kind="closed")
        return _whole(request, answer)

    async def sync(self) -> None:
        """Upload what is queued and collect what is ready, of every back end that was asked.

        Raises:
            ModelError: A vendor cannot be reached.
        """
        for entry in self._queues.values():
            await entry.runner.recover()
            uploaded = await entry.runner.upload()
            collected = await entry.runner.collect()
            if uploaded or collected:
                self.calls += uploaded
                self._say(f"Batches: {uploaded} requests sent, {collected} answers or errors collected.")

    async def wait(self) -> None:
        """As `sync`, until nothing is pending.

        Raises:
            ModelError: A vendor cannot be reached, after several attempts.
        """
        poll = float(self._settings.get("edit_prediction.batch_poll_seconds"))
        for backend, entry in self._queues.items():
            async with aclosing(entry.runner.run(poll)) as states:
                async for state in states:
                    self._say(_words(backend, state))

    async def adopt(self, backend: Backend, batches: Sequence[str]) -> int:
        """Fetch answers of batches by their ids, as after the cache was lost; how many there were."""
        return await (await self._queue(backend)).runner.adopt(batches)

    async def aclose(self) -> None:
        """Close connections and the cache."""
        for client, _ in self._clients.values():
            await client.aclose()
        if self._cache is not None:
            self._cache.close()

    async def _ask_batch(self, question: Question) -> ChatAnswer | None:
        entry = await self._queue(question.backend)
        request = await self._request(question)
        row = self.cache.get(entry.queue.scope, request)
        if row is not None and row.answer is not None:
            self.known += 1
            return row.answer
        if row is not None and row.state is RowState.FAILED:
            raise ModelError(f"{question.backend.model} did not answer: {row.error or 'no reason was given'}")
        if not question.cache_only:
            entry.queue.enqueue([request])
        return None

    async def _request(self, question: Question) -> ChatRequest:
        backend, limit = question.backend, question.max_tokens
        if backend.vendor is not Vendor.EDITOR:
            return ChatRequest(question.messages, backend.model, max_tokens=limit, seed=question.seed)
        client, _ = await self._client(backend)
        can_lead = client.capabilities.prefill and client.capabilities.stop_sequences and bool(question.opening)
        return ChatRequest(
            question.messages,
            client.info.model,
            max_tokens=min(limit, client.info.max_output_tokens or OWN_OUTPUT_TOKENS),
            temperature=0.0 if question.seed is None else None,
            seed=question.seed,
            prefill=question.opening if can_lead else "",
            stop=(question.closing,) if can_lead else (),
        )

    async def _client(self, backend: Backend) -> tuple[CachingClient, str]:
        async with self._opening:
            if backend not in self._clients:
                client, scope = await self._open(backend)
                self._clients[backend] = CachingClient(client, self.cache, scope), scope
            return self._clients[backend]

    async def _open(self, backend: Backend) -> tuple[ChatClient, str]:
        if backend.vendor is not Vendor.EDITOR:
            config = self._config(backend)
            return make_client(config), scope_of(config)
        if backend.model:
            info = self._models.find(backend.model)
        else:
            here = [model for model in self._models.list_models() if model.location == "embedded"]
            if not here:
                raise ModelUnavailable("There is no model on this machine; fetch one with “redraft models pull”.")
            info = here[0]
        return await self._models.open(info), f"{info.location}@{info.provider}/{info.name}/{info.model}"

    async def _queue(self, backend: Backend) -> _Queue:
        async with self._opening:
            if backend not in self._queues:
                config = self._config(backend)
                queue = BatchQueue(self.cache, scope_of(config))
                failures = queue.failures()
                if failures:
                    self._say(
                        f"{len(failures)} requests to {backend.model} failed earlier and are tried again; "
                        f"the first said: {failures[0].error}"
                    )
                    queue.retry_failed()
                service: BatchService = (
                    AnthropicBatches(config) if backend.vendor is Vendor.ANTHROPIC else OpenAIBatches(config)
                )
                runner = BatchRunner(queue, service)
                if queue.batches() or queue.claims():
                    await runner.recover()
                    await runner.collect()  # What an earlier run has sent may be ready.
                self._queues[backend] = _Queue(queue, runner)
            return self._queues[backend]

    def _config(self, backend: Backend) -> ServerConfig:
        if not self._privacy.ai_enabled:
            raise ModelUnavailable("AI is switched off; switch it on in Settings, Privacy.")
        vendor, variable = backend.vendor, KEY_VARIABLES[backend.vendor]
        preset = PROVIDER_PRESETS[vendor]
        key = self._environment.get(variable, "").strip()
        if not key:
            raise AuthenticationError(f"{variable} is not set; put your key for {preset.title} into it.", status=401)
        redact(key)
        certificates = self._settings.get("network.extra_ca_file")
        return preset.config(
            base_url=self._settings.get(f"edit_prediction.{vendor}_url"),
            model=backend.model,
            key=lambda: key,
            proxy=self._settings.get("network.proxy"),
            extra_ca_file=Path(certificates).expanduser() if certificates else None,
        )


def _whole(request: ChatRequest, answer: ChatAnswer) -> ChatAnswer:
    """The answer with what was put into the model's mouth, and with the stop text it ended at."""
    closing = request.stop[0] if request.stop and answer.reason.is_complete else ""
    return replace(answer, text=f"{request.prefill}{answer.text}{closing}")


def _words(backend: Backend, state: BatchProgress) -> str:
    words = f"{backend.model}: {state.queued + state.in_flight} pending, {state.done} answered"
    if state.failed:
        words += f", {state.failed} failed"
    if state.trouble:
        words += f"; {state.trouble}"
    return words + (f"; looking again in {state.waiting:.0f} s" if state.waiting else "")
