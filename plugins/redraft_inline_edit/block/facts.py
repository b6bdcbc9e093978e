"""All that the prompt block may show of an edit, as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field

from redraft.api.prompt_block import Chip, PaletteRow
from redraft.core.diff.hunks import DiffProgress
from redraft.core.llm.client import ModelInfo
from redraft_inline_edit.events import EditOutcome, Numbers, RetryAhead
from redraft_inline_edit.proposal.needed import Need
from redraft_inline_edit.states import SessionState


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
        is_read_only: Whether the file cannot be changed.
        is_insertion: Whether new lines are asked for.
        first_line: Number of the first line, from 1.
        line_count: How many lines the edit is about.
        tokens: About how many tokens are sent.
        rows: The palette.
        current_row: Which of them Enter takes.
        chips: What is sent.
        model: Whom it goes to.
        embedded: Name of the embedded model, where it is here and another one was asked.
        keys: Key labels.
        numbers: Time and tokens so far.
        thinking: Seconds the model has been thinking; 0 where it has not.
        retry: What the server asked for; with `retry_left`, the seconds until the next try.
        retry_left: Seconds until the next try.
        progress: The answer so far.
        merging: Name of the model that merges the answer into the text; empty while none does.
        complaint: What the first answer lacked.
        outcome: How it ended.
        open_hunks: Undecided hunks.
        counts: Lines added and removed by them.
        need: What has become of the imports the answer needs.
        went_round: Where the last step among the hunks led, if it went past the last or the first.
        alternative: Which answer is shown, from 1, of how many.
        hidden: Hidden characters in the proposal, in words.
        accepts_in: Seconds after which all is accepted by itself; 0 where the user decides.
        stale: Places, from 1, of the open hunks whose text was changed since.
        stale_from_disk: When that came from disk, as `"14:02:31"`; empty where the user changed it.
        put_off: How many of the open hunks the user keeps for later, because their text was changed.
        doubt: Why a key did not accept at once.
        shows_numbers: Whether times and tokens are wanted.
        answer: The model's own words.
    """

    state: SessionState
    words: str = ""
    place: str = ""
    is_read_only: bool = False
    is_insertion: bool = False
    first_line: int = 1
    line_count: int = 0
    tokens: int = 0
    rows: tuple[PaletteRow, ...] = ()
    current_row: str = ""
    chips: tuple[Chip, ...] = ()
    model: ModelInfo | None = None
    embedded: str = ""
    keys: KeyLabels = field(default_factory=KeyLabels)
    numbers: Numbers = field(default_factory=Numbers)
    thinking: float = 0.0
    retry: RetryAhead | None = None
    retry_left: float = 0.0
    progress: DiffProgress | None = None
    merging: str = ""
    complaint: str = ""
    outcome: EditOutcome | None = None
    open_hunks: int = 0
    counts: tuple[int, int] = (0, 0)
    need: Need = Need.OFF
    went_round: str = ""
    alternative: tuple[int, int] = (1, 1)
    hidden: str = ""
    stale: tuple[int, ...] = ()
    stale_from_disk: str = ""
    put_off: int = 0
    doubt: str = ""
    accepts_in: float = 0.0
    shows_numbers: bool = True
    answer: str = ""
