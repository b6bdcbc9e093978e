"""How requests and answers stand in the cache: canonical JSON, and the key made from it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason, Usage


class RowState(StrEnum):
    """How far a request has come."""

    QUEUED = "queued"
    CLAIMED = "claimed"
    IN_FLIGHT = "in_flight"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CacheRow:
    """A request and what became of it."""

    key: str
    request: ChatRequest
    state: RowState
    answer: ChatAnswer | None = None
    error: str = ""
    attempts: int = 0


def request_key(scope: str, request: ChatRequest) -> str:
    """The SHA-256 of everything that makes the answer what it is: scope, model, messages with their roles, limits."""
    whole = json.dumps([scope, json.loads(encode_request(request))], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(whole.encode()).hexdigest()


def encode_request(request: ChatRequest) -> str:
    """A request as canonical JSON; what is not set is left out."""
    fields: dict[str, Any] = {
        "messages": [[message.role.value, message.content] for message in request.messages],
        "model": request.model,
        "max_tokens": request.max_tokens,
        "temperature": None if request.temperature is None else float(request.temperature),
        "stop": list(request.stop),
        "prefill": request.prefill,
        "effort": request.effort,
        "seed": request.seed,
        "extra": dict(request.extra),
    }
    kept = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def decode_request(text: str) -> ChatRequest:
    """The request that `encode_request` wrote."""
    fields = json.loads(text)
    messages = tuple(ChatMessage(Role(role), content) for role, content in fields.pop("messages", ()))
    return ChatRequest(messages, stop=tuple(fields.pop("stop", ())), **fields)


def encode_answer(answer: ChatAnswer) -> str:
    """An answer as JSON."""
    usage = asdict(answer.usage) if answer.usage else None
    return json.dumps({"text": answer.text, "reason": answer.reason.value, "usage": usage})


def decode_answer(text: str) -> ChatAnswer:
    """The answer that `encode_answer` wrote."""
    fields = json.loads(text)
    usage = Usage(**fields["usage"]) if fields["usage"] else None
    return ChatAnswer(fields["text"], StopReason(fields["reason"]), usage)


def row_of(found: tuple[str, str, str, str, str, int]) -> CacheRow:
    """A row of the table: key, request, state, answer, error, attempts."""
    key, request, state, answer, error, attempts = found
    return CacheRow(
        key, decode_request(request), RowState(state), decode_answer(answer) if answer else None, error, attempts
    )
