"""Bar charts as plain numbers, which a template draws as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

WIDTH: Final = 560
HEIGHT: Final = 218
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 18, 28
WIDEST: Final = 34.0
LABELLED: Final = 28.0
"""Bars as wide as this have their value written above them."""


@dataclass(frozen=True, slots=True)
class Series:
    """One colour of a chart: a value for each group, or `None` where there is none."""

    name: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar in the drawing's units, what it says, and its value where there is room to write it above."""

    x: float
    y: float
    width: float
    height: float
    series: int
    words: str
    label: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark at an axis."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, laid out."""

    title: str
    note: str
    bars: Sequence[Bar]
    rows: Sequence[Tick]
    groups: Sequence[Tick]
    legend: Sequence[str]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    bottom: int = BOTTOM


def bar_chart(
    title: str,
    groups: Sequence[str],
    series: Sequence[Series],
    *,
    top: float | None = None,
    is_share: bool = False,
    note: str = "",
) -> Chart:
    """Groups of bars side by side, one of each series; `top` is the scale's end, found by itself otherwise."""
    values = [value for one in series for value in one.values if value is not None]
    step = _step(max(values, default=0.0)) if top is None else top / 4
    end = top if top is not None else step * max(1, math.ceil(max(values, default=0.0) / step))
    space = (WIDTH - LEFT - RIGHT) / max(1, len(groups))
    bar_width = min(WIDEST, 0.8 * space / max(1, len(series)))
    high = HEIGHT - TOP - BOTTOM
    bars = []
    for index, one in enumerate(series):
        for group, value in enumerate(one.values):
            if value is None:
                continue
            x = LEFT + space * (group + 0.5) + bar_width * (index - len(series) / 2)
            height = high * min(1.0, value / end) if end else 0.0
            words = f"{one.name}, {groups[group]}: {_said(value, is_share=is_share)}"
            label = _said(value, is_share=is_share, digits=0) if value and bar_width >= LABELLED else ""
            bars.append(Bar(x, TOP + high - height, bar_width - 1.5, height, index % 6, words, label))
    rows = [
        Tick(TOP + high * (1 - step * number / end), _said(step * number, is_share=is_share, digits=0))
        for number in range(round(end / step) + 1)
    ]
    marks = [Tick(LEFT + space * (number + 0.5), name) for number, name in enumerate(groups)]
    return Chart(title, note, bars, rows, marks, [one.name for one in series])


def histogram(
    title: str,
    samples: Sequence[tuple[str, Sequence[float]]],
    *,
    edges: Sequence[float],
    is_open: bool = False,
    note: str = "",
) -> Chart:
    """How many values lie between the edges; with `is_open` one more group holds those that are larger.

    A value at an edge belongs to the group that begins there, and one at the last edge to the last group.
    """
    labels = [f"{start:g}" if end - start == 1 else f"{start:g}–{end:g}" for start, end in pairwise(edges)]
    labels += [f"{edges[-1]:g}+"] if is_open else []
    series = []
    for name, values in samples:
        counts = [0] * len(labels)
        for value in values:
            place = next((index for index, edge in enumerate(edges[1:]) if value < edge), len(labels) - 1)
            counts[place] += 1
        series.append(Series(name, counts))
    return bar_chart(title, labels, series, note=note)


def _step(largest: float) -> float:
    """A round distance of rows, so that there are about four."""
    if largest <= 4:
        return 1.0
    power = 10 ** math.floor(math.log10(largest / 4))
    return next(float(factor * power) for factor in (1, 2, 5, 10) if factor * power * 5 >= largest)


def _said(value: float, *, is_share: bool, digits: int = 1) -> str:
    return f"{value:.{digits}%}" if is_share else f"{value:g}"
