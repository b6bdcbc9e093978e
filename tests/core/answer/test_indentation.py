from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.core.answer.indentation import IndentStyle, Shift, detect_style, shift_between, space_unit


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("a\n    b\n        c\n", IndentStyle()),
        ("a\n  b\n    c\n", IndentStyle(width=2)),
        ("a\n\tb\n", IndentStyle(uses_tabs=True)),
        ("a\nb\n", IndentStyle(width=4)),
        ("", IndentStyle()),
    ],
)
def test_a_files_style_is_seen(text: str, style: IndentStyle) -> None:
    assert detect_style(text, IndentStyle()) == style


@given(st.sampled_from(["", "  ", "    ", "\t", "\t\t", "\t  "]), st.sampled_from(["", "  ", "    ", "\t", "\t\t"]))
def test_a_shift_leads_from_one_depth_to_the_other(found: str, wanted: str) -> None:
    shift = shift_between(found, wanted)
    if found.startswith(wanted) or wanted.startswith(found):
        assert shift.apply(found + "x") == wanted + "x"
    else:
        assert shift.is_none


def test_a_line_never_loses_more_than_its_white_space() -> None:
    assert Shift(loss="    ").apply("  x") == "x"


def test_levels_of_the_default_come_first() -> None:
    assert space_unit([4, 8], 2) == 2
    assert space_unit([4, 8], 4) == 4
    assert space_unit([2, 6], 4) == 2
    assert space_unit([3], 4) == 4
