"""How edits are made, as the user has set it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from redraft.api.services import SettingsView
from redraft_inline_edit.answer.response_tags import DEFAULT_TAGS, ResponseTags, read_tags
from redraft_inline_edit.applier import Applier
from redraft_inline_edit.context import Limits

PREFIX: Final = "inline_edit."
APPLY_MODEL: Final = "inline_edit.apply_model"
APPLY_LINES: Final = "inline_edit.apply_lines"
BY_MODEL: Final = "as the model does"


@dataclass(frozen=True, slots=True)
class EditOptions:
    """What holds for one edit.

    Attributes:
        limits: How much may be sent.
        temperature: Randomness of the answer; 0 gives the same answer again.
        repairs: How many times an answer that fails a check goes back to the model.
        effort: How long a model that reasons should do so; empty leaves it to the model.
        tags: The marks in the answer.
        applier: Who merges an answer that leaves out what stays, if anyone does.
        sketch_lines: Lines of a selection from which on the model may leave such lines out then; 0 never lets it.
    """

    limits: Limits = field(default_factory=Limits)
    temperature: float = 0.0
    repairs: int = 1
    effort: str = ""
    tags: ResponseTags = DEFAULT_TAGS
    applier: Applier | None = None
    sketch_lines: int = 0


DEFAULT_OPTIONS: Final = EditOptions()


def read_options(settings: SettingsView) -> EditOptions:
    """The options from the user's settings.

    Raises:
        ConfigError: A setting makes no sense; the message names it.
    """

    def get(name: str) -> int:
        return int(settings.get(PREFIX + name))

    limits = Limits(
        surrounding_tokens=get("surrounding_tokens"),
        attachment_tokens=get("attachment_tokens"),
        document_max_chars=get("document_max_chars"),
        max_files=get("max_files"),
        max_chars_per_file=get("max_chars_per_file"),
    )
    effort = settings.get(PREFIX + "effort")
    return EditOptions(
        limits,
        float(settings.get(PREFIX + "temperature")),
        get("repairs"),
        "" if effort == BY_MODEL else str(effort),
        read_tags(settings),
        sketch_lines=get("apply_lines") if settings.get(APPLY_MODEL) else 0,
    )
