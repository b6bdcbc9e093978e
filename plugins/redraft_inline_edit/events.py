"""What happens in the course of an edit, as plain values: the same for the window and the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from redraft.core.answer.pipeline import Note, NoteKind
from redraft.core.diff.hunks import DiffProgress
from redraft.core.errors import RedraftError
from redraft.core.llm.client import ModelInfo
from redraft.core.llm.messages import StopReason, Usage
from redraft.core.text import TextEdit, TextRange


class EditState(StrEnum):
    """How an edit ended."""

    COMPLETED = "completed"
    """There is a whole proposal."""
    UNCHANGED = "unchanged"
    """The model proposes no change."""
    ANSWERED = "answered"
    """A question was answered in words."""
    STOPPED = "stopped"
    """The user stopped it; what had arrived is a proposal, the rest stays as it is."""
    INCOMPLETE = "incomplete"
    """The answer was cut off; what had arrived is a proposal, the rest stays as it is."""
    FAILED = "failed"
    """No usable answer came; `error` says why."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What an edit took.

    Attributes:
        sent_tokens: Tokens sent, as counted by the server or else estimated.
        received_tokens: Tokens of the answer.
        cached_tokens: Tokens sent that the server did not read again.
        first_token: Seconds until the first piece of the answer, or `None` if none came.
        total: Seconds in all.
        cost: US dollars, where prices are known.
    """

    sent_tokens: int = 0
    received_tokens: int = 0
    cached_tokens: int = 0
    first_token: float | None = None
    total: float = 0.0
    cost: float | None = None

    @property
    def rate(self) -> float:
        """Tokens of the answer per second, 0 where it cannot be told."""
        spent = self.total - (self.first_token or 0.0)
        return self.received_tokens / spent if spent > 0 and self.received_tokens > 1 else 0.0

    def plus(self, more: Numbers) -> Numbers:
        """What both took, one after the other; the cost is known only where both are."""
        return Numbers(
            self.sent_tokens + more.sent_tokens,
            self.received_tokens + more.received_tokens,
            self.cached_tokens + more.cached_tokens,
            self.first_token,
            self.total + more.total,
            None if self.cost is None or more.cost is None else self.cost + more.cost,
        )


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """The end of an edit.

    Attributes:
        state: How it ended.
        lines: The range of the file it is about.
        original: The text there.
        proposed: The text that takes its place; the original where there is no proposal.
        progress: The differences, line by line.
        code: The code as it came, before file style and trimming; a repair or a continuation starts from it.
        words: What the model said besides code.
        thoughts: What it said while thinking.
        notes: What was done to the code, and what was found in it.
        syntax_error: Where the file would no longer parse, as `line 34: ...`.
        is_checked: Whether it was looked at how the file would parse; not so in a language nobody here knows.
        reason: Why the model stopped.
        error: What went wrong, if `state` is failed or incomplete.
        numbers: What it took.
        model: Who answered.
        repaired: Whether a second turn was needed.
        merged_by: The model that merged the answer into the text, where it left out what stays.
    """

    state: EditState
    lines: TextRange
    original: str
    proposed: str
    progress: DiffProgress
    code: str = ""
    words: str = ""
    thoughts: str = ""
    notes: tuple[Note, ...] = ()
    syntax_error: str = ""
    is_checked: bool = False
    reason: StopReason | None = None
    error: RedraftError | None = None
    numbers: Numbers = field(default_factory=Numbers)
    model: ModelInfo | None = None
    repaired: bool = False
    merged_by: ModelInfo | None = None

    @property
    def edit(self) -> TextEdit:
        """The proposal as an edit of the file."""
        return TextEdit(self.lines, self.proposed)

    @property
    def faults(self) -> int:
        """How many things speak against accepting it as it is."""
        notes = sum(note.blocks_accept or note.kind is NoteKind.PARTIAL for note in self.notes)
        return notes + bool(self.syntax_error)


@dataclass(frozen=True, slots=True)
class Prepared:
    """The request is complete and goes out."""

    tokens: int
    is_file_cut: bool
    cut_attachments: tuple[str, ...]
    model: ModelInfo


@dataclass(frozen=True, slots=True)
class Progressed:
    """More of the answer's code; `received` counts its tokens about."""

    progress: DiffProgress
    received: int


@dataclass(frozen=True, slots=True)
class Thought:
    """More of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """More of what the model says besides code."""

    text: str


@dataclass(frozen=True, slots=True)
class RetryAhead:
    """The server asks to wait."""

    attempt: int
    attempts: int
    delay: float
    reason: str


@dataclass(frozen=True, slots=True)
class Counted:
    """The server's own count of tokens."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class RepairStarted:
    """The first answer failed a check and goes back to the model; it stays the proposal until a better one is whole."""

    complaint: str
    first: EditOutcome


@dataclass(frozen=True, slots=True)
class MergeStarted:
    """The answer leaves out what stays, and goes to the model that merges it; `tokens` counts what is sent about."""

    model: ModelInfo
    tokens: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event."""

    outcome: EditOutcome


EditEvent = Prepared | Progressed | Thought | Said | RetryAhead | Counted | RepairStarted | MergeStarted | Finished
