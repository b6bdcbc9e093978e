"""What each of several processes does to one cache: they must be able to import it."""

from __future__ import annotations

from pathlib import Path

from redraft.core.llm.batch_queue import BatchQueue
from redraft.core.llm.cache import LlmCache
from redraft.core.llm.client import ChatAnswer
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role, StopReason

SCOPE = "openai@host/m"
ANSWER = ChatAnswer("x", StopReason.END)


def claim_all(path: Path, name: int) -> list[str]:
    """Queue the same requests as every other process, and claim as many as there are; the keys got."""
    with LlmCache(path) as cache:
        queue = BatchQueue(cache, SCOPE)
        queue.enqueue(_question(str(number)) for number in range(40))
        claimed: list[str] = []
        while rows := queue.claim(f"claim-{name}-{len(claimed)}", rows=3, size=10**6):
            claimed += [row.key for row in rows]
            queue.finish({row.key: ANSWER for row in rows})
        cache.put(SCOPE, _question(f"own {name}"), ANSWER)
        return claimed


def _question(text: str) -> ChatRequest:
    return ChatRequest((ChatMessage(Role.USER, text),))
