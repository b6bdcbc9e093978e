from __future__ import annotations

from redraft.core.symbols import symbols_of


def test_headings_of_prose_are_symbols_and_comments_in_code_are_not() -> None:
    text = "# Tides\n\nwords\n\n```sh\n# not a heading\n```\n\n## How to run ##\nmore\n"
    symbols = symbols_of(text, "markdown")
    assert [(symbol.name, symbol.kind) for symbol in symbols] == [("Tides", "heading"), ("How to run", "heading")]
    assert symbols[1].range.of(text) == "## How to run ##\nmore\n"


def test_tables_of_settings_are_symbols() -> None:
    assert [symbol.name for symbol in symbols_of('[a]\nx = 1\n[[b.c]]\ny = "[d]"\n', "toml")] == ["a", "b.c"]
