"""What the prompt block shows in each state of an edit: facts in, a `PromptModel` out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from redraft.api.prompt_block import ActionStyle, Chip, PromptAction, PromptModel, Tone
from redraft_inline_edit.block.ended import answered, failed, incomplete, stopped, unchanged
from redraft_inline_edit.block.facts import BlockFacts
from redraft_inline_edit.block.parts import model_chip
from redraft_inline_edit.block.review import reviewing
from redraft_inline_edit.block.running import repairing, streaming, waiting
from redraft_inline_edit.block.words import short_count
from redraft_inline_edit.states import SessionState

READ_ONLY: Final = (
    Chip(
        "read_only",
        "Read-only: answer in a new tab",
        icon="problem",
        tone=Tone.WARN,
        tooltip="This file cannot be changed, so what the model writes will stand in a tab of its own.",
    ),
)


def prompt_model(facts: BlockFacts) -> PromptModel:
    """The block for some facts."""
    return BUILDERS[facts.state](facts)


def preparing(facts: BlockFacts) -> PromptModel:
    """The instruction is being written."""
    return PromptModel(
        words=facts.words,
        editable=True,
        placeholder=_placeholder(facts),
        note=f"~ {short_count(facts.tokens)} tokens" if facts.tokens and facts.shows_numbers else "",
        main=PromptAction("run", "Run", icon="send", key="Enter", style=ActionStyle.ICON),
        rows=facts.rows,
        current_row=facts.current_row,
        heading_action=f"{facts.keys.search} search" if facts.keys.search else "",
        chips=(
            *READ_ONLY[: facts.is_read_only],
            *facts.chips,
            Chip("add_context", "Context", icon="add", detail="@", tooltip="Add a file or symbol"),
        ),
        chips_in_footer=True,
        model=model_chip(facts.model, facts.keys.model),
    )


def closed(facts: BlockFacts) -> PromptModel:
    """All is decided or dropped."""
    return PromptModel(words=facts.words)


BUILDERS: Final[Mapping[SessionState, Callable[[BlockFacts], PromptModel]]] = {
    SessionState.PREPARING: preparing,
    SessionState.WAITING: waiting,
    SessionState.STREAMING: streaming,
    SessionState.REPAIRING: repairing,
    SessionState.REVIEWING: reviewing,
    SessionState.STOPPED: stopped,
    SessionState.INCOMPLETE: incomplete,
    SessionState.FAILED: failed,
    SessionState.UNCHANGED: unchanged,
    SessionState.ANSWERED: answered,
    SessionState.CLOSED: closed,
}


def _placeholder(facts: BlockFacts) -> str:
    return (
        f"What should be written at {facts.place}?" if facts.is_insertion else f"What should change in {facts.place}?"
    )
