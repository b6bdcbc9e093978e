"""The second try of a live prediction: what the model is told about the first one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from redraft.api.services import Prompts
from redraft.core.llm.messages import ChatMessage, ChatRequest, Role
from redraft.core.review.example import Example, Prediction, Score
from redraft.core.review.loose_patch import make_hunks
from redraft.core.review.repair import build_repair_message
from redraft_edit_prediction.live.question import OPENING, Question
from redraft_edit_prediction.live.region import Region
from redraft_edit_prediction.live.review import OUT_OF_STEP, REVERSAL_LIMIT, Verdict

PROVIDER: Final = "live"
MOST_TOKENS: Final = 2048


def wants_repair(verdict: Verdict) -> bool:
    """Whether nothing can be shown, and for a reason that a model may do better about."""
    is_wrong = any(held.undoes > REVERSAL_LIMIT or held.reason == OUT_OF_STEP for held in verdict.held)
    return not verdict.edits and is_wrong


def repair_request(question: Question, answer: str, verdict: Verdict, prompts: Prompts) -> ChatRequest:
    """The conversation with a third turn: what is wrong with the answer.

    Raises:
        PromptError: The template is at fault.
    """
    old, new = _sides(question.region, verdict)
    example = Example(
        repository_url="",
        revision="",
        cursor_path=question.path,
        cursor_position="",
        edit_history="",
        expected_patches=[],
        predictions=[
            Prediction(
                provider=PROVIDER,
                actual_output=answer,
                actual_patch=f"--- a/{question.path}\n+++ b/{question.path}\n{make_hunks(old, new)}",
            )
        ],
        score=[
            Score(
                # Live, half of an edit is too much; the message speaks of more.
                reversal_ratio=1.0 if any(held.undoes > REVERSAL_LIMIT for held in verdict.held) else 0.0,
                wrong_editable_region=any(held.reason == OUT_OF_STEP for held in verdict.held),
            )
        ],
    )
    said = f"{OPENING}{answer}" if question.is_led else answer
    third = build_repair_message(example, prompts.render)
    messages = (
        *question.chat.messages,
        ChatMessage(Role.ASSISTANT, said),
        ChatMessage(Role.USER, third),
    )
    return replace(question.chat, messages=messages, prefill="", stop=(), max_tokens=MOST_TOKENS)


def _sides(region: Region, verdict: Verdict) -> tuple[str, str]:
    """The region's rows, and as the first answer has them, with LF at the end of each."""
    span = region.index.lines_range(region.start, region.end - 1)
    old = new = span.of(region.index.text)
    for held in reversed(verdict.held):
        start = held.edit.start - span.start
        new = new[:start] + held.edit.added + new[start + len(held.edit.removed) :]
    return old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
