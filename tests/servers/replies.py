"""What the protocols of model servers say, as steps."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from servers.steps import Head, Send, Step


def json_reply(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> tuple[Step, ...]:
    """A whole JSON body."""
    head = Head(status, {"content-type": "application/json", **(headers or {})})
    return (head, Send(json.dumps(value)))


def error_reply(
    status: int, message: str = "no", headers: Mapping[str, str] | None = None, **more: Any
) -> tuple[Step, ...]:
    """An error body in the OpenAI way; more fields, such as `code` and `type`, stand inside it."""
    return json_reply({"error": {"message": message, **more}}, status, headers)


def openai_chunk(delta: Mapping[str, Any] | None = None, *, finish: str | None = None, **fields: Any) -> Send:
    """One event of a chat completion stream."""
    choices = [] if delta is None else [{"index": 0, "delta": dict(delta), "finish_reason": finish}]
    body = {"id": "c1", "object": "chat.completion.chunk", "choices": choices, **fields}
    return Send(f"data: {json.dumps(body, ensure_ascii=False)}\n\n")


def openai_text(*texts: str) -> tuple[Step, ...]:
    """Pieces of an answer, one event each."""
    return tuple(openai_chunk({"content": text}) for text in texts)


def openai_end(finish: str | None = "stop", usage: Mapping[str, Any] | None = None) -> tuple[Step, ...]:
    """The end of an answer: finish reason, usage where given, `[DONE]`."""
    steps: list[Step] = [openai_chunk({}, finish=finish)]
    if usage is not None:
        steps.append(openai_chunk(usage=usage))
    return (*steps, Send("data: [DONE]\n\n"))


def openai_answer(*texts: str, finish: str | None = "stop") -> tuple[Step, ...]:
    """A whole answer."""
    return (*openai_text(*texts), *openai_end(finish))


def anthropic_event(kind: str, **fields: Any) -> Send:
    """One event of a message stream."""
    return Send(f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n")


def anthropic_start(**usage: int) -> tuple[Step, ...]:
    """The beginning of a message and of its first text block."""
    message = {"id": "m1", "role": "assistant", "content": [], "usage": {"output_tokens": 1, **usage}}
    block = {"type": "text", "text": ""}
    return (
        anthropic_event("message_start", message=message),
        anthropic_event("content_block_start", index=0, content_block=block),
    )


def anthropic_text(*texts: str) -> tuple[Step, ...]:
    """Pieces of an answer, one event each."""
    return tuple(
        anthropic_event("content_block_delta", index=0, delta={"type": "text_delta", "text": text}) for text in texts
    )


def anthropic_end(reason: str | None = "end_turn", output_tokens: int = 2) -> tuple[Step, ...]:
    """The end of a message."""
    return (
        anthropic_event("content_block_stop", index=0),
        anthropic_event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": output_tokens}),
        anthropic_event("message_stop"),
    )


def anthropic_answer(*texts: str, reason: str | None = "end_turn") -> tuple[Step, ...]:
    """A whole answer."""
    return (*anthropic_start(input_tokens=3), *anthropic_text(*texts), *anthropic_end(reason))
