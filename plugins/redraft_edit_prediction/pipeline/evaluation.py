"""The evaluation on standard output: a table of examples, and lines of totals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from redraft.core.review.example import Example, QaResult, Score
from redraft.core.review.metrics.counts import Counts
from redraft_edit_prediction.pipeline.summary import Summary

NAME_WIDTH: Final = 40
SHOWN_ROWS: Final = 20
SEPARATOR: Final = "─" * 101


@dataclass
class Evaluation:
    """Collects rows and totals.

    Attributes:
        summary: The totals.
        shows_all: Whether all rows are printed; the first twenty otherwise.
    """

    summary: Summary = field(default_factory=Summary)
    shows_all: bool = False
    rows: list[str] = field(default_factory=list)

    def add(self, example: Example) -> None:
        """Count an example."""
        self.summary.add(example)
        for index, score in enumerate(example.score):
            if self.shows_all or len(self.rows) < SHOWN_ROWS:
                judgement = example.qa[index] if index < len(example.qa) else None
                self.rows.append(_row(example.name, score, judgement))

    def __str__(self) -> str:
        hidden = self.summary.scores - len(self.rows)
        more = [f"... and {hidden} more"] if hidden else []
        return "\n".join([_HEADER, SEPARATOR, *self.rows, *more, SEPARATOR, self._average(), "", *self._lines()])

    def _average(self) -> str:
        summary = self.summary
        values = summary.as_fields()
        reverts, confidence = values["qa_avg_reverts_edits"], values["qa_avg_confidence"]
        return _columns(
            "TOTAL / AVERAGE",
            f"{values['avg_delta_chr_f']:.2f}",
            f"{values['avg_braces_disbalance']:.1f}",
            f"{100 * values['exact_lines_f1']:.1f}",
            f"{100 * values['avg_reversal_ratio']:.1f}",
            "-" if reverts is None else f"{100 * reverts:.0f}%",
            "-" if confidence is None else f"{confidence:.1f}",
            _percent(values["cursor_exact_match_rate"], digits=0),
            _percent(values["wrong_editable_region_rate"], digits=0),
        )

    def _lines(self) -> Iterator[str]:
        values = self.summary.as_fields()
        yield (
            f"Delta chrF (β={values['delta_chr_f_beta']:.1f}): TP={values['delta_chr_f_true_positives']}, "
            f"FP={values['delta_chr_f_false_positives']}, FN={values['delta_chr_f_false_negatives']}, "
            f"P={values['delta_chr_f_precision']:.1%}, R={values['delta_chr_f_recall']:.1%}"
        )
        if values["cursor_total_evaluated"]:
            distance = values["cursor_avg_distance"]
            mean = "" if distance is None else f", mean distance {distance:.1f} bytes"
            yield f"Cursor: {values['cursor_exact_matches']}/{values['cursor_total_evaluated']} exact{mean}"
        yield (
            f"Isolated whitespace changes: {values['isolated_whitespace_count']}/{values['total_examples']} "
            f"({_percent(values['isolated_whitespace_rate'])})"
        )
        if values["avg_kept_rate"] is not None:
            yield (
                f"Kept rate: {values['avg_kept_rate']:.1%} (kept {values['total_kept_chars']}, correctly deleted "
                f"{values['total_correctly_deleted_chars']}, discarded {values['total_discarded_chars']} bytes)"
            )
        if values["avg_recall_rate"] is not None:
            yield f"Recall rate: {values['avg_recall_rate']:.1%}"
        if values["retrieved_context_examples"]:
            yield (
                f"Retrieved context: {values['avg_retrieved_context_bytes']:.0f} bytes on average, "
                f"{values['total_retrieved_context_bytes']} in all ({values['retrieved_context_examples']} examples)"
            )
        yield from self._located(values)
        for kind in ("inserted", "deleted", "total"):
            found = self.summary.percentiles(kind)
            if found:
                yield f"{kind.title()} tokens: " + ", ".join(f"{name} {value}" for name, value in found.items())

    def _located(self, values: dict[str, float]) -> Iterator[str]:
        for title, prefix in (("Context", "editable_context"), ("Jumps", "jump_location")):
            rates = [values.get(f"{prefix}_line_{rate}") for rate in ("precision", "recall", "f1")]
            precision, recall, f1 = rates
            if precision is not None and recall is not None and f1 is not None:
                yield f"{title} lines: P={precision:.1%}, R={recall:.1%}, F1={f1:.1%}"


def _row(name: str, score: Score, judgement: QaResult | None) -> str:
    lines = Counts(score.exact_lines_tp, score.exact_lines_fp, score.exact_lines_fn)
    reverts = None if judgement is None else judgement.reverts_edits
    confidence = None if judgement is None else judgement.confidence
    return _columns(
        name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 3]}...",
        f"{score.delta_chr_f:.2f}",
        str(score.braces_disbalance),
        f"{100 * lines.f1:.1f}",
        f"{100 * score.reversal_ratio:.1f}",
        {True: "yes", False: "no", None: "-"}[reverts],
        "-" if confidence is None else str(confidence),
        _cursor(score),
        "✗" if score.wrong_editable_region else "",
    )


def _cursor(score: Score) -> str:
    if score.cursor_exact_match is None:
        return "-"
    if score.cursor_exact_match:
        return "✓"
    return "✗" if score.cursor_distance is None else f"±{score.cursor_distance}"


def _percent(share: float | None, digits: int = 1) -> str:
    return "-" if share is None else f"{share:.{digits}%}"


def _columns(name: str, *cells: str) -> str:
    widths = (10, 6, 8, 8, 7, 7, 7, 6)
    return f"{name:<{NAME_WIDTH}} " + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


_HEADER: Final = _columns("Example", "DeltaChrF", "Brace", "F1", "Revert", "QaRev", "QaConf", "Cursor", "WrgER")
