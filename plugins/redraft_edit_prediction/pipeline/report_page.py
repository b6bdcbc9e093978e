"""The report as one HTML page that needs nothing else: a table, plots, and the worst examples as word diffs."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from redraft.core.assets import assets_folder
from redraft.core.review.edit_order import count_edits, extract_edits
from redraft.core.review.example import Prediction
from redraft.core.review.words import word_diff
from redraft_edit_prediction.pipeline.charts import Chart, Series, bar_chart, histogram
from redraft_edit_prediction.pipeline.report import Column, RunReport, Shown, mean_confidence, percent, prediction_at

WORDS_SHOWN: Final = 2000
"""Characters of an answer that could not be read: enough to see why."""
CONFIDENCES: Final = ("1", "2", "3", "4", "5", "none")
SIZES: Final = (0, 1, 5, 10, 20, 50, 100, 200)
_MARK: Final = re.compile(
    r"\[-(?P<del>.*?)-\] | \{\+(?P<ins>.*?)\+\} | ^(?P<i>(?:---|\+\+\+|@@)[^\n]*)",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Pane:
    """One text of a card, under its title."""

    title: str
    text: Markup


@dataclass(frozen=True, slots=True)
class Card:
    """An example, ready to be shown."""

    name: str
    provider: str
    score: float
    gain: float
    panes: Sequence[Pane]
    verdict: str
    error: str


def render_page(runs: Sequence[RunReport], title: str = "Edit prediction") -> str:
    """The comparison as a page."""
    folder = assets_folder("resources") / "edit_prediction"
    environment = Environment(loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined)
    environment.filters["percent"] = percent
    template = environment.get_template("report.html.jinja")
    return template.render(title=title, runs=runs, charts=charts_of(runs), card_of=card_of, confidence=mean_confidence)


def card_of(shown: Shown) -> Card:
    """An example with the prediction that counts, the one before it was repaired, and what was expected."""
    example, index = shown.example, shown.index
    prediction = prediction_at(example, index)
    panes = [Pane("predicted" if index == 0 else "after repair", _shown(prediction))]
    if index > 0:
        panes.insert(0, Pane("first prediction", _shown(prediction_at(example, 0))))
    wanted = example.expected_patches[0] if example.expected_patches else ""
    panes.append(Pane("expected", _diff(wanted)))
    judgement = example.judgement
    return Card(
        name=example.name,
        provider=prediction.provider if prediction else "no prediction",
        score=shown.score,
        gain=shown.gain,
        panes=panes,
        verdict=(judgement.reasoning or "") if judgement else "",
        error=(prediction.error or "") if prediction else "",
    )


def _shown(prediction: Prediction | None) -> Markup:
    if prediction is None:
        return Markup("<i>(no prediction)</i>")
    if prediction.actual_patch is None:
        words = prediction.actual_output
        return Markup(html.escape(words[:WORDS_SHOWN] + ("…" if len(words) > WORDS_SHOWN else "")))  # noqa: S704 - escaped
    return _diff(prediction.actual_patch)


def _diff(patch: str) -> Markup:
    """The changes with three lines around them: predictions come as one hunk of the whole region."""
    edits = set(range(count_edits(patch)))
    return marked_words(word_diff(extract_edits(patch, edits)[0])) if edits else Markup("<i>(no edit)</i>")


def marked_words(words: str) -> Markup:
    """A word diff as HTML: `del` went, `ins` came, `i` tells file and place; everything is escaped."""
    parts: list[str] = []
    done = 0
    for match in _MARK.finditer(words):
        parts.append(html.escape(words[done : match.start()]))
        tag = match.lastgroup or ""
        parts.append(f"<{tag}>{html.escape(match[tag])}</{tag}>")
        done = match.end()
    parts.append(html.escape(words[done:]))
    return Markup("".join(parts))  # noqa: S704 - every part is escaped above


def charts_of(runs: Sequence[RunReport]) -> list[Chart]:
    """What the numbers look like: the metrics, how they spread, what the judge said, how large the edits are."""
    columns = [(_series_name(run, column, runs), column) for run in runs for column in run.columns]
    titles = [title for title, _ in Column("").shares]
    shares = [Series(name, [share for _, share in column.shares]) for name, column in columns]
    spread = [(name, list(column.delta_chr_f)) for name, column in columns]
    sizes = [(name, [float(size) for size in column.tokens]) for name, column in columns]
    judged = [Series(run.label, [run.confidences.get(key, 0) for key in CONFIDENCES]) for run in runs]
    return [
        bar_chart("Metrics", titles, shares, top=1.0, is_share=True, note="Higher is better, but for reversal."),
        histogram("Distribution of delta-chrF", spread, edges=range(0, 101, 10), note="Examples by their score."),
        bar_chart("Confidence of the judge", CONFIDENCES, judged, note="Examples by confidence, 5 is surely accepted."),
        histogram(
            "Size of predictions", sizes, edges=SIZES, is_open=True, note="Examples by tokens deleted and inserted."
        ),
    ]


def _series_name(run: RunReport, column: Column, runs: Sequence[RunReport]) -> str:
    return column.title if len(runs) == 1 else f"{run.label}, {column.title}"
