"""Sums and means over scores, collected example by example so that no example is held."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Final

from redraft.core.review.example import Example, QaResult, Score
from redraft.core.review.metrics.counts import Counts
from redraft_edit_prediction.pipeline.score import only_sources

PERCENTILES: Final = (25, 50, 75, 90, 99)


class Mean:
    """A mean over what there is; `None` over nothing."""

    def __init__(self) -> None:
        self.sum = 0.0
        self.count = 0

    def add(self, value: float | None) -> None:
        """Take one more value; `None` does not count."""
        if value is not None:
            self.sum += value
            self.count += 1

    @property
    def value(self) -> float | None:
        """The mean."""
        return self.sum / self.count if self.count else None


@dataclass
class Summary:
    """Everything the evaluation says about a dataset.

    Attributes:
        sources: Related excerpts found in other ways do not count.
        context_bytes: How much related code counts as shown.
    """

    sources: frozenset[str] | None = None
    context_bytes: int | None = None
    scores: int = 0
    beta: float = 0.0
    sums: dict[str, int] = field(default_factory=dict)
    means: dict[str, Mean] = field(default_factory=dict)
    located: dict[str, Mean] = field(default_factory=dict)
    context_sizes: list[int] = field(default_factory=list)
    tokens: dict[str, list[int]] = field(default_factory=dict)

    def add(self, example: Example) -> None:
        """Count an example."""
        inputs = example.prompt_inputs
        if inputs is not None and inputs.related_files is not None:
            counted = inputs if self.sources is None else only_sources(inputs, self.sources)
            size = sum(len(excerpt.text.encode()) for file in counted.related_files or () for excerpt in file.excerpts)
            self.context_sizes.append(size if self.context_bytes is None else min(size, self.context_bytes))
        for index, score in enumerate(example.score):
            judgement = example.qa[index] if index < len(example.qa) else None
            patch = example.predictions[index].actual_patch if index < len(example.predictions) else None
            self._add(score, judgement, has_patch=bool(patch))

    def _add(self, score: Score, judgement: QaResult | None, *, has_patch: bool) -> None:
        self.scores += 1
        self.beta = score.delta_chr_f_beta
        for name in _SUMMED:
            self.sums[name] = self.sums.get(name, 0) + (getattr(score, name) or 0)
        for name in _AVERAGED:
            self._mean(name).add(getattr(score, name))
        self._mean("has_isolated_whitespace_changes").add(float(score.has_isolated_whitespace_changes))
        self._mean("reverts_edits").add(None if judgement is None else _number(judgement.reverts_edits))
        self._mean("confidence").add(None if judgement is None else judgement.confidence)
        for name, found in (
            ("editable_context", score.editable_context_coverage),
            ("jump_location", score.jump_location),
        ):
            for key, value in (found or {}).items():
                if isinstance(value, int | float):
                    self.located.setdefault(f"{name}_{key}", Mean()).add(value)
        if has_patch:
            self.tokens.setdefault("inserted", []).append(score.inserted_tokens)
            self.tokens.setdefault("deleted", []).append(score.deleted_tokens)
            self.tokens.setdefault("total", []).append(score.inserted_tokens + score.deleted_tokens)

    def _mean(self, name: str) -> Mean:
        return self.means.setdefault(name, Mean())

    def mean(self, name: str) -> float | None:
        """The mean of a field of the scores."""
        return self.means[name].value if name in self.means else None

    def exact_lines(self) -> Counts:
        """The pooled exact lines: their rates are micro-averaged."""
        return Counts(*(self.sums.get(f"exact_lines_{name}", 0) for name in ("tp", "fp", "fn")))

    def percentiles(self, kind: str) -> dict[str, int]:
        """Percentiles of token counts: `inserted`, `deleted` or `total`; the nearest value, halves upwards."""
        values = sorted(self.tokens.get(kind, ()))
        if not values:
            return {}
        return {f"p{p}": values[(p * (len(values) - 1) + 50) // 100] for p in PERCENTILES}

    def as_json(self) -> str:
        """The summary for machines; what does not apply is left out."""
        fields = self.as_fields()
        kept = {name: value for name, value in fields.items() if value is not None or name in _WRITTEN_AS_NULL}
        return json.dumps(kept, indent=2) + "\n"

    def as_fields(self) -> dict[str, Any]:
        """The summary by the names of its JSON form."""
        lines = self.exact_lines()
        matches, tried = self._mean("cursor_exact_match"), self._mean("cursor_exact_match").count
        whitespace = self._mean("has_isolated_whitespace_changes")
        return {
            "total_examples": self.scores,
            "avg_delta_chr_f": self.mean("delta_chr_f") or 0.0,
            "delta_chr_f_beta": self.beta,
            **{f"delta_chr_f_{name}": self.sums.get(f"delta_chr_f_{name}", 0) for name in _COUNTED},
            "delta_chr_f_precision": self.mean("delta_chr_f_precision") or 0.0,
            "delta_chr_f_recall": self.mean("delta_chr_f_recall") or 0.0,
            "avg_braces_disbalance": self.mean("braces_disbalance") or 0.0,
            "exact_lines_true_positives": lines.true_positives,
            "exact_lines_false_positives": lines.false_positives,
            "exact_lines_false_negatives": lines.false_negatives,
            "exact_lines_precision": lines.precision,
            "exact_lines_recall": lines.recall,
            "exact_lines_f1": lines.f1,
            "avg_reversal_ratio": self.mean("reversal_ratio") or 0.0,
            "qa_avg_reverts_edits": self.mean("reverts_edits"),
            "qa_avg_confidence": self.mean("confidence"),
            "cursor_exact_match_rate": matches.value,
            "cursor_exact_matches": int(matches.sum) if tried else None,
            "cursor_avg_distance": self.mean("cursor_distance"),
            "cursor_total_evaluated": tried or None,
            "wrong_editable_region_rate": self.mean("wrong_editable_region"),
            "isolated_whitespace_rate": whitespace.value,
            "isolated_whitespace_count": int(whitespace.sum),
            "avg_kept_rate": self.mean("kept_rate"),
            "kept_rate_examples": self._mean("kept_rate").count or None,
            "avg_recall_rate": self.mean("recall_rate"),
            "recall_rate_examples": self._mean("recall_rate").count or None,
            "total_kept_chars": self.sums.get("kept_chars", 0),
            "total_correctly_deleted_chars": self.sums.get("correctly_deleted_chars", 0),
            "total_discarded_chars": self.sums.get("discarded_chars", 0),
            **self._located_fields(),
            "avg_retrieved_context_bytes": fmean(self.context_sizes) if self.context_sizes else None,
            "total_retrieved_context_bytes": sum(self.context_sizes) if self.context_sizes else None,
            "retrieved_context_examples": len(self.context_sizes) or None,
        }

    def _located_fields(self) -> dict[str, Any]:
        """Means of rates over examples, and pooled counts, of lines and of files."""
        fields: dict[str, Any] = {}
        for name, mean in self.located.items():
            fields[name] = int(mean.sum) if name.endswith(("_tp", "_fp", "_fn")) else mean.value
        return fields


def _number(value: bool | None) -> float | None:  # noqa: FBT001 - a truth value becomes a number
    return None if value is None else float(value)


_COUNTED: Final = ("true_positives", "false_positives", "false_negatives")
_SUMMED: Final = (
    *(f"delta_chr_f_{name}" for name in _COUNTED),
    "exact_lines_tp",
    "exact_lines_fp",
    "exact_lines_fn",
    "kept_chars",
    "correctly_deleted_chars",
    "discarded_chars",
)
_AVERAGED: Final = (
    "delta_chr_f",
    "delta_chr_f_precision",
    "delta_chr_f_recall",
    "braces_disbalance",
    "reversal_ratio",
    "cursor_distance",
    "cursor_exact_match",
    "wrong_editable_region",
    "kept_rate",
    "recall_rate",
)
_WRITTEN_AS_NULL: Final = frozenset({"isolated_whitespace_rate"})
