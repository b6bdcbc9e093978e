"""What the prompt block shows in each state of an edit: facts in, a `PromptModel` out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from redraft.api.prompt_block import (
    ActionStyle,
    Chip,
    PaletteRow,
    PromptAction,
    PromptModel,
    StateStrip,
    Tone,
)
from redraft.core.answer.pipeline import NoteKind
from redraft.core.diff.hunks import DiffProgress
from redraft.core.errors import (
    AnswerError,
    AuthenticationError,
    ConnectionFailed,
    ModelNotFound,
    ModelUnavailable,
    RateLimited,
    RedraftError,
    TimedOut,
)
from redraft.core.llm.client import ModelInfo
from redraft_inline_edit.errors import NotSent
from redraft_inline_edit.events import EditOutcome, Numbers, RetryAhead
from redraft_inline_edit.states import SessionState

NOTE_LABELS: Final = {
    NoteKind.TRIMMED: "Repeats left out",
    NoteKind.CUT_OUT: "Cut to the selection",
    NoteKind.REINDENTED: "Indentation moved",
    NoteKind.CONVERTED: "Indentation converted",
    NoteKind.MENDED: "Comma mended",
    NoteKind.MIXED_INDENTATION: "Mixed indentation",
    NoteKind.HIDDEN: "Hidden characters",
    NoteKind.QUOTES: "Typographic quotes",
    NoteKind.PLACEHOLDER: "Leaves code out",
    NoteKind.EMPTY: "Removes all",
    NoteKind.UNCHANGED: "Unchanged",
}
WARNINGS: Final = frozenset({NoteKind.CUT_OUT, NoteKind.MIXED_INDENTATION, NoteKind.QUOTES})
SETTINGS: Final = PromptAction("open_models", "Open model settings", style=ActionStyle.PRIMARY)
REMEDIES: Final[tuple[tuple[tuple[type[RedraftError], ...], str, Tone, tuple[PromptAction, ...]], ...]] = (
    ((AnswerError,), "info", Tone.WARN, ()),
    ((NotSent,), "off_here", Tone.WARN, (PromptAction("send_anyway", "Send it this time"),)),
    (
        (AuthenticationError,),
        "key",
        Tone.ERROR,
        (PromptAction("open_models", "Open key settings", style=ActionStyle.PRIMARY),),
    ),
    ((RateLimited,), "wait", Tone.WARN, ()),
    (
        (ConnectionFailed, TimedOut),
        "offline",
        Tone.ERROR,
        (SETTINGS, PromptAction("model", "Choose another model")),
    ),
    ((ModelUnavailable, ModelNotFound), "model_local", Tone.ERROR, (SETTINGS,)),
)
"""For each kind of error: icon, tone, and what the user can do."""
MODEL_ICON: Final = {"embedded": "model_local", "server": "model_server", "cloud": "model_cloud"}


@dataclass(frozen=True, slots=True)
class KeyLabels:
    """Keys as the user has bound them."""

    accept_all: str = ""
    reject_all: str = ""
    retry: str = ""
    model: str = ""
    search: str = ""
    side_by_side: str = ""
    edit_proposal: str = ""
    earlier: str = ""
    later: str = ""


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """All that a block may show.

    Attributes:
        state: Where the edit is.
        words: The instruction.
        place: The lines it is about, `"lines 31–35"`.
        is_insertion: Whether new lines are asked for.
        first_line: Number of the first line, from 1.
        line_count: How many lines the edit is about.
        tokens: About how many tokens are sent.
        rows: The palette.
        current_row: Which of them Enter takes.
        chips: What is sent.
        model: Whom it goes to.
        keys: Key labels.
        numbers: Time and tokens so far.
        thinking: Seconds the model has been thinking; 0 where it has not.
        retry: What the server asked for; with `retry_left`, the seconds until the next try.
        retry_left: Seconds until the next try.
        progress: The answer so far.
        complaint: What the first answer lacked.
        outcome: How it ended.
        open_hunks: Undecided hunks.
        counts: Lines added and removed by them.
        alternative: Which answer is shown, from 1, of how many.
        hidden: Hidden characters in the proposal, in words.
        needs_review: Whether the text under some hunk was changed since.
        shows_numbers: Whether times and tokens are wanted.
        answer: The model's own words.
    """

    state: SessionState
    words: str = ""
    place: str = ""
    is_insertion: bool = False
    first_line: int = 1
    line_count: int = 0
    tokens: int = 0
    rows: tuple[PaletteRow, ...] = ()
    current_row: str = ""
    chips: tuple[Chip, ...] = ()
    model: ModelInfo | None = None
    keys: KeyLabels = field(default_factory=KeyLabels)
    numbers: Numbers = field(default_factory=Numbers)
    thinking: float = 0.0
    retry: RetryAhead | None = None
    retry_left: float = 0.0
    progress: DiffProgress | None = None
    complaint: str = ""
    outcome: EditOutcome | None = None
    open_hunks: int = 0
    counts: tuple[int, int] = (0, 0)
    alternative: tuple[int, int] = (1, 1)
    hidden: str = ""
    needs_review: bool = False
    shows_numbers: bool = True
    answer: str = ""


def prompt_model(facts: BlockFacts) -> PromptModel:
    """The block for some facts."""
    return BUILDERS[facts.state](facts)


def _preparing(facts: BlockFacts) -> PromptModel:
    return PromptModel(
        words=facts.words,
        editable=True,
        placeholder=_placeholder(facts),
        note=f"~ {short_count(facts.tokens)} tokens" if facts.tokens and facts.shows_numbers else "",
        main=PromptAction("run", "Run", icon="send", key="Enter", style=ActionStyle.ICON),
        rows=facts.rows,
        current_row=facts.current_row,
        heading_action=f"{facts.keys.search} search" if facts.keys.search else "",
        chips=(*facts.chips, Chip("add_context", "Context", icon="add", detail="@", tooltip="Add a file or symbol")),
        chips_in_footer=True,
        model=model_chip(facts.model, facts.keys.model),
    )


def _waiting(facts: BlockFacts) -> PromptModel:
    if facts.retry is not None:
        return _asked_to_wait(facts, facts.retry)
    numbers = facts.numbers
    if facts.thinking:
        first = f"first token {milliseconds(numbers.first_token)}" if numbers.first_token else ""
        strip = StateStrip(
            f"Thinking {seconds(facts.thinking)}", "folded here, never part of the diff", icon="collapsed", busy=True
        )
        return _running(facts, strip, note=_joined(facts.model.name if facts.model else "", first))
    sent = numbers.sent_tokens or facts.tokens
    cached = f", {numbers.cached_tokens:,} of them cached" if numbers.cached_tokens else ""
    strip = StateStrip("Waiting for the first token", f"{sent:,} tokens sent{cached}", busy=True)
    return _running(facts, strip, note=seconds(numbers.total))


def _running(facts: BlockFacts, strip: StateStrip, *, note: str) -> PromptModel:
    return PromptModel(
        words=facts.words,
        main=_stop(),
        strip=strip,
        footer_detail="Esc cancels and keeps your words",
        footer_note=note if facts.shows_numbers else "",
    )


def _asked_to_wait(facts: BlockFacts, retry: RetryAhead) -> PromptModel:
    strip = StateStrip(
        retry.reason.rstrip("."),
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


def _streaming(facts: BlockFacts) -> PromptModel:
    progress = facts.progress or DiffProgress((), 0)
    numbers = facts.numbers
    rate = f"{numbers.rate:.0f} tok/s" if numbers.rate else ""
    first = f"first token {milliseconds(numbers.first_token)}" if numbers.first_token is not None else ""
    if facts.line_count:
        share: float | None = min(progress.frontier / facts.line_count, 1.0)
        detail = f"{min(progress.frontier, facts.line_count)} of {_lines(facts.line_count)}"
    else:
        share, detail = None, _lines(progress.counts[0])
    return PromptModel(
        words=facts.words,
        main=_stop(),
        chips=facts.chips,
        model=model_chip(facts.model, ""),
        progress=share,
        footer="Writing",
        footer_detail=detail,
        footer_note=_joined(first, rate, seconds(numbers.total)) if facts.shows_numbers else "",
    )


def _repairing(facts: BlockFacts) -> PromptModel:
    strip = StateStrip(
        "Repairing, round 1 of 1",
        facts.complaint,
        tone=Tone.ACCENT,
        busy=True,
        actions=(PromptAction("keep_first", "Keep first result"),),
    )
    return PromptModel(
        words=facts.words,
        main=_stop(),
        strip=strip,
        footer_detail="The first result stays until the repair is complete",
        footer_note=_spent(facts),
    )


def _reviewing(facts: BlockFacts) -> PromptModel:
    if facts.hidden:
        return _blocked(facts)
    if facts.needs_review:
        return _needs_review(facts)
    keys = facts.keys
    return PromptModel(
        words=facts.words,
        main=PromptAction("close", "Close", icon="close", key="Esc", style=ActionStyle.ICON),
        chips=(*review_chips(facts),),
        numbers=_spent(facts),
        refine="Refine this result, or ↑ to edit what you asked",
        model=model_chip(facts.model, ""),
        footer=_hunks(facts.open_hunks),
        counts=facts.counts,
        actions=(
            *_alternatives(facts),
            _icon("retry", "Try again", "retry", keys.retry),
            _icon("side_by_side", "Side by side", "split", keys.side_by_side),
            _icon("edit_proposal", "Edit proposal", "edit_proposal", keys.edit_proposal),
            PromptAction("reject_all", "Reject all", key=facts.keys.reject_all, style=ActionStyle.REJECT),
            _accept_all(facts),
        ),
        answer=facts.answer,
    )


def _needs_review(facts: BlockFacts) -> PromptModel:
    strip = StateStrip(
        "The text under a hunk has changed",
        "the others still fit",
        icon="proposal",
        tone=Tone.WARN,
        actions=(
            PromptAction("show_diff", "Compare", style=ActionStyle.FLAT),
            PromptAction("reject_all", "Reject all", key=facts.keys.reject_all, style=ActionStyle.REJECT),
            _accept_all(facts),
        ),
    )
    return PromptModel(
        words=facts.words,
        main=_retry(facts),
        strip=strip,
        footer_detail="A hunk that no longer fits is left out of “accept all”",
        footer_note=_spent(facts),
        counts=facts.counts,
    )


def _blocked(facts: BlockFacts) -> PromptModel:
    strip = StateStrip(
        facts.hidden,
        icon="hidden_text",
        tone=Tone.ERROR,
        actions=(
            PromptAction("remove_hidden", "Remove them", style=ActionStyle.PRIMARY),
            PromptAction("accept_hidden", "Accept all the same"),
        ),
    )
    return PromptModel(
        words=facts.words,
        main=_retry(facts),
        strip=strip,
        footer_detail="Enter does not accept while something is hidden",
        counts=facts.counts,
    )


def _stopped(facts: BlockFacts) -> PromptModel:
    reached = facts.progress.frontier if facts.progress else 0
    at = f" at line {reached} of {facts.line_count}" if facts.line_count else ""
    strip = StateStrip(
        f"Stopped{at}",
        _rest(facts, reached),
        icon="stopped",
        actions=(
            PromptAction("reject_all", "Reject all", style=ActionStyle.REJECT),
            _accept_all(facts),
        )
        if facts.open_hunks
        else (),
    )
    return PromptModel(
        words=facts.words,
        main=_retry(facts),
        strip=strip,
        footer_detail="Esc rejects the part that arrived" if facts.open_hunks else "Esc closes, your words are kept",
        footer_note=_spent(facts),
        counts=facts.counts if facts.open_hunks else None,
    )


def _incomplete(facts: BlockFacts) -> PromptModel:
    reached = facts.progress.frontier if facts.progress else 0
    why = str(facts.outcome.error).rstrip(".") if facts.outcome and facts.outcome.error else "The answer was cut off"
    at = f", line {reached} of {facts.line_count}" if facts.line_count else ""
    strip = StateStrip(
        f"{why}{at}",
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
        main=_retry(facts),
        strip=strip,
        footer_detail="Continue resumes where it broke off and removes the overlap",
        footer_note=_spent(facts),
        counts=facts.counts if facts.open_hunks else None,
    )


def _failed(facts: BlockFacts) -> PromptModel:
    error = facts.outcome.error if facts.outcome is not None else None
    error = error or ModelUnavailable("No answer came.")
    icon, tone, actions = _remedy(error)
    return PromptModel(
        words=facts.words,
        main=PromptAction("again", "Run again", icon="send", key="Enter"),
        strip=StateStrip(str(error).rstrip("."), icon=icon, tone=tone, actions=actions),
        footer_detail="Your words are kept, Esc closes",
        footer_note=_spent(facts),
        answer=facts.answer,
    )


def _remedy(error: RedraftError) -> tuple[str, Tone, tuple[PromptAction, ...]]:
    """The icon, tone and way out of an error."""
    found = ((icon, tone, actions) for kinds, icon, tone, actions in REMEDIES if isinstance(error, kinds))
    return next(found, ("error", Tone.ERROR, ()))


def _unchanged(facts: BlockFacts) -> PromptModel:
    return PromptModel(
        words=facts.words,
        main=PromptAction("again", "Run again", icon="send", key="Enter"),
        strip=StateStrip("The model proposed no change", icon="info"),
        refine="Say it differently",
        model=model_chip(facts.model, ""),
        footer_detail="Write more to refine, Esc closes",
        footer_note=_spent(facts),
        answer=facts.answer,
    )


def _answered(facts: BlockFacts) -> PromptModel:
    return PromptModel(
        words=facts.words,
        main=PromptAction("close", "Close", icon="close", key="Esc", style=ActionStyle.ICON),
        refine="Ask further, or say what to change",
        model=model_chip(facts.model, ""),
        footer_detail="Nothing was changed, Esc closes",
        footer_note=_spent(facts),
        answer=facts.answer,
    )


def _closed(facts: BlockFacts) -> PromptModel:
    return PromptModel(words=facts.words)


BUILDERS: Final[Mapping[SessionState, Callable[[BlockFacts], PromptModel]]] = {
    SessionState.PREPARING: _preparing,
    SessionState.WAITING: _waiting,
    SessionState.STREAMING: _streaming,
    SessionState.REPAIRING: _repairing,
    SessionState.REVIEWING: _reviewing,
    SessionState.STOPPED: _stopped,
    SessionState.INCOMPLETE: _incomplete,
    SessionState.FAILED: _failed,
    SessionState.UNCHANGED: _unchanged,
    SessionState.ANSWERED: _answered,
    SessionState.CLOSED: _closed,
}


def review_chips(facts: BlockFacts) -> tuple[Chip, ...]:
    """What checks say of a proposal."""
    outcome = facts.outcome
    if outcome is None:
        return ()
    broken = outcome.syntax_error
    chips = [
        Chip("syntax", "Does not parse", icon="error", tone=Tone.ERROR, tooltip=broken)
        if broken
        else Chip("syntax", "Parses", icon="ok", tone=Tone.OK)
    ]
    chips += [
        Chip(note.kind.value, NOTE_LABELS[note.kind], icon="problem", tone=Tone.WARN, tooltip=note.text)
        if note.blocks_accept or note.kind in WARNINGS
        else Chip(note.kind.value, NOTE_LABELS[note.kind], icon="info", tooltip=note.text)
        for note in outcome.notes
    ]
    if outcome.repaired:
        chips.append(Chip("repaired", "Repaired", icon="retry", tooltip="The first answer failed a check"))
    return tuple(chips)


def model_chip(model: ModelInfo | None, key: str) -> Chip | None:
    """The chip that names the model."""
    if model is None:
        return Chip("model", "No model", icon="model_local", tone=Tone.WARN, detail=key)
    return Chip("model", model.name, icon=MODEL_ICON.get(model.location, "model_server"), detail=key)


def short_count(count: int) -> str:
    """A number of tokens in few digits: `0.7k`."""
    return f"{count / 1000:.1f}k" if count >= 100 else str(count)


def seconds(value: float) -> str:
    """A time as `4.1 s`."""
    return f"{value:.1f} s"


def milliseconds(value: float) -> str:
    """A short time as `410 ms`, a longer one in seconds."""
    return f"{value * 1000:.0f} ms" if value < 1 else seconds(value)


def _placeholder(facts: BlockFacts) -> str:
    return (
        f"What should be written at {facts.place}?" if facts.is_insertion else f"What should change in {facts.place}?"
    )


def _icon(action: str, label: str, icon: str, key: str) -> PromptAction:
    return PromptAction(action, label, icon=icon, key=key, style=ActionStyle.ICON)


def _stop() -> PromptAction:
    tooltip = "What has arrived is kept"
    return PromptAction("stop", "Stop", icon="stop", key="Esc", style=ActionStyle.STOP, tooltip=tooltip)


def _retry(facts: BlockFacts) -> PromptAction:
    return PromptAction("retry", "Retry", icon="retry", key=facts.keys.retry)


def _accept_all(facts: BlockFacts) -> PromptAction:
    label = f"Accept all ({facts.open_hunks})"
    return PromptAction("accept_all", label, key=facts.keys.accept_all, style=ActionStyle.ACCEPT)


def _alternatives(facts: BlockFacts) -> tuple[PromptAction, ...]:
    place, total = facts.alternative
    if total < 2:
        return ()
    return (
        PromptAction("earlier", "Earlier", icon="earlier", key=facts.keys.earlier, style=ActionStyle.ICON),
        PromptAction("alternatives", f"{place}/{total}", style=ActionStyle.FLAT, enabled=False),
        PromptAction("later", "Later", icon="later", key=facts.keys.later, style=ActionStyle.ICON),
    )


def _rest(facts: BlockFacts, reached: int) -> str:
    if not facts.line_count or reached >= facts.line_count:
        return ""
    first, last = facts.first_line + reached, facts.first_line + facts.line_count - 1
    return f"line {first} stays as it is" if first == last else f"lines {first}–{last} stay as they are"


def _spent(facts: BlockFacts) -> str:
    numbers = facts.numbers
    if not facts.shows_numbers or not numbers.total:
        return ""
    cost = f"${numbers.cost:.4f}" if numbers.cost is not None else ""
    sent = f"{short_count(numbers.sent_tokens) if numbers.sent_tokens >= 1000 else numbers.sent_tokens} in"
    return _joined(sent, f"{numbers.received_tokens} out", seconds(numbers.total), cost)


def _hunks(count: int) -> str:
    return "1 hunk" if count == 1 else f"{count} hunks"


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
