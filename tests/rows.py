"""Numbered rows of the tables in data/edit_prediction_rows.md: each stands in a test, which says so.

`row(45, …)` is a row of a table test; `@pytest.mark.rows(166)` marks a test that is a row as a whole.
"""

from __future__ import annotations

from typing import Any

import pytest


def row(number: int, *values: Any) -> Any:
    """The values of a row, called after its number."""
    return pytest.param(*values, id=f"row {number}")
