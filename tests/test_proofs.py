"""The pages that name tests name only tests there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs"
NAMED = re.compile(r"`([\w/]+\.py)(?:::(\w+))?`")


@pytest.mark.parametrize("page", ["faults.md", "features.md"])
def test_every_test_a_page_names_exists(page: str) -> None:
    named = set(NAMED.findall((DOCS / page).read_text(encoding="utf-8")))
    assert len(named) > 50
    missing = [f"{file}::{name}" for file, name in sorted(named) if not exists(file, name)]
    assert missing == []


def exists(file: str, name: str) -> bool:
    path = TESTS / file
    return path.is_file() and (not name or f"def {name}(" in path.read_text(encoding="utf-8"))
