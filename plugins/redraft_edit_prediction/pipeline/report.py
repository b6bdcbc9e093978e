"""Compares runs: before and after repair, how scores are distributed, and which examples went worst."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from redraft.core.review.example import Example, Prediction, Score
from redraft.core.review.metrics.counts import Counts
from redraft.core.wording import count_words
from redraft_edit_prediction.pipeline.providers import REPAIR

WORST: Final = 10
MOVED: Final = 5
BEFORE, AFTER = "first prediction", "after repair"
PERFECT: Final = 99.995
"""A score that is shown as 100."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An example worth showing, and the place of the prediction that counts."""

    example: Example
    index: int

    @property
    def score(self) -> float:
        """Its delta-chrF in the end."""
        return self.example.score[self.index].delta_chr_f

    @property
    def gain(self) -> float:
        """How much a second try has brought."""
        return self.score - self.example.score[0].delta_chr_f


class Top:
    """The few with the highest rank; of equals the earlier one stays."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._ticket = count()
        self._heap: list[tuple[float, int, Shown]] = []

    def add(self, rank: float, shown: Shown) -> None:
        """Take one in, if it ranks high enough."""
        # The ticket keeps the heap from comparing examples.
        item = (rank, -next(self._ticket), shown)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, item)
        else:
            heapq.heappushpop(self._heap, item)

    def __iter__(self) -> Iterator[Shown]:
        """The highest first."""
        return (shown for _, _, shown in sorted(self._heap, key=lambda item: item[:2], reverse=True))


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
    better: int = 0
    """Of those that were repaired: with a higher delta-chrF than before."""
    worse: int = 0
    before: Column = field(default_factory=lambda: Column(BEFORE))
    after: Column = field(default_factory=lambda: Column(AFTER))
    confidences: dict[str, int] = field(default_factory=dict)
    reverting: int = 0
    worst: Top = field(default_factory=lambda: Top(WORST))
    """The examples with the lowest delta-chrF."""
    moved: Top = field(default_factory=lambda: Top(MOVED))
    """The examples whose delta-chrF a second try changed most."""

    def add(self, example: Example) -> None:
        """Count an example; one without scores only counts as an example."""
        self.examples += 1
        judgement = example.judgement
        key = "none" if judgement is None or judgement.confidence is None else str(judgement.confidence)
        self.confidences[key] = self.confidences.get(key, 0) + 1
        self.reverting += judgement is not None and judgement.reverts_edits is True
        if not example.score:
            return
        self.before.add(example.score[0], prediction_at(example, 0))
        best = final_index(example)
        shown = Shown(example.changed(prompt=None, prompt_inputs=None), best)
        if shown.score < PERFECT:
            self.worst.add(-shown.score, shown)
        if best > 0:
            gain = example.score[best].delta_chr_f - example.score[0].delta_chr_f
            self.repaired += 1
            self.better += gain > 0
            self.worse += gain < 0
            if gain:
                self.moved.add(abs(gain), shown)
        self.after.add(example.score[best], prediction_at(example, best))

    @property
    def columns(self) -> list[Column]:
        """What is compared: before and after repair, if anything was repaired."""
        return [self.before, self.after] if self.repaired else [self.before]

    @property
    def words(self) -> str:
        """The run in a sentence."""
        examples = count_words(self.examples, "example")
        if not self.repaired:
            return f"{examples}, none repaired"
        same = self.repaired - self.better - self.worse
        return f"{examples}, {self.repaired} repaired: {self.better} better, {same} as good, {self.worse} worse"


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
            shares = [percent(share) for _, share in column.shares]
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


def prediction_at(example: Example, index: int) -> Prediction | None:
    """One of the predictions, if there are so many."""
    return example.predictions[index] if index < len(example.predictions) else None


def percent(share: Any) -> str:
    """A share of 1 in words."""
    return "-" if share is None else f"{share:.1%}"


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
