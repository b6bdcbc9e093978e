"""What a session is about, and what it asks of whoever keeps the sessions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from redraft.api.inline_diff import DiffKeys, HunkState
from redraft.core.errors import RedraftError
from redraft.core.llm.client import ModelInfo
from redraft_inline_edit.applier import Applier
from redraft_inline_edit.block.facts import KeyLabels
from redraft_inline_edit.events import EditOutcome
from redraft_inline_edit.options import EditOptions
from redraft_inline_edit.presets.preset import Preset
from redraft_inline_edit.request import EditRequest, Target

if TYPE_CHECKING:
    from redraft_inline_edit.session.session import EditSession


class SessionOwner(Protocol):
    """Who keeps the sessions, and knows what they have in common."""

    def make_request(self, session: EditSession, words: str, *, is_question: bool) -> EditRequest:
        """The request for some words, with the text as it is now."""
        ...

    def model_for(self, preset: Preset | None) -> ModelInfo | None:
        """Whom to ask with a preset, or without one; `None` where no model is set up.

        Raises:
            ModelUnavailable: The preset names a model that is not there.
        """
        ...

    def embedded(self) -> ModelInfo | None:
        """The model on this machine, if it is here."""
        ...

    def refusal(self, session: EditSession, request: EditRequest) -> RedraftError | None:
        """Why a request may not go out, if so."""
        ...

    def options(self) -> EditOptions:
        """The user's options."""
        ...

    def applier(self, request: EditRequest) -> Applier | None:
        """Who merges an answer to a request that leaves out what stays, if anyone does."""
        ...

    def changed(self, session: EditSession) -> None:
        """Something about a session has changed."""
        ...

    def answered(self, session: EditSession, outcome: EditOutcome) -> bool:
        """An answer is whole; tell whether that was all, so that there is nothing to review."""
        ...

    def accepts_after(self, outcome: EditOutcome) -> float | None:
        """Seconds after which an answer is accepted by itself; `None` where the user decides."""
        ...

    def decided(self, session: EditSession, state: HunkState, remaining: int) -> None:
        """A hunk was decided."""
        ...

    def remember(self, words: str) -> None:
        """Put words that were run into the history."""
        ...

    def keys(self) -> KeyLabels:
        """Key labels of the block, as they are now."""
        ...

    def diff_keys(self) -> DiffKeys:
        """Key labels of the hunk buttons, as they are now."""
        ...

    def shows_numbers(self) -> bool:
        """Whether tokens and times are shown."""
        ...


@dataclass(frozen=True, slots=True)
class Subject:
    """What a session is about.

    Attributes:
        target: The whole lines that may change.
        rules: The project's rules.
    """

    target: Target
    rules: str = ""
