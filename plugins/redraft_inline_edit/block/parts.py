"""Buttons and chips that the prompt block shows in more than one state."""

from __future__ import annotations

from typing import Final

from redraft.api.prompt_block import ActionStyle, Chip, PromptAction, Tone
from redraft.core.llm.client import ModelInfo
from redraft_inline_edit.block.facts import BlockFacts

MODEL_ICON: Final = {"embedded": "model_local", "server": "model_server", "cloud": "model_cloud"}


def model_chip(model: ModelInfo | None, key: str) -> Chip | None:
    """The chip that names the model."""
    if model is None:
        return Chip("model", "No model", icon="model_local", tone=Tone.WARN, detail=key)
    return Chip("model", model.name, icon=MODEL_ICON.get(model.location, "model_server"), detail=key)


def icon_action(action: str, label: str, icon: str, key: str) -> PromptAction:
    """A button that is a picture only."""
    return PromptAction(action, label, icon=icon, key=key, style=ActionStyle.ICON)


def stop_action() -> PromptAction:
    """The button that stops the model."""
    tooltip = "What has arrived is kept"
    return PromptAction("stop", "Stop", icon="stop", key="Esc", style=ActionStyle.STOP, tooltip=tooltip)


def retry_action(facts: BlockFacts) -> PromptAction:
    """The button that asks again."""
    return PromptAction("retry", "Retry", icon="retry", key=facts.keys.retry)


def accept_all_action(facts: BlockFacts) -> PromptAction:
    """The button that accepts what is open, with its count; where all of that was put off, the way to decide it."""
    fitting = facts.open_hunks - facts.put_off
    if facts.put_off and not fitting:
        return PromptAction("three_way", "Compare three ways", style=ActionStyle.PRIMARY)
    label = f"Accept all ({fitting})"
    return PromptAction("accept_all", label, key=facts.keys.accept_all, style=ActionStyle.ACCEPT)


def alternatives(facts: BlockFacts) -> tuple[PromptAction, ...]:
    """The buttons that walk through several answers."""
    place, total = facts.alternative
    if total < 2:
        return ()
    return (
        PromptAction("earlier", "Earlier", icon="earlier", key=facts.keys.earlier, style=ActionStyle.ICON),
        PromptAction("alternatives", f"{place}/{total}", style=ActionStyle.FLAT, enabled=False),
        PromptAction("later", "Later", icon="later", key=facts.keys.later, style=ActionStyle.ICON),
    )
