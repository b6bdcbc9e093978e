"""Scores predictions automatically: every metric, against the best of the expected patches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

from redraft.core.errors import AnswerError, PatchError, UsageError
from redraft.core.review.cursor_marks import take_patch_cursor
from redraft.core.review.example import Example, Prediction, PromptInputs, Score
from redraft.core.review.loose_patch import LooseHunk, apply_hunks_loosely, read_hunks
from redraft.core.review.metrics.chrf import BETA, delta_chrf
from redraft.core.review.metrics.counts import Counts
from redraft.core.review.metrics.kept_rate import kept_rate
from redraft.core.review.metrics.location import Located, context_coverage, jump_location
from redraft.core.review.metrics.patch_size import (
    braces_disbalance,
    changed_lines,
    count_token_changes,
    exact_lines,
)
from redraft.core.review.metrics.undo_ratio import reversal_ratio, without_project
from redraft.core.review.signals import has_isolated_whitespace_changes, is_wrong_editable_region
from redraft.core.review.teacher import REGION_START, USER_CURSOR, extract_region, parse_prediction

BYTES_PER_TOKEN: Final = 3
NOTHING_TO_COMPARE: Final = {"delta_chr_f": 0.0, "delta_chr_f_beta": BETA}
"""Where patches change nothing that was shown: no credit for texts that stayed the same."""


@dataclass(frozen=True, slots=True)
class Document:
    """Rows of a file that patches may touch."""

    path: str
    first_row: int
    text: str
    is_cursor_file: bool = False

    @property
    def end_row(self) -> int:
        """The row after its last one."""
        return self.first_row + self.text.count("\n") + (not self.text.endswith("\n"))


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the patches of an example are applied to, and what each leaves of it: found once for each patch."""

    inputs: PromptInputs
    documents: Sequence[Document]
    touched: Callable[[str], Mapping[int, str]]


def score_example(example: Example, *, context_bytes: int | None = None) -> list[Score]:
    """One score for each prediction; one for an absent patch where there is no prediction.

    Args:
        example: With `prompt_inputs`.
        context_bytes: How much related code counts as shown; no limit by default.

    Raises:
        UsageError: `prompt_inputs` are missing, or an expected patch does not fit the excerpt, where nothing else of
            the project is known that it could fit.
    """
    inputs = example.prompt_inputs
    if inputs is None:
        raise UsageError("prompt_inputs missing (run prediction first, or supply them)")
    documents = tuple(_documents(inputs, context_bytes))
    ground = _Ground(inputs, documents, cache(partial(_touched, documents)))
    expected = [take_patch_cursor(patch) for patch in example.expected_patches] or [("", None)]
    is_all = inputs.excerpt_start_row is None and len(documents) == 1
    for patch, _ in expected:
        if is_all and patch.strip() and not ground.touched(patch):
            raise UsageError(f"Expected patch did not apply for {example.name or 'an example without a name'}")
    predictions: Sequence[Prediction | None] = example.predictions or [None]
    return [_score(example, ground, expected, prediction) for prediction in predictions]


def _documents(inputs: PromptInputs, context_bytes: int | None) -> Iterable[Document]:
    # An excerpt that does not say where it begins is taken to be the file's start, so that it is scored at all.
    yield Document(inputs.cursor_path, inputs.excerpt_start_row or 0, inputs.cursor_excerpt, is_cursor_file=True)
    left = context_bytes
    for file in inputs.related_files or ():
        for excerpt in file.excerpts:
            if left is not None:
                left -= len(excerpt.text.encode())
                if left < 0:
                    return
            yield Document(without_project(file.path) or file.path, excerpt.row_range.start, excerpt.text)


def _score(
    example: Example,
    ground: _Ground,
    expected: Sequence[tuple[str, int | None]],
    prediction: Prediction | None,
) -> Score:
    patch = _patch_of(example, prediction)
    actual = patch or ""
    best = max((_compare(ground, wanted, actual) for wanted, _ in expected), key=_Comparison.rank)
    tokens = count_token_changes(actual)
    predicted_cursor = prediction.actual_cursor if prediction else None
    caret = predicted_cursor.editable_region_offset if predicted_cursor else None
    target = _expected_cursor(example, best.wanted, dict(expected)[best.wanted])
    return Score(
        **best.content,
        exact_lines_tp=best.lines.true_positives,
        exact_lines_fp=best.lines.false_positives,
        exact_lines_fn=best.lines.false_negatives,
        cursor_distance=abs(target - caret) if target is not None and caret is not None else None,
        cursor_exact_match=None if target is None and caret is None else target == caret,
        wrong_editable_region=None if patch is None else is_wrong_editable_region(patch),
        has_isolated_whitespace_changes=has_isolated_whitespace_changes(
            actual, predicted_cursor.row if predicted_cursor else None
        ),
        inserted_tokens=tokens.inserted,
        deleted_tokens=tokens.deleted,
        cumulative_logprob=prediction.cumulative_logprob if prediction else None,
        avg_logprob=prediction.avg_logprob if prediction else None,
        editable_context_coverage=_coverage(ground.documents, best.wanted).as_fields(),
        jump_location=best.location.as_fields(),
    )


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A prediction against one of the expected patches."""

    wanted: str
    content: dict[str, Any]
    lines: Counts
    location: Located

    def rank(self) -> tuple[float, float, float]:
        """The larger, the better the match."""
        return self.content["delta_chr_f"], self.lines.f1, self.location.line_f1


def _compare(ground: _Ground, wanted: str, actual: str) -> _Comparison:
    content = _content(ground, wanted, actual)
    return _Comparison(wanted, content, exact_lines(wanted, actual), jump_location(wanted, actual))


def _patch_of(example: Example, prediction: Prediction | None) -> str | None:
    if prediction is None or prediction.actual_patch is not None:
        return prediction.actual_patch if prediction else None
    try:
        return parse_prediction(example, prediction.actual_output).patch
    except AnswerError:
        return None


def _content(ground: _Ground, wanted: str, actual: str) -> dict[str, Any]:
    """Metrics of the text itself, over all documents that either patch touches."""
    inputs, documents = ground.inputs, ground.documents
    expected_texts, actual_texts = ground.touched(wanted), ground.touched(actual)
    touched = [index for index in range(len(documents)) if index in expected_texts or index in actual_texts]
    if not touched and (changed_lines(wanted) or changed_lines(actual)):
        return NOTHING_TO_COMPARE
    touched = touched or [0]
    original = "\n".join(documents[index].text for index in touched)
    expected = "\n".join(expected_texts.get(index, documents[index].text) for index in touched)
    predicted = "\n".join(actual_texts.get(index, documents[index].text) for index in touched)
    chrf = delta_chrf(original, expected, predicted)
    kept = kept_rate(original, predicted, expected)
    cursor_text = documents[0].text
    return {
        "delta_chr_f": chrf.score,
        "delta_chr_f_true_positives": chrf.true_positives,
        "delta_chr_f_false_positives": chrf.false_positives,
        "delta_chr_f_false_negatives": chrf.false_negatives,
        "delta_chr_f_precision": chrf.precision,
        "delta_chr_f_recall": chrf.recall,
        "delta_chr_f_beta": chrf.beta,
        "braces_disbalance": max(0, braces_disbalance(predicted) - braces_disbalance(original)),
        "reversal_ratio": reversal_ratio(
            inputs.events,
            cursor_path=inputs.cursor_path,
            current=cursor_text,
            predicted=actual_texts.get(0, cursor_text),
            excerpt_start_row=inputs.excerpt_start_row,
        ),
        "kept_rate": kept.kept_rate,
        "recall_rate": kept.recall_rate,
        "kept_chars": kept.kept,
        "correctly_deleted_chars": kept.correctly_deleted,
        "discarded_chars": kept.discarded,
    }


def _touched(documents: Sequence[Document], patch: str) -> dict[int, str]:
    """The new text of each document a patch changes; each hunk goes to the first document it fits."""
    hunks_of: dict[int, list[LooseHunk]] = {}
    for hunk in read_hunks(patch):
        if hunk.has_changes:
            index = next((i for i, document in enumerate(documents) if _fits(document, hunk)), None)
            if index is not None:
                hunks_of.setdefault(index, []).append(_relative(documents[index], hunk))
    return {
        index: apply_hunks_loosely(documents[index].text, hunks, skip_failing=True) for index, hunks in hunks_of.items()
    }


def _fits(document: Document, hunk: LooseHunk) -> bool:
    if document.path not in {hunk.path, without_project(hunk.path)}:
        return False
    try:
        apply_hunks_loosely(document.text, [_relative(document, hunk)])
    except PatchError:
        return False
    return True


def _relative(document: Document, hunk: LooseHunk) -> LooseHunk:
    """A hunk whose rows count within the document; rows outside the document's are taken to do so already."""
    start = hunk.old_start
    if start is None or not document.first_row <= start <= document.end_row:
        return hunk
    return LooseHunk(hunk.path, start - document.first_row, hunk.new_start, hunk.lines)


def _coverage(documents: Sequence[Document], wanted: str) -> Located:
    rows: dict[str, set[int]] = {}
    for document in documents[1:]:
        rows.setdefault(document.path, set()).update(range(document.first_row, document.end_row))
    return context_coverage(wanted, rows)


def _expected_cursor(example: Example, wanted: str, cursor: int | None) -> int | None:
    """Where the caret should be, in bytes from the start of the editable region, or of the patch if that is unknown."""
    if cursor is None or example.prompt is None or REGION_START not in example.prompt.input:
        return cursor
    region = extract_region(example.prompt.input).replace(USER_CURSOR, "")
    hunks = read_hunks(wanted)
    before = "\n".join(hunks[0].old_text) if hunks else ""
    at = region.find(before)
    return cursor + len(region[:at].encode()) if at >= 0 else cursor
