"""One example of edit prediction: what the user did, what was expected, what a model said, and how good that was.

One JSON object a line through every command. Fields that are not known here are kept. Offsets and lengths named
`offset`, `column` or `range` count UTF-8 bytes, rows count from 0, as other tools of the field write them.
"""

from __future__ import annotations

from math import isfinite
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)


def _none_as_empty(value: object) -> object:
    return "" if value is None else value


def _says(value: object) -> bool:
    return value is not None and not (isinstance(value, float) and not isfinite(value))


def _true_or_none(value: object) -> object:
    return value or None


class Record(BaseModel):
    """A JSON object that keeps what it does not know, and leaves out what says nothing."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)
    quiet: ClassVar[frozenset[str]] = frozenset()
    """Fields left out of the JSON while they are null or empty."""

    @model_serializer(mode="wrap")
    def _leave_out(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        return {name: value for name, value in data.items() if name not in self.quiet or value not in (None, [])}

    def to_json(self) -> str:
        """One line of JSON."""
        return self.model_dump_json()

    def changed(self, **fields: object) -> Self:
        """A copy with other fields."""
        return self.model_copy(update=fields)


class SeenFile(Record):
    """A file the user had open, and the byte where the caret stood."""

    quiet: ClassVar = frozenset({"cursor_position"})
    path: str
    cursor_position: int | None = None


class ByteRange(Record):
    """A half-open range."""

    start: int = 0
    end: int = 0


class BufferChange(Record):
    """One edit of the user's history: hunks of a diff without file header."""

    event: Literal["BufferChange"] = "BufferChange"
    path: str
    old_path: str = ""
    diff: str = ""
    old_range: ByteRange = Field(default_factory=ByteRange)
    new_range: ByteRange = Field(default_factory=ByteRange)
    predicted: bool = False
    in_open_source_repo: bool = False


class Excerpt(Record):
    """Rows of a related file; a smaller `order` matters more."""

    row_range: ByteRange
    text: str
    order: int = 0
    context_source: str = "lsp"


class RelatedFile(Record):
    """Code elsewhere that bears on the edit."""

    path: str
    max_row: int
    excerpts: list[Excerpt]
    in_open_source_repo: bool = False


class PromptInputs(Record):
    """What a prompt is made of: the file around the cursor, the history, and related code.

    `related_files` is null until context was looked for, and empty when nothing was found.
    """

    cursor_path: str
    cursor_excerpt: str
    cursor_offset_in_excerpt: int
    excerpt_start_row: int | None = None
    events: list[BufferChange] = Field(default_factory=list)
    related_files: list[RelatedFile] | None = None
    active_buffer_diagnostics: list[dict[str, Any]] = Field(default_factory=list)
    excerpt_ranges: dict[str, Any] = Field(default_factory=dict)
    syntax_ranges: list[tuple[int, int]] | None = None
    in_open_source_repo: bool = False
    can_collect_data: bool = False
    repo_url: str | None = None


class Prompt(Record):
    """The words for the model, and for whom they are."""

    quiet: ClassVar = frozenset({"expected_output", "rejected_output", "prefill"})
    input: str
    provider: str
    expected_output: str | None = None
    rejected_output: str | None = None
    prefill: str | None = None


class Cursor(Record):
    """Where a prediction leaves the caret."""

    quiet: ClassVar = frozenset({"editable_region_offset"})
    path: str
    row: int
    column: int
    offset: int
    editable_region_offset: int | None = None


class Prediction(Record):
    """What a model said. `actual_patch` is null if that could not be read, empty if it proposed no edit."""

    quiet: ClassVar = frozenset({"actual_patch", "actual_cursor", "error", "cumulative_logprob", "avg_logprob"})
    actual_patch: str | None = None
    actual_output: Annotated[str, BeforeValidator(_none_as_empty)] = ""
    actual_cursor: Cursor | None = None
    error: str | None = None
    provider: str
    cumulative_logprob: float | None = None
    avg_logprob: float | None = None


class QaResult(Record):
    """A judgement: whether the prediction undoes the user's work, and from 1 to 5 how surely it would be accepted."""

    quiet: ClassVar = frozenset({"reasoning", "reverts_edits", "confidence", "response", "error"})
    reasoning: str | None = None
    reverts_edits: bool | None = None
    confidence: int | None = None
    response: str | None = None
    error: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the judge said nothing that could be read: then it counts as no judgement."""
        return self.reverts_edits is None and self.confidence is None


class Score(Record):
    """Automatic metrics of one prediction against the best of the expected patches."""

    quiet: ClassVar = frozenset(
        {
            "cursor_distance",
            "cursor_exact_match",
            "kept_rate",
            "recall_rate",
            "kept_chars",
            "correctly_deleted_chars",
            "discarded_chars",
            "cumulative_logprob",
            "avg_logprob",
            "editable_context_coverage",
            "jump_location",
        }
    )

    @model_validator(mode="before")
    @classmethod
    def _without_gaps(cls, data: object) -> object:
        """A number that is null, or none at all (NaN), counts as not given."""
        if not isinstance(data, dict):
            return data
        return {name: value for name, value in data.items() if name not in cls.model_fields or _says(value)}

    delta_chr_f: float = 0.0
    delta_chr_f_true_positives: int = 0
    delta_chr_f_false_positives: int = 0
    delta_chr_f_false_negatives: int = 0
    delta_chr_f_precision: float = 0.0
    delta_chr_f_recall: float = 0.0
    delta_chr_f_beta: float = 0.0
    braces_disbalance: int = 0
    exact_lines_tp: int = 0
    exact_lines_fp: int = 0
    exact_lines_fn: int = 0
    reversal_ratio: float = 0.0
    cursor_distance: int | None = None
    cursor_exact_match: bool | None = None
    wrong_editable_region: bool | None = None
    has_isolated_whitespace_changes: bool = False
    inserted_tokens: int = 0
    deleted_tokens: int = 0
    kept_rate: float | None = None
    recall_rate: float | None = None
    kept_chars: int | None = None
    correctly_deleted_chars: int | None = None
    discarded_chars: int | None = None
    cumulative_logprob: float | None = None
    avg_logprob: float | None = None
    editable_context_coverage: dict[str, Any] | None = None
    jump_location: dict[str, Any] | None = None


class Example(Record):
    """A task for edit prediction, as a person wrote or recorded it, and what the pipeline has found so far.

    `expected_patches` are alternatives: the best one counts. `score` and `qa` run parallel to `predictions`.
    """

    quiet: ClassVar = frozenset(
        {
            "tags",
            "reasoning",
            "recently_opened_files",
            "recently_viewed_files",
            "uncommitted_diff_contains_edit_history",
            "rejected_patch",
            "telemetry",
            "human_feedback",
            "rating",
            "prompt_inputs",
            "prompt",
            "predictions",
            "score",
            "qa",
            "zed_version",
        }
    )
    name: str = ""
    repository_url: str
    revision: str
    tags: list[str] = Field(default_factory=list)
    reasoning: str | None = None
    uncommitted_diff: str = ""
    recently_opened_files: list[SeenFile] = Field(default_factory=list)
    recently_viewed_files: list[SeenFile] = Field(default_factory=list)
    uncommitted_diff_contains_edit_history: Annotated[bool | None, BeforeValidator(_true_or_none)] = None
    cursor_path: str
    cursor_position: str
    edit_history: str
    expected_patches: list[str]
    rejected_patch: str | None = None
    telemetry: dict[str, Any] | None = None
    human_feedback: list[dict[str, Any]] = Field(default_factory=list)
    rating: Literal["positive", "negative"] | None = None
    prompt_inputs: PromptInputs | None = None
    prompt: Prompt | None = None
    predictions: list[Prediction] = Field(default_factory=list)
    score: list[Score] = Field(default_factory=list)
    qa: list[QaResult | None] = Field(default_factory=list)
    zed_version: str | None = None

    @property
    def judgement(self) -> QaResult | None:
        """The judge's word on the first prediction, if it could be read."""
        first = self.qa[0] if self.qa else None
        return None if first is None or first.is_empty else first
