from __future__ import annotations

from pathlib import Path

from redraft.host.settings_page import settings_page


def test_the_page_is_up_to_date() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "settings.md"
    assert page.read_text(encoding="utf-8") == settings_page(), "run: make docs"
