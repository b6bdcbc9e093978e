"""Did the prediction change the right places, and was the right code shown to the model?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from redraft.core.review.loose_patch import LooseHunk, read_hunks
from redraft.core.review.metrics.counts import Counts
from redraft.core.review.metrics.undo_ratio import without_project
from redraft.core.review.patch_lines import LineKind

NEAR_ROWS: Final = 20
"""Rows within which two places count as near."""


@dataclass(frozen=True, slots=True)
class Located:
    """Lines and files found, wrong and missed; here a rate is 1 where nothing was there to find."""

    lines: Counts
    files: Counts
    line_recall: float

    @property
    def line_precision(self) -> float:
        """The right share of the lines found."""
        return _rate(self.lines.true_positives, self.lines.false_positives)

    @property
    def line_f1(self) -> float:
        """Harmonic mean of the two rates of lines."""
        return _f1(self.line_precision, self.line_recall)

    @property
    def file_f1(self) -> float:
        """Harmonic mean of the two rates of files."""
        return _f1(self.file_precision, self.file_recall)

    @property
    def file_precision(self) -> float:
        """The right share of the files found."""
        return _rate(self.files.true_positives, self.files.false_positives)

    @property
    def file_recall(self) -> float:
        """The found share of the files."""
        return _rate(self.files.true_positives, self.files.false_negatives)

    def as_fields(self) -> dict[str, float]:
        """The numbers as they stand in a score."""
        return {
            "line_tp": self.lines.true_positives,
            "line_fp": self.lines.false_positives,
            "line_fn": self.lines.false_negatives,
            "line_precision": self.line_precision,
            "line_recall": self.line_recall,
            "line_f1": self.line_f1,
            "file_tp": self.files.true_positives,
            "file_fp": self.files.false_positives,
            "file_fn": self.files.false_negatives,
            "file_precision": self.file_precision,
            "file_recall": self.file_recall,
            "file_f1": self.file_f1,
        }


def anchor_rows(patch: str) -> dict[str, set[int]]:
    """For each file, the rows of the old text a patch is about.

    Each deleted row; for a group that only adds, the context row before it and the one after it, where there are.
    """
    anchors: dict[str, set[int]] = {}
    for hunk in read_hunks(patch):
        rows = _anchors(hunk)
        if rows:
            anchors.setdefault(hunk.path, set()).update(rows)
    return anchors


def jump_location(expected_patch: str, actual_patch: str) -> Located:
    """Whether the prediction edits near where it should: each expected row may be met once, within 20 rows."""
    expected, actual = anchor_rows(expected_patch), anchor_rows(actual_patch)
    renamed = {_known(path, expected): rows for path, rows in actual.items()}
    lines = Counts()
    for path in expected.keys() | renamed.keys():
        lines += _met(sorted(expected.get(path, ())), sorted(renamed.get(path, ())))
    recall = _rate(lines.true_positives, lines.false_negatives)
    return Located(lines, _compare_files(expected.keys(), renamed.keys()), recall)


def context_coverage(expected_patch: str, retrieved: Mapping[str, set[int]]) -> Located:
    """Whether the rows to be edited were among those the model was shown, within 20 rows."""
    expected = anchor_rows(expected_patch)
    shown = {_known(path, expected): rows for path, rows in retrieved.items() if rows}
    right = wrong = missed = 0
    for path in expected.keys() | shown.keys():
        anchors, rows = expected.get(path, set()), shown.get(path, set())
        near = sum(any(abs(row - anchor) <= NEAR_ROWS for anchor in anchors) for row in rows)
        right, wrong = right + near, wrong + len(rows) - near
        missed += len(anchors - rows)
    total = sum(map(len, expected.values()))
    recall = (total - missed) / total if total else 1.0
    return Located(Counts(right, wrong, missed), _compare_files(expected.keys(), shown.keys()), recall)


def _anchors(hunk: LooseHunk) -> set[int]:
    row = hunk.old_start or 0
    anchors: set[int] = set()
    lines = hunk.lines
    for index, line in enumerate(lines):
        if line.kind is LineKind.DELETED:
            anchors.add(row)
        elif line.kind is LineKind.ADDED and not _group_deletes(hunk, index):
            if index and lines[index - 1].kind is LineKind.CONTEXT:
                anchors.add(row - 1)
            if index + 1 < len(lines) and lines[index + 1].kind is LineKind.CONTEXT:
                anchors.add(row)
        row += line.kind is not LineKind.ADDED
    return anchors


def _group_deletes(hunk: LooseHunk, index: int) -> bool:
    start = end = index
    while start and hunk.lines[start - 1].is_change:
        start -= 1
    while end + 1 < len(hunk.lines) and hunk.lines[end + 1].is_change:
        end += 1
    return any(line.kind is LineKind.DELETED for line in hunk.lines[start : end + 1])


def _met(expected: list[int], actual: list[int]) -> Counts:
    left = list(expected)
    met = 0
    for row in actual:
        near = next((wanted for wanted in left if abs(row - wanted) <= NEAR_ROWS), None)
        if near is not None:
            left.remove(near)
            met += 1
    return Counts(met, len(actual) - met, len(left))


def _known(path: str, expected: Mapping[str, object]) -> str:
    """A path as the expected patch writes it; the project's folder may stand in front."""
    return without_project(path) if path not in expected and without_project(path) in expected else path


def _compare_files(expected: Iterable[str], actual: Iterable[str]) -> Counts:
    wanted, got = set(expected), set(actual)
    return Counts(len(wanted & got), len(got - wanted), len(wanted - got))


def _rate(right: int, other: int) -> float:
    return right / (right + other) if right + other else 1.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
