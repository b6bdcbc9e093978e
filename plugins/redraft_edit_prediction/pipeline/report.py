"""Compares runs: before and after repair, how scores are distributed, and which examples went worst."""

from __future__ import annotations

import heapq
import html
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from rich.table import Table

from redraft.core.assets import assets_folder
from redraft.core.review.example import Example, Prediction, Score
from redraft.core.review.metrics.counts import Counts
from redraft.core.review.words import word_diff
from redraft_edit_prediction.pipeline.charts import Chart, Series, bar_chart, histogram
from redraft_edit_prediction.pipeline.providers import REPAIR

WORST: Final = 10
BEFORE, AFTER = "first prediction", "after repair"
_MARK: Final = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class WorstExample:
    """An example that went badly, ready to be shown."""

    name: str
    provider: str
    score: Score
    patch: Markup
    expected: Markup
    verdict: str
    error: str


@dataclass
class Column:
    """The scores of one kind of prediction."""

    title: str
    scores: int = 0
    lines: Counts = field(default_factory=Counts)
    delta_chr_f: array[float] = field(default_factory=lambda: array("d"))
    kept_rate: array[float] = field(default_factory=lambda: array("d"))
    recall_rate: array[float] = field(default_factory=lambda: array("d"))
    reversal_ratio: array[float] = field(default_factory=lambda: array("d"))
    tokens: array[int] = field(default_factory=lambda: array("q"))
    wrong_region: int = 0
    no_edits: int = 0
    unreadable: int = 0

    def add(self, score: Score, prediction: Prediction | None) -> None:
        """Count a score."""
        self.scores += 1
        self.lines += Counts(score.exact_lines_tp, score.exact_lines_fp, score.exact_lines_fn)
        for name in ("delta_chr_f", "kept_rate", "recall_rate", "reversal_ratio"):
            value = getattr(score, name)
            if value is not None:
                getattr(self, name).append(value)
        self.tokens.append(score.inserted_tokens + score.deleted_tokens)
        self.wrong_region += score.wrong_editable_region is True
        patch = prediction.actual_patch if prediction else None
        self.unreadable += patch is None
        self.no_edits += patch is not None and not patch.strip()

    @property
    def shares(self) -> list[tuple[str, float | None]]:
        """Its metrics as shares of 1, by title; the higher the better, except the last."""
        return [
            ("delta-chrF", _scaled(_mean(self.delta_chr_f), 0.01)),
            ("exact lines F1", self.lines.f1 if self.scores else None),
            ("kept rate", _mean(self.kept_rate)),
            ("recall rate", _mean(self.recall_rate)),
            ("reversal", _mean(self.reversal_ratio)),
        ]


@dataclass
class RunReport:
    """One run: a file of scored examples."""

    label: str
    examples: int = 0
    repaired: int = 0
    before: Column = field(default_factory=lambda: Column(BEFORE))
    after: Column = field(default_factory=lambda: Column(AFTER))
    confidences: dict[str, int] = field(default_factory=dict)
    reverting: int = 0
    _worst: list[tuple[float, int, WorstExample]] = field(default_factory=list)
    _ticket: Iterator[int] = field(default_factory=count)

    def add(self, example: Example) -> None:
        """Count an example; one without scores only counts as an example."""
        self.examples += 1
        judgement = example.judgement
        key = "none" if judgement is None or judgement.confidence is None else str(judgement.confidence)
        self.confidences[key] = self.confidences.get(key, 0) + 1
        self.reverting += judgement is not None and judgement.reverts_edits is True
        if not example.score:
            return
        self.before.add(example.score[0], _at(example.predictions, 0))
        best = final_index(example)
        self.repaired += best > 0
        self.after.add(example.score[best], _at(example.predictions, best))
        self._keep_worst(example, best)

    @property
    def columns(self) -> list[Column]:
        """What is compared: before and after repair, if anything was repaired."""
        return [self.before, self.after] if self.repaired else [self.before]

    @property
    def worst(self) -> list[WorstExample]:
        """The examples with the lowest delta-chrF, the worst first."""
        return [example for _, _, example in sorted(self._worst, key=lambda one: -one[0])]

    def _keep_worst(self, example: Example, index: int) -> None:
        badness = -example.score[index].delta_chr_f
        if len(self._worst) == WORST and badness <= self._worst[0][0]:
            return
        # The ticket keeps the heap from comparing examples; of equals the earlier one stays.
        item = (badness, -next(self._ticket), _worst(example, index))
        if len(self._worst) < WORST:
            heapq.heappush(self._worst, item)
        else:
            heapq.heapreplace(self._worst, item)


def final_index(example: Example) -> int:
    """Which prediction counts in the end: the first second try that could be read and was scored, else the first."""
    for index, prediction in enumerate(example.predictions[: len(example.score)]):
        if prediction.provider == REPAIR and prediction.actual_patch is not None:
            return index
    return 0


def table_of(runs: Sequence[RunReport]) -> Table:
    """The comparison as a table for the terminal."""
    table = Table("run", "", box=None, pad_edge=False)
    for title in ("examples", *(title for title, _ in Column("").shares), "no edits", "unreadable", "confidence"):
        table.add_column(title, justify="right")
    for run in runs:
        for column in run.columns:
            shares = [_percent(share) for _, share in column.shares]
            confidence = mean_confidence(run) if column is run.before else None
            table.add_row(
                run.label if column is run.before else "",
                column.title,
                str(column.scores),
                *shares,
                str(column.no_edits),
                str(column.unreadable),
                "-" if confidence is None else f"{confidence:.1f}",
            )
    return table


def render_page(runs: Sequence[RunReport], title: str = "Edit prediction") -> str:
    """The comparison as one HTML page that needs nothing else."""
    folder = assets_folder("resources") / "edit_prediction"
    environment = Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)
    environment.filters["percent"] = _percent
    template = environment.get_template("report.html.jinja")
    return template.render(title=title, runs=runs, charts=_charts(runs), confidence=mean_confidence)


def mean_confidence(run: RunReport) -> float | None:
    """The judge's mean confidence."""
    known = {int(key): number for key, number in run.confidences.items() if key != "none"}
    total = sum(known.values())
    return sum(key * number for key, number in known.items()) / total if total else None


def run_label(path: Path, labels: Iterable[str]) -> str:
    """A name for a run: its file's, with a number where two are alike."""
    taken = set(labels)
    stem = path.stem or "run"
    return next(name for number in count(1) if (name := stem if number == 1 else f"{stem} ({number})") not in taken)


def _charts(runs: Sequence[RunReport]) -> list[Chart]:
    columns = [(run, column) for run in runs for column in run.columns]
    names = [_series_name(run, column, runs) for run, column in columns]
    bars = [
        Series(name, [share for _, share in column.shares]) for name, (_, column) in zip(names, columns, strict=True)
    ]
    titles = [title for title, _ in Column("").shares]
    spread = [(name, list(column.delta_chr_f)) for name, (_, column) in zip(names, columns, strict=True)]
    sizes = [(name, [float(size) for size in column.tokens]) for name, (_, column) in zip(names, columns, strict=True)]
    keys = ["1", "2", "3", "4", "5", "none"]
    confident = [Series(run.label, [run.confidences.get(key, 0) for key in keys]) for run in runs]
    return [
        bar_chart("Metrics", titles, bars, top=1.0, is_share=True, note="higher is better, but for reversal"),
        histogram("Distribution of delta-chrF", spread, edges=list(range(0, 101, 10)), note="examples by score"),
        bar_chart("Confidence of the judge", keys, confident, note="examples by confidence; none: not judged"),
        histogram("Size of predictions", sizes, edges=[0, 1, 5, 10, 20, 50, 100, 200, 500], note="examples by tokens"),
    ]


def _series_name(run: RunReport, column: Column, runs: Sequence[RunReport]) -> str:
    return column.title if len(runs) == 1 else f"{run.label}, {column.title}"


def _worst(example: Example, index: int) -> WorstExample:
    prediction = _at(example.predictions, index)
    patch = prediction.actual_patch if prediction else None
    judgement = example.judgement if index == 0 else None
    return WorstExample(
        name=example.name,
        provider=prediction.provider if prediction else "no prediction",
        score=example.score[index],
        patch=marked_words(word_diff(patch or "")),
        expected=marked_words(word_diff(example.expected_patches[0] if example.expected_patches else "")),
        verdict=(judgement.reasoning or "") if judgement else "",
        error=(prediction.error or "") if prediction else "",
    )


def marked_words(words: str) -> Markup:
    """A word diff as HTML: what went and what came as `del` and `ins`, everything else escaped."""
    parts: list[str] = []
    done = 0
    for match in _MARK.finditer(words):
        parts.append(html.escape(words[done : match.start()]))
        tag, text = ("del", match[1]) if match[1] is not None else ("ins", match[2])
        parts.append(f"<{tag}>{html.escape(text)}</{tag}>")
        done = match.end()
    parts.append(html.escape(words[done:]))
    return Markup("".join(parts))  # noqa: S704 - every part is escaped above


def _at(predictions: Sequence[Prediction], index: int) -> Prediction | None:
    return predictions[index] if index < len(predictions) else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _percent(share: Any) -> str:
    return "-" if share is None else f"{share:.1%}"
