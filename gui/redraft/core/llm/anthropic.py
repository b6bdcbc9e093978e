"""Anthropic's Messages protocol, which llama-server speaks too.

https://docs.anthropic.com/en/api/messages-streaming
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import httpx

from redraft.core.llm.chat import HttpChatClient
from redraft.core.llm.client import Capabilities
from redraft.core.llm.errors import FaultMapper
from redraft.core.llm.messages import (
    ChatMessage,
    ChatRequest,
    ReasoningDelta,
    Role,
    StopReason,
    StreamEvent,
    TextDelta,
    Usage,
)
from redraft.core.llm.reader import StreamReader, count, mapping
from redraft.core.llm.refusals import Refusal
from redraft.core.llm.server import Prefill, ServerConfig

VERSION: Final = "2023-06-01"
DEFAULT_MAX_TOKENS: Final = 8192
"""The protocol demands a limit, so one is sent where none is set."""

_REASONS: Final = {
    "end_turn": StopReason.END,
    "tool_use": StopReason.END,
    "stop_sequence": StopReason.STOP_SEQUENCE,
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "pause_turn": StopReason.LENGTH,
    "refusal": StopReason.CONTENT_FILTER,
}
_OPTIONAL: Final = ("temperature", "stop_sequences")


class AnthropicDialect:
    """How to ask for a message, and how to read its stream."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config

    @property
    def capabilities(self) -> Capabilities:
        """Prefill unless the model is set up without (the newest refuse it); batches at Anthropic alone."""
        is_anthropic = self._config.url.host == "api.anthropic.com"
        return Capabilities(prefill=self._config.prefill is not Prefill.NONE, batch=is_anthropic)

    def urls(self) -> Sequence[httpx.URL]:
        """The one address."""
        return [self._config.endpoint("messages")]

    def headers(self, key: str) -> dict[str, str]:
        """The key and the protocol's version."""
        return anthropic_headers(key)

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request's JSON body."""
        return {**anthropic_body(self._config, request), "stream": True}

    def adapted(self, body: dict[str, Any], said: Refusal) -> dict[str, Any] | None:
        """The body without a prefill or an optional field that the model does not take."""
        words = said.words.lower()
        messages = body["messages"]
        if messages and messages[-1]["role"] == "assistant" and ("prefill" in words or "final assistant" in words):
            return {**body, "messages": messages[:-1]}
        refused = next((name for name in _OPTIONAL if name in body and name in words), None)
        return None if refused is None else {name: value for name, value in body.items() if name != refused}

    def reader(self, faults: FaultMapper) -> StreamReader:
        """A reader for one answer."""
        return AnthropicReader(faults)


class AnthropicClient(HttpChatClient):
    """A client for servers of the Messages protocol."""

    def __init__(self, config: ServerConfig) -> None:
        super().__init__(config, AnthropicDialect(config))


def anthropic_headers(key: str) -> dict[str, str]:
    """The key, if any, and the protocol's version."""
    return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}


def anthropic_body(config: ServerConfig, request: ChatRequest) -> dict[str, Any]:
    """A request's JSON body, without the field that asks for a stream."""
    system = "\n\n".join(message.content for message in request.messages if message.role is Role.SYSTEM)
    body: dict[str, Any] = {
        "model": request.model or config.model,
        "max_tokens": request.max_tokens or config.max_output_tokens or DEFAULT_MAX_TOKENS,
        "messages": _turns(request, can_prefill=config.prefill is not Prefill.NONE),
    }
    if system:
        body["system"] = system
    temperature = config.temperature if request.temperature is None else request.temperature
    if temperature is not None:
        body["temperature"] = temperature
    # Stop texts of white space alone are refused.
    if stops := [stop for stop in request.stop if stop.strip()]:
        body["stop_sequences"] = stops
    return {**body, **config.extra, **request.extra}


class AnthropicReader(StreamReader):
    """Reads message events up to `message_stop`."""

    def __init__(self, faults: FaultMapper) -> None:
        super().__init__(faults)
        self._counts: dict[str, int] = {}

    def _read(self, payload: Mapping[str, Any]) -> Iterator[StreamEvent]:
        match payload.get("type"):
            case "message_start":
                self._note_usage(mapping(mapping(payload.get("message")).get("usage")))
            case "content_block_start":
                yield from _read_part(mapping(payload.get("content_block")))
            case "content_block_delta":
                yield from _read_part(mapping(payload.get("delta")))
            case "message_delta":
                self._note_usage(mapping(payload.get("usage")))
                self._note_reason(mapping(payload.get("delta")))
            case "message_stop":
                self.is_finished = True
            case _:  # `ping`, `content_block_stop`, and what is yet to be invented
                pass

    def _read_whole(self, payload: Mapping[str, Any]) -> Iterator[StreamEvent]:
        if not isinstance(payload.get("content"), list):
            raise self._faults.web_page()
        self._note_usage(mapping(payload.get("usage")))
        for part in payload["content"]:
            yield from _read_part(mapping(part))
        self._note_reason(payload)

    def _note_reason(self, holder: Mapping[str, Any]) -> None:
        word = holder.get("stop_reason")
        if isinstance(word, str) and word:
            self.reason = _REASONS.get(word, StopReason.UNSPECIFIED)

    def _note_usage(self, usage: Mapping[str, Any]) -> None:
        # Later counts are totals, not additions; what they leave out stays.
        self._counts |= {name: value for name, value in usage.items() if count(value)}
        if self._counts:
            self._usage = read_anthropic_usage(self._counts)


def read_anthropic_usage(usage: Mapping[str, Any]) -> Usage:
    """Counts of a `usage` object; the protocol counts cached input tokens apart, we count them in."""
    cached = count(usage.get("cache_read_input_tokens"))
    fresh = count(usage.get("input_tokens")) + count(usage.get("cache_creation_input_tokens"))
    return Usage(fresh + cached, count(usage.get("output_tokens")), cached)


def _turns(request: ChatRequest, *, can_prefill: bool) -> list[dict[str, str]]:
    said = [message for message in request.messages if message.role is not Role.SYSTEM]
    # White space at the end of the last assistant turn is refused.
    if can_prefill and (prefill := request.prefill.rstrip()):
        said.append(ChatMessage(Role.ASSISTANT, prefill))
    return [{"role": message.role.value, "content": message.content} for message in said]


def _read_part(part: Mapping[str, Any]) -> Iterator[StreamEvent]:
    if isinstance(text := part.get("text"), str):
        yield TextDelta(text)
    elif isinstance(thinking := part.get("thinking"), str):
        yield ReasoningDelta(thinking)
