from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.host.when import ALWAYS, WhenExpression

CONTEXT = {"editor_focus": True, "language": "python", "tab_count": 2, "inline_edit.state": "reviewing", "tags": ["a"]}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("", True),
        ("editor_focus", True),
        ("not editor_focus", False),
        ("missing", False),
        ("not missing", True),
        ("language == 'python'", True),
        ('language != "python"', False),
        ("language in ['c', 'python']", True),
        ("language not in ('c', 'python')", False),
        ("'a' in tags", True),
        ("'b' in tags", False),
        ("'a' in missing", False),
        ("tab_count == 2", True),
        ("inline_edit.state == 'reviewing'", True),
        ("missing or editor_focus and tab_count == 2", True),
        ("(missing or editor_focus) and tab_count == 3", False),
        ("editor_focus == true", True),
        ("missing == false", True),
    ],
)
def test_conditions_hold_as_they_read(text: str, holds: bool) -> None:  # noqa: FBT001 - a table's column
    assert WhenExpression.parse(text).holds(CONTEXT) is holds


@pytest.mark.parametrize(
    "text",
    [
        "a and",
        "a(",
        "call()",
        "a < b",
        "a == b == c",
        "x[0]",
        "lambda: a",
        "-a",
        "a if b else c",
        "f'{a}'",
        "None",
        "\x00",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="condition"):
        WhenExpression.parse(text)


def test_deep_nesting_is_refused_and_breaks_nothing() -> None:
    with pytest.raises(ValueError, match="condition"):
        WhenExpression.parse("(" * 5000 + "a" + ")" * 5000)


def test_it_knows_the_names_it_reads() -> None:
    parsed = WhenExpression.parse("a.b and not (c or true) and d in ['e']")
    assert parsed.names == {"a.b", "c", "d"}


def test_spacing_quotes_and_brackets_do_not_matter_to_equality() -> None:
    assert WhenExpression.parse("( a  and(b == 'x') )") == WhenExpression.parse('a and b == "x"')
    assert WhenExpression.parse("a") != WhenExpression.parse("b")


def test_it_is_parsed_once() -> None:
    assert WhenExpression.parse(" a and b ") is WhenExpression.parse("a and b")
    assert WhenExpression.parse("  ") is ALWAYS


@given(st.dictionaries(st.sampled_from("abc"), st.booleans()))
def test_logic_agrees_with_python(context: dict[str, bool]) -> None:
    a, b, c = (context.get(name, False) for name in "abc")
    assert WhenExpression.parse("a and not b or not (b and c) and a").holds(context) is (
        (a and not b) or (not (b and c) and a)
    )
