"""Lets a model judge predictions."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from redraft.api.services import Prompts
from redraft.core.errors import UsageError
from redraft.core.llm.messages import ChatMessage, Role
from redraft.core.review.code_blocks import fence_for
from redraft.core.review.example import BufferChange, Example, PromptInputs, QaResult
from redraft.core.review.judge import parse_judgement
from redraft.core.review.teacher import REGION_END, REGION_START, USER_CURSOR
from redraft.core.review.words import word_diff
from redraft_edit_prediction.pipeline.answers import Answers, Question
from redraft_edit_prediction.pipeline.parse_output import parse_first
from redraft_edit_prediction.pipeline.prompt_parts import NO_HISTORY
from redraft_edit_prediction.pipeline.providers import Backend, Vendor
from redraft_edit_prediction.pipeline.stage import AnswerPending

JUDGES: Final = MappingProxyType({Vendor.ANTHROPIC: "claude-sonnet-4-5", Vendor.OPENAI: "gpt-5.2"})
MAX_TOKENS: Final = 1024
FENCE: Final = 7
OPENING: Final = '```json\n{\n  "reasoning": "'
CLOSING: Final = "\n```"
_CURRENT_FILE: Final = re.compile(
    r"# 3\. Current File\s*?\n+(?P<fence>`{3,})[^\n]*\n(?P<text>.*?)\n(?P=fence)(?:\n|\Z)", re.DOTALL
)


class Qa:
    """Fills `qa`: a judgement of the first prediction, and null for the others."""

    label = "QA"

    def __init__(
        self,
        answers: Answers,
        prompts: Prompts,
        backend: Backend,
        *,
        in_batch: bool = True,
        attempt: int = 1,
        skips_unreadable: bool = False,
    ) -> None:
        self._answers = answers
        self._prompts = prompts
        self._backend = backend
        self._in_batch = in_batch
        self._skips_unreadable = skips_unreadable
        self._seed = attempt if attempt > 1 else None

    def is_complete(self, example: Example) -> bool:
        """Whether there is a judgement that could be read."""
        return bool(example.qa and example.qa[0] is not None and example.qa[0].confidence is not None)

    async def process(self, example: Example) -> Example:
        """Ask for a judgement.

        Raises:
            UsageError: An earlier stage is missing.
            AnswerPending: The judgement comes with a batch.
            ModelError: There is no answer.
        """
        if self.is_complete(example) or (self._skips_unreadable and unreadable(example)):
            return example
        example = _readable(example)
        text = judge_prompt(example, self._prompts)
        answer = await self._answers.ask(
            Question(
                self._backend,
                (ChatMessage(Role.USER, text),),
                MAX_TOKENS,
                self._seed,
                OPENING,
                CLOSING,
                in_batch=self._in_batch,
            )
        )
        if answer is None:
            raise AnswerPending(example)
        others: list[QaResult | None] = [None] * (len(example.predictions) - 1)
        return example.changed(qa=[parse_judgement(answer.text), *others])


def judge_prompt(example: Example, prompts: Prompts) -> str:
    """The judge's question.

    Raises:
        UsageError: An earlier stage is missing.
    """
    inputs, patch = example.prompt_inputs, example.predictions[0].actual_patch
    if inputs is None:
        raise UsageError("prompt_inputs missing (run context retrieval first)")
    if patch is None:
        raise UsageError("no actual_patch available (run predict first)")
    history = "\n".join(map(_event_text, inputs.events)).rstrip("\n") or NO_HISTORY
    words = word_diff(patch)
    return prompts.render(
        "qa",
        edit_history=history,
        history_fence=fence_for(history, at_least=FENCE),
        cursor_excerpt=_current_file(example, inputs),
        actual_patch_word_diff=words,
        patch_fence=fence_for(words, at_least=FENCE),
    )


def unreadable(example: Example) -> str:
    """Why the first prediction could not be read; empty if it could, or was never asked for."""
    first = example.predictions[0] if example.predictions else None
    return first.error or "" if first is not None and first.actual_patch is None else ""


def _readable(example: Example) -> Example:
    """The example with its first prediction read; one that never could be read has no patch to be judged."""
    if fault := unreadable(example):
        raise UsageError(f"the first prediction could not be read ({fault}); predict again")
    return parse_first(example)


def _event_text(event: BufferChange) -> str:
    path = event.path.removeprefix("/")
    old_path = (event.old_path or event.path).removeprefix("/")
    return f"--- a/{old_path}\n+++ b/{path}\n{word_diff(event.diff)}\n"


def _current_file(example: Example, inputs: PromptInputs) -> str:
    """The file as the model saw it; without a prompt, the whole excerpt as the region."""
    found = _CURRENT_FILE.search(example.prompt.input) if example.prompt else None
    if found is not None:
        text = found["text"]
    else:
        encoded = inputs.cursor_excerpt.encode()
        before = encoded[: inputs.cursor_offset_in_excerpt].decode(errors="ignore")
        after = encoded[inputs.cursor_offset_in_excerpt :].decode(errors="ignore")
        text = f"{REGION_START}\n{before}{USER_CURSOR}{after.rstrip(chr(10))}\n{REGION_END}"
    fence = fence_for(text)
    return f"{fence}{inputs.cursor_path}\n{text}\n{fence}"
