"""The chat completions protocol: OpenAI, and all who speak it (Ollama, LM Studio, vLLM, llama-server, OpenRouter, ...).

https://platform.openai.com/docs/api-reference/chat-streaming
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import httpx
from httpx_sse import ServerSentEvent

from redraft.core.llm.chat import HttpChatClient
from redraft.core.llm.client import Capabilities
from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.messages import ChatRequest, ReasoningDelta, StopReason, StreamEvent, TextDelta, Usage
from redraft.core.llm.reader import StreamReader, count, mapping
from redraft.core.llm.refusals import Refusal
from redraft.core.llm.server import Prefill, ServerConfig

# Every other word a server may use is still a terminal signal, only one we cannot name.
_REASONS: Final = {
    "stop": StopReason.END,
    "eos": StopReason.END,
    "end_turn": StopReason.END,
    "tool_calls": StopReason.END,
    "function_call": StopReason.END,
    "stop_sequence": StopReason.STOP_SEQUENCE,
    "length": StopReason.LENGTH,
    "max_tokens": StopReason.LENGTH,
    "model_length": StopReason.LENGTH,
    "content_filter": StopReason.CONTENT_FILTER,
    "abort": StopReason.DISCONNECTED,
    "cancelled": StopReason.DISCONNECTED,
}

# Left out in this order of names when a server says that it does not take them.
_OPTIONAL: Final = ("reasoning_effort", "temperature", "seed", "stop", "stream_options")


class OpenAIDialect:
    """How to ask for a chat completion, and how to read its stream."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config

    @property
    def capabilities(self) -> Capabilities:
        """Prefill where the server is set up for it; batches at OpenAI alone, for others lack them."""
        is_openai = self._config.url.host == "api.openai.com"
        return Capabilities(prefill=self._config.prefill is not Prefill.NONE, batch=is_openai)

    def urls(self) -> Sequence[httpx.URL]:
        """The one address."""
        return [self._config.endpoint("chat/completions")]

    def headers(self, key: str) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {key}"} if key else {}

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request's JSON body."""
        return {**openai_body(self._config, request), "stream": True, "stream_options": {"include_usage": True}}

    def adapted(self, body: dict[str, Any], said: Refusal) -> dict[str, Any] | None:
        """The body without a refused optional field, or with the answer's limit under its other name."""
        names = f"{said.codes} {said.words}"
        if "max_completion_tokens" in names and "max_tokens" in body:
            rest = {name: value for name, value in body.items() if name != "max_tokens"}
            return {**rest, "max_completion_tokens": body["max_tokens"]}
        refused = next((name for name in _OPTIONAL if name in body and name in said.codes.split()), None)
        refused = refused or next((name for name in _OPTIONAL if name in body and f"'{name}'" in said.words), None)
        return None if refused is None else {name: value for name, value in body.items() if name != refused}

    def reader(self, faults: FaultMapper) -> StreamReader:
        """A reader for one answer."""
        return OpenAIReader(faults)


class OpenAIClient(HttpChatClient):
    """A client for servers of the chat completions protocol."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__(config, OpenAIDialect(config))


def openai_body(config: ServerConfig, request: ChatRequest) -> dict[str, Any]:
    """A request's JSON body, without the fields that ask for a stream."""
    messages = [{"role": message.role.value, "content": message.content} for message in request.messages]
    body: dict[str, Any] = {}
    if model := request.model or config.model:
        body["model"] = model
    body["messages"] = messages
    if request.prefill and config.prefill is not Prefill.NONE:
        messages.append({"role": "assistant", "content": request.prefill})
        if config.prefill is Prefill.CONTINUE:
            body |= {"continue_final_message": True, "add_generation_prompt": False}
    if max_tokens := request.max_tokens or config.max_output_tokens:
        body[config.max_tokens_field] = max_tokens
    temperature = config.temperature if request.temperature is None else request.temperature
    if temperature is not None:
        body["temperature"] = temperature
    if request.effort:
        body["reasoning_effort"] = request.effort
    if request.stop:
        body["stop"] = list(request.stop)
    if request.seed is not None:
        body["seed"] = request.seed
    return {**body, **config.extra, **request.extra}


class OpenAIReader(StreamReader):
    """Reads `chat.completion.chunk` events up to `[DONE]`."""

    def __init__(self, faults: FaultMapper) -> None:
        super().__init__(faults)
        self._has_refused = False

    def feed(self, event: ServerSentEvent) -> Iterator[StreamEvent]:
        """What one event means; `[DONE]` is the last."""
        if event.data.strip() == "[DONE]":
            self.is_finished = True
            return
        yield from super().feed(event)

    def _read(self, payload: Mapping[str, Any]) -> Iterator[StreamEvent]:
        self._note_usage(payload)
        for choice in payload.get("choices") or ():
            chosen = mapping(choice)
            if count(chosen.get("index")) == 0:
                yield from self._read_message(mapping(chosen.get("delta")))
                self._note_reason(chosen)

    def _read_whole(self, payload: Mapping[str, Any]) -> Iterator[StreamEvent]:
        if not isinstance(payload.get("choices"), list):
            raise self._faults.web_page()
        self._note_usage(payload)
        for choice in payload["choices"][:1]:
            yield from self._read_message(mapping(mapping(choice).get("message")))
            self._note_reason(mapping(choice))

    def _read_message(self, message: Mapping[str, Any]) -> Iterator[StreamEvent]:
        # Servers name the thinking either way; those that send both send the same.
        thinking = message.get("reasoning_content") or message.get("reasoning")
        if isinstance(thinking, str):
            yield ReasoningDelta(thinking)
        yield from _read_content(message.get("content"))
        refusal = message.get("refusal")
        if isinstance(refusal, str) and refusal:
            self._has_refused = True
            yield TextDelta(refusal)

    def _note_reason(self, choice: Mapping[str, Any]) -> None:
        word = choice.get("finish_reason")
        if not isinstance(word, str) or not word:
            return
        if word == "error":
            raise self._faults.from_payload(choice)
        self.reason = _REASONS.get(word.lower(), StopReason.UNSPECIFIED)
        # vLLM says beside it which stop text was reached.
        if self.reason is StopReason.END and isinstance(choice.get("stop_reason"), str):
            self.reason = StopReason.STOP_SEQUENCE
        if self._has_refused:
            self.reason = StopReason.CONTENT_FILTER

    def _note_usage(self, payload: Mapping[str, Any]) -> None:
        usage, timings = mapping(payload.get("usage")), mapping(payload.get("timings"))
        if usage or timings:
            self._usage = read_openai_usage(usage, timings)


def read_openai_usage(usage: Mapping[str, Any], timings: Mapping[str, Any]) -> Usage:
    """Counts of a `usage` object and of llama-server's `timings`; either may be empty."""
    details = mapping(usage.get("prompt_tokens_details"))
    cached = count(details.get("cached_tokens")) or count(usage.get("prompt_cache_hit_tokens"))
    cached = count(timings.get("cache_n")) or cached
    return Usage(
        input_tokens=count(usage.get("prompt_tokens")) or count(timings.get("prompt_n")) + cached,
        output_tokens=count(usage.get("completion_tokens")) or count(timings.get("predicted_n")),
        cached_tokens=cached,
        prompt_ms=_milliseconds(timings.get("prompt_ms")),
        generation_ms=_milliseconds(timings.get("predicted_ms")),
    )


def _read_content(content: object) -> Iterator[StreamEvent]:
    if isinstance(content, str):
        yield TextDelta(content)
    elif isinstance(content, list):  # Parts with types, as Mistral sends them.
        for part in map(mapping, content):
            if isinstance(text := part.get("text"), str):
                yield TextDelta(text)
            elif isinstance(thinking := part.get("thinking"), list):
                yield ReasoningDelta("".join(str(mapping(piece).get("text", "")) for piece in thinking))


def _milliseconds(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None
