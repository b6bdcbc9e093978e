"""From what the user has done and where they are to a request for a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from redraft.api.services import Prompts
from redraft.core.llm.client import Capabilities
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role
from redraft.core.review.code_blocks import fence_for
from redraft.core.review.example import BufferChange
from redraft.core.review.teacher import REGION_END, REGION_START
from redraft_edit_prediction.live.names import replaced_names, stands_in
from redraft_edit_prediction.live.region import Budget, Region
from redraft_edit_prediction.pipeline.prompt_parts import NO_HISTORY
from redraft_edit_prediction.pipeline.ranges import tokens_of

PROMPT: Final = "live"
OPENING: Final = f"{REGION_START}\n"
SPARE_TOKENS: Final = 64
"""Tokens an answer may have beyond one and a half of the region's."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request, and what its answer is about.

    Attributes:
        path: The file, as it is named in the prompt.
        region: The rows to be rewritten.
        chat: What is sent.
        is_led: Whether the answer begins with the opening tag already.
        begun: What of the region the answer begins with besides that.
    """

    path: str
    region: Region
    chat: ChatRequest
    is_led: bool
    begun: str = ""


def ask_for(
    path: str,
    region: Region,
    events: Sequence[BufferChange],
    *,
    prompts: Prompts,
    capabilities: Capabilities,
    budget: Budget,
) -> Question:
    """Fill the prompt.

    Raises:
        PromptError: The template is at fault.
    """
    history = recent_history(events, budget.history)
    excerpt = region.excerpt()
    fence = fence_for(excerpt)
    inner = "".join(region.lines)
    renamed = replaced_names(events[-1]) if events else ()
    text = prompts.render(
        PROMPT,
        edit_history=history,
        history_fence=fence_for(history),
        renamed=[pair for pair in renamed if stands_in(pair[0], inner)],
        cursor_excerpt=f"{fence}{path}\n{excerpt}\n{fence}",
    )
    is_led = capabilities.prefill
    begun = "".join(region.lines_above_place) if is_led and budget.begins else ""
    size = tokens_of(len(inner.encode()))
    chat = ChatRequest(
        (ChatMessage(Role.USER, text),),
        max_tokens=size * 3 // 2 + SPARE_TOKENS,
        temperature=0.0,
        stop=(REGION_END,) if capabilities.stop_sequences else (),
        prefill=f"{OPENING}{begun}" if is_led else "",
    )
    return Question(path, region, chat, is_led, begun)


def recent_history(events: Sequence[BufferChange], budget: int) -> str:
    """The last events that fit, oldest first; the very last one always."""
    parts: list[str] = []
    for event in reversed(events):
        accepted = "// User accepted prediction:\n" if event.predicted else ""
        part = f"{accepted}--- a/{event.old_path or event.path}\n+++ b/{event.path}\n{event.diff.rstrip()}"
        budget -= tokens_of(len(part.encode()))
        if budget < 0 and parts:
            break
        parts.append(part)
    return "\n".join(reversed(parts)) or NO_HISTORY
