from __future__ import annotations

import os

import pytest

from redraft.qt.zoom import VARIABLE, zoomed


@pytest.mark.parametrize(
    ("before", "percent", "during"),
    [(None, 100, None), (None, 150, "1.5"), ("2", 150, "3"), ("2", 100, "2"), ("large", 50, "0.5")],
)
def test_the_zoom_holds_while_qt_starts_and_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch, before: str | None, percent: int, during: str | None
) -> None:
    if before is None:
        monkeypatch.delenv(VARIABLE, raising=False)
    else:
        monkeypatch.setenv(VARIABLE, before)
    with zoomed(percent):
        assert os.environ.get(VARIABLE) == during
    assert os.environ.get(VARIABLE) == before
