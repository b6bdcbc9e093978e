"""Writes the teacher prompts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.api.services import Prompts
from redraft.core.errors import UsageError
from redraft.core.review.code_blocks import fence_for
from redraft.core.review.example import Example, Prompt, PromptInputs
from redraft.core.review.jumps import Snippet, place_markers, snippets_of, tagged
from redraft.core.review.teacher import REGION_START
from redraft_edit_prediction.pipeline.context import Context
from redraft_edit_prediction.pipeline.prompt_parts import (
    NO_CONTEXT,
    NO_HISTORY,
    choose_excerpts,
    current_file_text,
    diagnostics_text,
    history_text,
    ranges_of,
    related_text,
)
from redraft_edit_prediction.pipeline.providers import Provider, Vendor
from redraft_edit_prediction.pipeline.ranges import tokens_of

JUMPS_RELATED_TOKENS: Final = 8192
JUMPS_EVENTS: Final = 6
JUMPS_HISTORY_TOKENS: Final = 4000
DEFAULT_PROVIDER: Final = "teacher"


class FormatPrompt:
    """Fills `prompt`; one that is there is written anew, unless it is wanted for the same provider."""

    label = "Format"

    def __init__(
        self, context: Context, prompts: Prompts, provider: Provider, *, related_tokens: int = JUMPS_RELATED_TOKENS
    ) -> None:
        self._context = context
        self._prompts = prompts
        self._provider = provider
        self._related_tokens = related_tokens

    def is_complete(self, example: Example) -> bool:
        """Whether there is a prompt for this provider."""
        return example.prompt is not None and example.prompt.provider == str(self._provider)

    async def process(self, example: Example) -> Example:
        """Write the prompt, after finding context if need be.

        Raises:
            UsageError: The provider's prompt is not known here, or the project cannot be loaded.
        """
        backend = self._provider.backend  # A provider that cannot be asked has no prompt either.
        example = await self._context.process(example)
        inputs = example.prompt_inputs
        if inputs is None:
            raise UsageError("prompt_inputs missing (run context retrieval first)")
        text = self._jumps(inputs) if self._provider.has_jumps else self._teacher(example, inputs)
        is_led = backend.vendor is Vendor.EDITOR and not self._provider.has_jumps
        prefill = opening_of(inputs) if is_led else None
        return example.changed(prompt=Prompt(input=text, provider=str(self._provider), prefill=prefill))

    def _teacher(self, example: Example, inputs: PromptInputs) -> str:
        history = history_text(example.edit_history)
        return self._prompts.render(
            "teacher",
            edit_history=history,
            history_fence=fence_for(history),
            context=related_text(inputs.related_files),
            cursor_excerpt=current_file_text(inputs),
            diagnostics=diagnostics_text(inputs),
        )

    def _jumps(self, inputs: PromptInputs) -> str:
        snippets = jump_snippets(inputs, self._related_tokens)
        markers = place_markers(snippets)
        texts = [
            tagged(snippet, index, markers, cursor=inputs.cursor_offset_in_excerpt if snippet.is_cursor_file else None)
            for index, snippet in enumerate(snippets)
        ]
        blocks = [_block(snippet.path, text) for snippet, text in zip(snippets, texts, strict=True)]
        history = _recent_history(inputs)
        return self._prompts.render(
            "teacher_jumps",
            edit_history=history,
            history_fence=fence_for(history),
            context="\n\n".join(blocks[1:]) or NO_CONTEXT,
            cursor_excerpt=blocks[0],
        )


def opening_of(inputs: PromptInputs) -> str:
    """How a small model's answer begins: with the region up to the cursor's row.

    Left to itself it writes prose where code should be, or forgets the block. That nothing should change it says by
    going on as the region does.
    """
    start, end = ranges_of(inputs).editable
    excerpt = inputs.cursor_excerpt.encode()
    cursor = min(max(inputs.cursor_offset_in_excerpt, start), end)
    row = max(start, excerpt.rfind(b"\n", 0, cursor) + 1)
    return f"`````\n{REGION_START}\n{excerpt[start:row].decode(errors='ignore')}"


def jump_snippets(inputs: PromptInputs, related_tokens: int = JUMPS_RELATED_TOKENS) -> list[Snippet]:
    """What a model is shown for edits in several places; the same again when its answer is read."""
    return snippets_of(inputs, _related(inputs, related_tokens))


def _related(inputs: PromptInputs, budget: int) -> Iterator[Snippet]:
    for file, excerpts in choose_excerpts(inputs.related_files or (), budget):
        for excerpt in excerpts:
            yield Snippet(file.path, excerpt.row_range.start, excerpt.text)


def _recent_history(inputs: PromptInputs) -> str:
    """The last edits that fit, oldest first."""
    left = JUMPS_HISTORY_TOKENS
    parts: list[str] = []
    for event in reversed(inputs.events[-JUMPS_EVENTS:]):
        accepted = "// User accepted prediction:\n" if event.predicted else ""
        part = f"{accepted}--- a/{event.old_path or event.path}\n+++ b/{event.path}\n{event.diff.rstrip()}"
        left -= tokens_of(len(part.encode()))
        if left < 0:
            break
        parts.append(part)
    return "\n".join(reversed(parts)) or NO_HISTORY


def _block(path: str, text: str) -> str:
    fence = fence_for(text)
    ending = "" if text.endswith("\n") else "\n"
    return f"{fence}{path}\n{text}{ending}{fence}"
