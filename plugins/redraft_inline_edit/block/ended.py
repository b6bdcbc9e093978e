"""The prompt block after a run that left no whole proposal: stopped, cut off, failed, unchanged, answered."""

from __future__ import annotations

from typing import Final

from redraft.api.prompt_block import ActionStyle, PromptAction, PromptModel, StateStrip, Tone
from redraft.core.errors import (
    AnswerError,
    AuthenticationError,
    BadRequest,
    ConnectionFailed,
    ContextTooLong,
    MalformedStream,
    ModelNotFound,
    ModelUnavailable,
    QuotaExceeded,
    RateLimited,
    RedraftError,
    ServerError,
    TimedOut,
)
from redraft.core.llm.client import IN_SETTINGS
from redraft.core.llm.messages import StopReason
from redraft_inline_edit.block.facts import BlockFacts
from redraft_inline_edit.block.parts import accept_all_action, model_chip, retry_action
from redraft_inline_edit.block.words import joined, milliseconds, spent, told
from redraft_inline_edit.errors import NotSent

SETTINGS: Final = PromptAction("open_models", "Open model settings", style=ActionStyle.PRIMARY)
KEYS: Final = PromptAction("open_models", "Open key settings", style=ActionStyle.PRIMARY)
TEST: Final = PromptAction("test_connection", "Test connection", style=ActionStyle.FLAT)
OTHER: Final = PromptAction("model", "Choose another model")
REMEDIES: Final[tuple[tuple[tuple[type[RedraftError], ...], str, Tone, tuple[PromptAction, ...]], ...]] = (
    ((AnswerError,), "info", Tone.WARN, ()),
    ((NotSent,), "off_here", Tone.WARN, (PromptAction("send_anyway", "Send it this time"),)),
    ((AuthenticationError,), "key", Tone.ERROR, (KEYS,)),
    ((RateLimited,), "wait", Tone.WARN, (OTHER,)),
    ((ConnectionFailed, TimedOut), "offline", Tone.ERROR, (TEST, OTHER)),
    ((ModelUnavailable, ModelNotFound), "model_local", Tone.ERROR, (SETTINGS,)),
    ((ContextTooLong, QuotaExceeded, ServerError), "error", Tone.ERROR, (OTHER,)),
    ((BadRequest, MalformedStream), "error", Tone.ERROR, (SETTINGS,)),
)
"""For each kind of error: icon, tone, and what the user can do."""


def stopped(facts: BlockFacts) -> PromptModel:
    """The user stopped the model; what had come is a proposal."""
    reached = facts.progress.frontier if facts.progress else 0
    at = f" at line {reached} of {facts.line_count}" if facts.line_count else ""
    strip = StateStrip(
        f"Stopped{at}",
        _rest(facts, reached),
        icon="stopped",
        actions=(
            PromptAction("reject_all", "Reject all", style=ActionStyle.REJECT),
            accept_all_action(facts),
        )
        if facts.open_hunks
        else (),
    )
    return PromptModel(
        words=facts.words,
        main=retry_action(facts),
        strip=strip,
        footer_detail="Esc rejects the part that arrived" if facts.open_hunks else "Esc closes, your words are kept",
        footer_note=spent(facts),
        counts=facts.counts if facts.open_hunks else None,
    )


def incomplete(facts: BlockFacts) -> PromptModel:
    """The answer was cut off; what had come is a proposal."""
    reached = facts.progress.frontier if facts.progress else 0
    error = facts.outcome.error if facts.outcome is not None else None
    why, advice = told(error) if error is not None else ("The answer was cut off", "")
    at = f", line {reached} of {facts.line_count}" if facts.line_count and reached else ""
    strip = StateStrip(
        f"{why}{at}",
        advice,
        icon="problem",
        tone=Tone.WARN,
        actions=(
            PromptAction("reject_all", "Discard", style=ActionStyle.FLAT),
            PromptAction("keep_part", "Keep part", enabled=facts.open_hunks > 0),
            PromptAction("continue", "Continue", key="Enter", style=ActionStyle.PRIMARY),
        ),
    )
    return PromptModel(
        words=facts.words,
        main=retry_action(facts),
        strip=strip,
        footer_detail="Continue resumes where it broke off and removes the overlap",
        footer_note=spent(facts),
        counts=facts.counts if facts.open_hunks else None,
    )


def failed(facts: BlockFacts) -> PromptModel:
    """No usable answer came."""
    error = facts.outcome.error if facts.outcome is not None else None
    error = error or ModelUnavailable("No answer came.")
    icon, tone, actions = _remedy(error)
    what, advice = told(error)
    if facts.model is not None and facts.model.location == "embedded" and icon == "offline":
        icon = "model_local"  # no network lies between
    return PromptModel(
        words=facts.words,
        main=PromptAction("again", "Run again", icon="send", key="Enter"),
        strip=StateStrip(what, advice, icon=icon, tone=tone, actions=_possible(actions, facts)),
        footer_detail="Your words are kept, Esc closes",
        footer_note=_asked(facts),
        answer=facts.answer,
    )


def unchanged(facts: BlockFacts) -> PromptModel:
    """The model proposes no change."""
    return PromptModel(
        words=facts.words,
        main=PromptAction("again", "Run again", icon="send", key="Enter"),
        strip=StateStrip("The model proposed no change", icon="info"),
        refine="Say it differently",
        model=model_chip(facts.model, ""),
        footer_detail="Write more to refine, Esc closes",
        footer_note=spent(facts),
        answer=facts.answer,
    )


def answered(facts: BlockFacts) -> PromptModel:
    """A question was answered in words."""
    return PromptModel(
        words=facts.words,
        main=PromptAction("close", "Close", icon="close", key="Esc", style=ActionStyle.ICON),
        refine="Ask further, or say what to change",
        model=model_chip(facts.model, ""),
        footer_detail="Nothing was changed, Esc closes",
        footer_note=spent(facts),
        answer=facts.answer,
    )


def _remedy(error: RedraftError) -> tuple[str, Tone, tuple[PromptAction, ...]]:
    """The icon, tone and way out of an error."""
    found = ((icon, tone, actions) for kinds, icon, tone, actions in REMEDIES if isinstance(error, kinds))
    return next(found, ("error", Tone.ERROR, ()))


def _possible(actions: tuple[PromptAction, ...], facts: BlockFacts) -> tuple[PromptAction, ...]:
    """The ways out that there are: only servers of the settings can be tested there; the embedded model comes first."""
    if facts.model is None or facts.model.provider != IN_SETTINGS:
        actions = tuple(action for action in actions if action != TEST)
    if facts.outcome is not None and facts.outcome.reason is StopReason.LENGTH:
        actions = (SETTINGS, OTHER)
    if facts.embedded and OTHER in actions:
        embedded = PromptAction("use_embedded", "Use the embedded model", tooltip=facts.embedded)
        actions = tuple(embedded if action == OTHER else action for action in actions)
    return actions


def _asked(facts: BlockFacts) -> str:
    """Whom it was that failed, and after how long; tokens and cost where any came."""
    if facts.numbers.received_tokens or facts.model is None:
        return spent(facts)
    time = milliseconds(facts.numbers.total) if facts.shows_numbers and facts.numbers.total else ""
    return joined(facts.model.name, time)


def _rest(facts: BlockFacts, reached: int) -> str:
    if not facts.line_count or reached >= facts.line_count:
        return ""
    first, last = facts.first_line + reached, facts.first_line + facts.line_count - 1
    return f"line {first} stays as it is" if first == last else f"lines {first}–{last} stay as they are"
