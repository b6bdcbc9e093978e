from __future__ import annotations

import gc
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.indent_style import FileStyle, Indentation, detect_indentation, file_style, style_edits
from redraft.core.text import apply_edits

TWO = "a:\n  b:\n    c: 1\n  d:\n    e: 2\n"
FOUR = "def f():\n    if x:\n        return 1\n\n    return (1,\n            2)\n"
TABS = "func f() {\n\tif x {\n\t\treturn\n\t}\n}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TWO, Indentation(use_tabs=False, width=2)),
        (FOUR, Indentation(use_tabs=False, width=4)),
        (TABS, Indentation(use_tabs=True, width=4)),
        (TWO.replace("\n", "\r\n"), Indentation(use_tabs=False, width=2)),
        ("/*\n * a\n * b\n */\nif (x) {\n   y();\n}\nif (z) {\n   y();\n}\n", Indentation(use_tabs=False, width=3)),
        ("flat\ntext\n", Indentation()),
        ("", Indentation()),
    ],
)
def test_the_text_tells_how_it_is_indented(text: str, expected: Indentation) -> None:
    assert detect_indentation(text, None) == expected


def test_where_the_text_says_nothing_the_default_holds() -> None:
    default = Indentation(use_tabs=True, width=8, tab_width=8)
    assert detect_indentation("flat\n", None, default) == default
    assert detect_indentation(TWO, None, default) == Indentation(use_tabs=False, width=2, tab_width=8)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("indent_style = space\nindent_size = 2", Indentation(use_tabs=False, width=2, tab_width=2)),
        ("indent_style = tab\ntab_width = 8", Indentation(use_tabs=True, width=8, tab_width=8)),
        ("indent_style = tab", Indentation(use_tabs=True, width=4, tab_width=4)),
        ("indent_size = 3\ntab_width = 8", Indentation(use_tabs=False, width=3, tab_width=8)),
        ("indent_style = SPACE\nindent_size = many", Indentation(use_tabs=False, width=4, tab_width=4)),
        ("indent_size = 9999999999999", Indentation()),
    ],
)
def test_editorconfig_comes_before_the_text(tmp_path: Path, rules: str, expected: Indentation) -> None:
    (tmp_path / ".editorconfig").write_text(f"root = true\n[*.py]\n{rules}\n")
    assert detect_indentation(FOUR, tmp_path / "a.py") == expected
    assert detect_indentation(TABS, tmp_path / "a.go") == Indentation(use_tabs=True)


def test_editorconfig_tells_line_end_and_final_newline(tmp_path: Path) -> None:
    (tmp_path / ".editorconfig").write_text(
        "root = true\n[*]\nend_of_line = crlf\ninsert_final_newline = true\ntrim_trailing_whitespace = false\n"
        "max_line_length = 100\n[*.md]\nend_of_line = unset\nmax_line_length = off\n"
    )
    inner = tmp_path / "inner"
    inner.mkdir()
    assert file_style("", inner / "a.py") == FileStyle(
        line_end="\r\n", final_newline=True, trim_trailing_blanks=False, line_length=100
    )
    assert file_style("", inner / "a.md") == FileStyle(final_newline=True, trim_trailing_blanks=False)
    assert file_style("", None) == FileStyle()


@pytest.mark.parametrize("content", [b"[*\nindent_size\n===", b"\xff\xfe\x00", b"indent_size = 2"])
def test_a_broken_editorconfig_asks_for_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".editorconfig").write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the library leaves a file it cannot decode to the collector
        style = detect_indentation(FOUR, tmp_path / "a.py")
        gc.collect()
    assert style == Indentation()


@pytest.mark.parametrize(
    ("text", "newline", "trim", "expected"),
    [
        ("a", True, None, "a\n"),
        ("a\n", True, None, "a\n"),
        ("", True, True, ""),
        ("a  \r\n\tb\t\n  ", True, True, "a\r\n\tb\n"),
        ("a  \nb ", False, True, "a\nb"),
        ("a  ", None, None, "a  "),
        ("a  ", True, True, "a\n"),
        ("a \t", False, True, "a"),
        ("\n \t", True, True, "\n"),
        ("a   b\t\tc\r \r", True, True, "a   b\t\tc\r\r"),
    ],
)
def test_style_on_save(text: str, *, newline: bool | None, trim: bool | None, expected: str) -> None:
    assert apply_edits(text, style_edits(text, final_newline=newline, trim=trim, line_end="\n")) == expected


@given(st.text("a \t\r\n"))
def test_styling_twice_is_styling_once(text: str) -> None:
    once = apply_edits(text, style_edits(text, final_newline=True, trim=True, line_end="\n"))
    assert style_edits(once, final_newline=True, trim=True, line_end="\n") == []
