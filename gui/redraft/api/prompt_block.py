"""The prompt block in the text, as a value: a plugin describes it, the editor draws it.

It always has the same three parts (words and main button; a state; a footer). Icons are named by meaning, as in
the `[icon]` table of the theme tokens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from redraft.api.disposable import Disposable


class Tone(StrEnum):
    """What a colour says."""

    PLAIN = "plain"
    ACCENT = "accent"
    OK = "ok"
    WARN = "warn"
    ERROR = "error"


class ActionStyle(StrEnum):
    """How much weight a button has."""

    DEFAULT = "default"
    PRIMARY = "primary"
    ACCEPT = "accept"
    REJECT = "reject"
    STOP = "stop"
    FLAT = "flat"
    ICON = "icon"
    """Icon only; the label is its tooltip and accessible name."""


@dataclass(frozen=True, slots=True)
class PromptAction:
    """A button. Its `key` is a label from the key map, shown after its own; empty where no key is bound."""

    id: str
    label: str
    icon: str = ""
    key: str = ""
    style: ActionStyle = ActionStyle.DEFAULT
    tooltip: str = ""
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Chip:
    """A small fact: what is sent (with a count), or what a check found."""

    id: str
    label: str
    icon: str = ""
    detail: str = ""
    tone: Tone = Tone.PLAIN
    tooltip: str = ""
    removable: bool = False


@dataclass(frozen=True, slots=True)
class PaletteRow:
    """One row of the palette below the words.

    Attributes:
        id: Comes back in the events.
        title: `"/doc"`, or the words of an earlier instruction.
        detail: What it does, in one line.
        source: `"built-in"`, `"yours"`, `"project"`, a plugin's name, or the age of a history row.
        key: Label of its own key.
        section: Rows with the same section stand together under it as a heading; empty for the first rows.
        icon: Shown instead of a bold name: own words, history, file, symbol.
        actions: Small buttons at the right, `"edit"` and `"remove"`.
        matched: Code point indices of `title` that the typed text matched, drawn stronger.
    """

    id: str
    title: str
    detail: str = ""
    source: str = ""
    key: str = ""
    section: str = ""
    icon: str = ""
    actions: tuple[str, ...] = ()
    matched: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StateStrip:
    """What goes on, in one sentence: an icon, bold words, the rest in a quieter colour, and actions."""

    text: str
    detail: str = ""
    icon: str = ""
    tone: Tone = Tone.PLAIN
    busy: bool = False
    actions: tuple[PromptAction, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptModel:
    """All that a prompt block shows.

    Attributes:
        words: The instruction. While `editable`, it is put into the field only when it differs from what the last
            event reported, so that typing is never disturbed.
        editable: Whether the words are a field; else they are plain text.
        placeholder: Shown in the empty field.
        note: Right of the words, `"~ 0.7k tokens"`.
        main: The main button, right of the words.
        rows: The palette; empty hides it.
        current_row: Id of the highlighted row.
        heading_action: A label at the right of the last section's heading, `"Ctrl+R search"`.
        chips: Below the words (what is sent), or the findings of a review.
        chips_in_footer: Whether the chips stand in the footer, as under the palette.
        numbers: Right of the chips: tokens and time.
        strip: The state strip.
        refine: Placeholder of the field below the chips for a follow-up; `None` hides that field.
        model: The model chip; `None` hides it.
        progress: Part done, 0 to 1, as a line above the footer; `None` hides it.
        footer: Left of the footer, the first words in a stronger colour.
        footer_detail: After them.
        footer_note: At the right of the footer: times and rates.
        counts: Lines added and removed, drawn in their colours; `None` hides them.
        actions: Buttons at the right of the footer.
        answer: The model's own words, as plain text below the strip; empty hides it.
        name: Accessible name of the block.
    """

    words: str = ""
    editable: bool = False
    placeholder: str = ""
    note: str = ""
    main: PromptAction | None = None
    rows: tuple[PaletteRow, ...] = ()
    current_row: str = ""
    heading_action: str = ""
    chips: tuple[Chip, ...] = ()
    chips_in_footer: bool = False
    numbers: str = ""
    strip: StateStrip | None = None
    refine: str | None = None
    model: Chip | None = None
    progress: float | None = None
    footer: str = ""
    footer_detail: str = ""
    footer_note: str = ""
    counts: tuple[int, int] | None = None
    actions: tuple[PromptAction, ...] = field(default=())
    answer: str = ""
    name: str = "Inline edit"


@dataclass(frozen=True, slots=True)
class WordsChanged:
    """The user typed in the field (the words, or the refine field where that is shown)."""

    text: str
    caret: int


@dataclass(frozen=True, slots=True)
class Submitted:
    """Enter in a field, outside an input-method composition."""

    text: str


@dataclass(frozen=True, slots=True)
class RowChosen:
    """A palette row was clicked, or Enter was pressed with it current; `action` is `""`, `"edit"` or `"remove"`."""

    row_id: str
    action: str = ""


@dataclass(frozen=True, slots=True)
class RowCompleted:
    """Tab was pressed with a row current."""

    row_id: str


@dataclass(frozen=True, slots=True)
class RowMoved:
    """Up or Down was pressed; `step` is -1 or 1, `at_edge` tells that the caret is on the first or last text row."""

    step: int
    at_edge: bool


@dataclass(frozen=True, slots=True)
class ActionTriggered:
    """A button or the model chip (`"model"`) was pressed."""

    action_id: str


@dataclass(frozen=True, slots=True)
class ChipRemoved:
    """The cross of a chip was pressed."""

    chip_id: str


@dataclass(frozen=True, slots=True)
class Escaped:
    """Esc was pressed in the block."""


@dataclass(frozen=True, slots=True)
class PromptClosed:
    """The block is gone with its tab."""


PromptEvent = (
    WordsChanged
    | Submitted
    | RowChosen
    | RowCompleted
    | RowMoved
    | ActionTriggered
    | ChipRemoved
    | Escaped
    | PromptClosed
)


class PromptHandle(Disposable, Protocol):
    """A prompt block on screen."""

    def update(self, model: PromptModel) -> None:
        """Show another model; focus and caret stay where they are."""
        ...

    def focus(self) -> None:
        """Give the field the keyboard; while a field is shown, its text is selected if it was not just typed."""
        ...

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is in the block."""
        ...
