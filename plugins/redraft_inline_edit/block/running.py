"""The prompt block while the model is at work: waiting, thinking, writing, repairing."""

from __future__ import annotations

from redraft.api.prompt_block import ActionStyle, PromptAction, PromptModel, StateStrip, Tone
from redraft.core.diff.hunks import DiffProgress
from redraft.core.wording import count_words
from redraft_inline_edit.block.facts import BlockFacts
from redraft_inline_edit.block.parts import model_chip, stop_action
from redraft_inline_edit.block.words import joined, milliseconds, seconds, spent, told
from redraft_inline_edit.events import RetryAhead


def waiting(facts: BlockFacts) -> PromptModel:
    """Nothing of the answer has come yet."""
    if facts.retry is not None:
        return _asked_to_wait(facts, facts.retry)
    numbers = facts.numbers
    if facts.thinking:
        first = f"first token {milliseconds(numbers.first_token)}" if numbers.first_token else ""
        strip = StateStrip(
            f"Thinking {seconds(facts.thinking)}", "folded here, never part of the diff", icon="collapsed", busy=True
        )
        return _running(facts, strip, note=joined(facts.model.name if facts.model else "", first))
    sent = numbers.sent_tokens or facts.tokens
    cached = f", {numbers.cached_tokens:,} of them cached" if numbers.cached_tokens else ""
    title = f"Merging with {facts.merging}" if facts.merging else "Waiting for the first token"
    strip = StateStrip(title, f"{sent:,} tokens sent{cached}", busy=True)
    return _running(facts, strip, note=seconds(numbers.total))


def streaming(facts: BlockFacts) -> PromptModel:
    """The answer is being written."""
    progress = facts.progress or DiffProgress((), 0)
    numbers = facts.numbers
    rate = f"{numbers.rate:.0f} tok/s" if numbers.rate else ""
    first = f"first token {milliseconds(numbers.first_token)}" if numbers.first_token is not None else ""
    if facts.line_count:
        share: float | None = min(progress.frontier / facts.line_count, 1.0)
        detail = f"{min(progress.frontier, facts.line_count)} of {count_words(facts.line_count, 'line')}"
    else:
        share, detail = None, count_words(progress.counts[0], "line")
    return PromptModel(
        words=facts.words,
        main=stop_action(),
        chips=facts.chips,
        model=model_chip(facts.model, ""),
        progress=share,
        footer=f"Merging with {facts.merging}" if facts.merging else "Writing",
        footer_detail=detail,
        footer_note=joined(first, rate, seconds(numbers.total)) if facts.shows_numbers else "",
    )


def repairing(facts: BlockFacts) -> PromptModel:
    """The first answer went back to the model."""
    strip = StateStrip(
        "Repairing, round 1 of 1",
        facts.complaint,
        tone=Tone.ACCENT,
        busy=True,
        actions=(PromptAction("keep_first", "Keep first result"),),
    )
    return PromptModel(
        words=facts.words,
        main=stop_action(),
        strip=strip,
        footer_detail="The first result stays until the repair is complete",
        footer_note=spent(facts),
    )


def _running(facts: BlockFacts, strip: StateStrip, *, note: str) -> PromptModel:
    return PromptModel(
        words=facts.words,
        main=stop_action(),
        strip=strip,
        footer_detail="Esc cancels and keeps your words",
        footer_note=note if facts.shows_numbers else "",
    )


def _asked_to_wait(facts: BlockFacts, retry: RetryAhead) -> PromptModel:
    strip = StateStrip(
        told(retry.reason)[0],
        f"next try in {max(facts.retry_left, 0):.0f} s",
        icon="wait",
        tone=Tone.WARN,
        actions=(PromptAction("try_now", "Try now"),),
    )
    done = 1 - facts.retry_left / retry.delay if retry.delay else 1.0
    return PromptModel(
        words=facts.words,
        main=PromptAction("stop", "Cancel", icon="close", key="Esc", style=ActionStyle.STOP),
        strip=strip,
        footer_detail=f"Try {retry.attempt} of {retry.attempts}",
        progress=min(max(done, 0.0), 1.0),
    )
