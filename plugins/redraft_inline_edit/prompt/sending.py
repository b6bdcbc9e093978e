"""What will be sent, as chips with token counts, before it is sent."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.api.prompt_block import Chip, Tone
from redraft.core.errors import ContextTooLong
from redraft.core.llm.client import ModelInfo
from redraft.core.text import TextIndex, split_lines
from redraft_inline_edit.context import FRAME_TOKENS, Limits, build_context, estimate_tokens
from redraft_inline_edit.request import EditKind, EditRequest

ATTACHMENT = "attachment:"
NO_MODEL = ModelInfo("", "", "")


@dataclass(frozen=True, slots=True)
class Sending:
    """What a request would send.

    Attributes:
        place: The lines, in words.
        first_line: The first of them, from 1.
        line_count: How many there are; 0 for an insertion.
        is_insertion: Whether new lines are asked for.
        chips: One for each part.
        tokens: About how many tokens in all.
        refusal: Why it cannot be sent, in a sentence.
    """

    place: str
    first_line: int
    line_count: int
    is_insertion: bool
    chips: tuple[Chip, ...]
    tokens: int
    refusal: str = ""


def describe(request: EditRequest, model: ModelInfo | None, limits: Limits) -> Sending:
    """Say what a request would send to a model."""
    first = TextIndex(request.text[: request.target.lines.start]).line_count
    is_insertion = request.target.kind is EditKind.INSERT
    count = 0 if is_insertion else len(split_lines(request.original))
    place = place_words(first, count)
    selection = estimate_tokens(request.original)
    chips = [Chip("range", place.capitalize(), icon="range", detail=str(selection))]
    try:
        context = build_context(request, model or NO_MODEL, limits)
    except ContextTooLong as error:
        chips[0] = Chip("range", place.capitalize(), icon="range", detail=str(selection), tone=Tone.WARN)
        return Sending(place, first, count, is_insertion, tuple(chips), selection, str(error))
    around = estimate_tokens(context.prefix) + estimate_tokens(context.suffix)
    total = selection + around + FRAME_TOKENS
    if request.with_file and around:
        name = request.file.path.name if request.file.path is not None else request.file.name
        chips.append(_chip("file", name, "file", around, is_cut=context.is_file_cut))
    for attachment in context.attachments:
        size = estimate_tokens(attachment.text)
        total += size
        is_cut = attachment.name in context.cut_attachments
        chips.append(_chip(f"{ATTACHMENT}{attachment.name}", attachment.name, "context_item", size, is_cut=is_cut))
    if request.rules:
        size = estimate_tokens(request.rules)
        total += size
        chips.append(_chip("rules", "rules", "rules", size, is_cut=False))
    return Sending(place, first, count, is_insertion, tuple(chips), total)


def place_words(first: int, count: int) -> str:
    """Some lines, in words: `lines 31–35`."""
    return f"line {first}" if count <= 1 else f"lines {first}–{first + count - 1}"


def _chip(chip_id: str, label: str, icon: str, tokens: int, *, is_cut: bool) -> Chip:
    tone = Tone.WARN if is_cut else Tone.PLAIN
    tooltip = "Cut to fit the model" if is_cut else "Sent along; the cross leaves it out"
    return Chip(chip_id, label, icon=icon, detail=str(tokens), tone=tone, tooltip=tooltip, removable=True)
