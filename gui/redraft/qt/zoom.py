"""The size of the whole window: Qt takes it from the environment while it starts, and from nowhere after that."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

VARIABLE: Final = "QT_SCALE_FACTOR"


@contextmanager
def zoomed(percent: int) -> Iterator[None]:
    """Begin Qt at a size in percent, on top of what the environment asks for; programs started later see no trace."""
    before = os.environ.get(VARIABLE)
    if percent != 100:
        os.environ[VARIABLE] = f"{_factor(before) * percent / 100:g}"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


def _factor(text: str | None) -> float:
    try:
        factor = float(text or 1)
    except ValueError:
        return 1.0
    return factor if factor > 0 else 1.0
